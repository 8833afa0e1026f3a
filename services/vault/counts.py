"""What the vault counts. Labels are verbs and reasons: never a table, never a card."""

from prometheus_client import CollectorRegistry, Counter

from services.chassis.telemetry import begin_at_0

# A batch of an engine's that means well is refused for none of these.
GRAVE = ("OPERATION_REFUSED", "LEDGER_LOST", "JOURNAL_LOST", "INTERNAL")


class Counts:
    """The vault's own metrics, beside those of every service."""

    def __init__(self, registry: CollectorRegistry):
        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(f"anpai_vault_{name}", meaning, labels, registry=registry)

        self.batches = counter("batches", "Batches resolved.")
        self.operations = counter("operations", "Operations resolved.", "verb")
        self.refusals = counter("refusals", "Batches refused.", "reason")
        self.rebuilt = counter("rebuilt", "Tables made anew from their ledger.")
        self.disclosed = counter("disclosed", "Tables disclosed.")
        self.exports = counter("exports", "Finished games as files.", "outcome")

        begin_at_0(self.refusals, zip(GRAVE))
        begin_at_0(self.exports, [("written",), ("failed",)])
