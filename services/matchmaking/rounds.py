"""Which queues are worth another look: something in them has changed, or time has."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.matchmaking.ticket import family_of


@dataclass(frozen=True, slots=True)
class Family:
    """Pools whose tickets may sit together, each with the number of its last change."""

    name: str
    pools: Mapping[str, int]


class Rounds:
    """`_looked` has how a family stood when it was last gone through, and when it is
    to be gone through again although nobody has come or gone."""

    def __init__(self, now: Callable[[], int]):
        self._now = now
        self._looked: dict[str, tuple[Family, int | None]] = {}

    def due(self, pools: Mapping[str, int]) -> list[Family]:
        """What is not here any more is forgotten."""
        families = families_of(pools)
        self._looked = {
            name: looked for name, looked in self._looked.items() if name in families
        }
        return [each for each in families.values() if self._is_due(each)]

    def _is_due(self, family: Family) -> bool:
        looked, again_ms = self._looked.get(family.name, (None, None))
        is_time = again_ms is not None and again_ms <= self._now()
        return looked != family or is_time

    def note(self, family: Family, again_ms: int | None) -> None:
        """It holds nothing to begin until it changes, or until then."""
        self._looked[family.name] = (family, again_ms)


def families_of(pools: Mapping[str, int]) -> dict[str, Family]:
    gathered: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for pool, change in pools.items():
        gathered[family_of(pool)][pool] = change
    return {name: Family(name, theirs) for name, theirs in gathered.items()}
