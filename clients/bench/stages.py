"""Where the time of a ticket goes, as the services themselves tell operators."""

import urllib.request
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clients.terminal.numbers import Numbers

REPLY_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Stage:
    """A histogram, in the metrics of one of the services."""

    service: str
    metric: str
    method: str = ""

    def read(self, pages: Iterable[Numbers]) -> tuple[float, float]:
        """Seconds in all, and how often."""
        labels = {"method": self.method} if self.method else {}
        told = list(pages)
        return (
            sum(page.total(f"{self.metric}_sum", **labels) for page in told),
            sum(page.total(f"{self.metric}_count", **labels) for page in told),
        )


CREATE = "/anpai.matchmaking.v1.MatchmakingService/CreateTicket"
OPEN = "/anpai.engine.internal.v1.EngineInternalService/OpenTable"
SEED = "/anpai.vault.v1.VaultService/OpenTable"
STAGES = {
    "create_ticket": Stage("matchmaking", "anpai_call_seconds", CREATE),
    "wait": Stage("matchmaking", "anpai_ticket_wait_seconds"),
    "open_table": Stage("engine", "anpai_call_seconds", OPEN),
    "draw_seed": Stage("vault", "anpai_call_seconds", SEED),
    "store": Stage("matchmaking", "anpai_store_seconds"),
}

Readings = dict[str, tuple[float, float]]


def read_stages(pages: Mapping[str, Iterable[str]]) -> Readings:
    """By the operators' ports of each service."""
    numbers = {
        service: [numbers_at(address) for address in addresses]
        for service, addresses in pages.items()
    }
    return {name: one.read(numbers[one.service]) for name, one in STAGES.items()}


def numbers_at(address: str) -> Numbers:
    url = f"http://{address}/metrics"
    with urllib.request.urlopen(url, timeout=REPLY_SECONDS) as page:
        return Numbers(page.read().decode())


def mean_ms(before: Readings, after: Readings) -> dict[str, float]:
    """Of what happened in between. One that was started again has counted from 0: of
    its stages only what came after is told."""
    return {name: mean(before[name], after[name]) for name in after}


def mean(before: tuple[float, float], after: tuple[float, float]) -> float:
    seconds, times = (now - then for now, then in zip(after, before, strict=True))
    if seconds < 0 or times < 0:
        seconds, times = after
    return round(1000 * seconds / times, 3) if times else 0.0
