"""The numbers on a page that is made for Prometheus."""

from collections import defaultdict

from prometheus_client.parser import text_string_to_metric_families

Labels = dict[str, str]


class Numbers:
    """By name and labels; what is not told is 0."""

    def __init__(self, page: str) -> None:
        self._told: dict[str, list[tuple[Labels, float]]] = defaultdict(list)
        for family in text_string_to_metric_families(page):
            for sample in family.samples:
                self._told[sample.name].append((sample.labels, sample.value))

    def tell(self, name: str) -> bool:
        """Whether anything of this name is told."""
        return name in self._told

    def total(self, name: str, **labels: str) -> float:
        """The sum of all that have these labels."""
        return sum(
            value
            for known, value in self._told.get(name, ())
            if labels.items() <= known.items()
        )

    def values_of(self, label: str, name: str) -> set[str]:
        """What a label is, wherever a metric has it."""
        return {known[label] for known, _ in self._told.get(name, ()) if label in known}
