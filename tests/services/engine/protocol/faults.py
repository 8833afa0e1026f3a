"""The traces that broke simpler protocols, each with the rule that was missing.

A `Fault` leaves the rule out (of the simulated stores, or of the engine itself) and
says which misfortunes bring it to light. The real protocol must survive the same.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from services.engine.custody import Custody
from services.engine.kernel.entry import Draft, Entry
from services.engine.live import LiveTable
from services.engine.past import Past
from tests.services.engine.protocol.invariants import Violated
from tests.services.engine.protocol.network import Fate, Misfortune, Plan
from tests.services.engine.protocol.world import World, play

Likely = Sequence[tuple[str, int, int, Fate]]
Without = Callable[[], AbstractContextManager[Any]]

LOST_TRACK = (
    ("append", 4, 16, Fate.REPLY_LOST),
    ("append", 4, 16, Fate.LATE),
    ("resolve", 2, 12, Fate.REPLY_LOST),
)


@dataclass(frozen=True)
class Fault:
    """`likely` lists (kind of call, from which, to which, fate); a run draws some."""

    rule: str
    breaks: str
    likely: Likely
    broken: frozenset[str] = frozenset()
    without: Without = nullcontext
    draws: int = 3


def plan(fault: Fault, seed: int) -> Plan:
    """Some of the fault's misfortunes."""
    chance = random.Random(seed)
    drawn = []
    for _ in range(fault.draws if fault.likely else 0):
        kind, first, last, fate = chance.choice(fault.likely)
        nth, size = chance.randint(first, last), chance.randint(1, 3)
        drawn.append(Misfortune(kind, nth, fate, size))
    return Plan(drawn)


def survives(fault: Fault, seed: int) -> None:
    """The real protocol under these misfortunes; raises Violated."""
    play(World(seed, plan(fault, seed)))


def fails_without(fault: Fault, tries: int) -> bool:
    """Whether the protocol without the rule violates what the fault breaks."""
    return any(violated(fault, seed) == fault.breaks for seed in range(tries))


def violated(fault: Fault, seed: int) -> str:
    """The invariant that does not hold without the rule; "" if all do."""
    try:
        with fault.without():
            play(World(seed, plan(fault, seed), broken=tuple(fault.broken)))
    except Violated as violation:
        return str(violation).partition(":")[0]
    return ""


# ---- the engine without a rule -------------------------------------------------------


@contextmanager
def views_that_do_not_wait() -> Iterator[None]:
    async def at_once(self: LiveTable) -> None:
        if not hasattr(self._custody, "play"):
            await self._mended()

    with patch.object(LiveTable, "settled", at_once):
        yield


@contextmanager
def answers_remembered_in_memory_only() -> Iterator[None]:
    """What a replay finds in the journal is not looked up."""
    add = Past.add

    def forget(self: Past, entry: Entry, draft: Draft, question_id: str) -> None:
        add(self, entry, draft, question_id)
        self.answers.clear()

    with patch.object(Past, "add", forget):
        yield


@contextmanager
def refusals_from_memory() -> Iterator[None]:
    async def sure(self: Custody) -> None:
        return

    with (
        patch.object(Custody, "confirm", sure),
        patch("services.engine.lease.Leases._renew", sure_renewal),
    ):
        yield


async def sure_renewal(self: Any, renewing: Any) -> None:
    lease = renewing.lease
    renewing.reply.close()  # a coroutine that was not begun
    lease.prolonged(lease.until)


@contextmanager
def shown_before_the_commit() -> Iterator[None]:
    arm = Custody._arm

    async def early(self: Custody, entry: Entry, anew: bool = False) -> None:
        events = self.play.table.events[self.revision :]
        self._show(entry, self.revision + 1, events)
        await arm(self, entry, anew)

    with patch.object(Custody, "_arm", early):
        yield


@contextmanager
def disclosed_before_the_commit() -> Iterator[None]:
    arm = Custody._arm

    async def early(self: Custody, entry: Entry, anew: bool = False) -> None:
        if entry.outcome is not None and not self.disclosed:
            chance = self.works.chance
            await chance.disclose(self.table_id, self.epoch, entry.head, [], [])
        await arm(self, entry, anew)

    with patch.object(Custody, "_arm", early):
        yield


# ---- F1 to F12 -----------------------------------------------------------------------

FAULTS = {
    "F1": Fault(
        rule="an equal epoch never cuts",
        breaks="I4",
        broken=frozenset(("equal epoch cuts",)),
        likely=(
            ("take ledger", 1, 3, Fate.REPEATED),
            ("append", 3, 9, Fate.PAUSE_BEFORE),
            ("take over", 1, 2, Fate.CRASH_AFTER),
        ),
    ),
    "F2": Fault(
        rule="giving up is a new takeover, and resolving never cuts",
        breaks="I10",
        broken=frozenset(("same epoch again", "resolve cuts")),
        likely=LOST_TRACK,
    ),
    "F3": Fault(
        rule="the vault checks and writes in one step",
        breaks="I4",
        broken=frozenset(("check, then write",)),
        likely=(
            ("take ledger", 1, 4, Fate.LATE),
            ("take ledger", 1, 4, Fate.REPEATED),
            ("append", 4, 12, Fate.REPLY_LOST),
            ("take ledger", 1, 4, Fate.PAUSE_AFTER),
        ),
    ),
    "F5": Fault(
        rule="a view waits for the answer that is being worked on",
        breaks="I3",
        without=views_that_do_not_wait,
        likely=(("append", 4, 16, Fate.PAUSE_BEFORE),),
    ),
    "F6": Fault(
        rule="after any doubt the answer is looked up in the journal",
        breaks="I7",
        without=answers_remembered_in_memory_only,
        likely=LOST_TRACK,
    ),
    "F7": Fault(
        rule="a refusal is given once the store has confirmed epoch and hash",
        breaks="I6",
        without=refusals_from_memory,
        broken=frozenset(("no lease",)),
        likely=(("append", 4, 12, Fate.LATE),),
    ),
    "F9": Fault(
        rule="cards are shown once what they follow from is in the journal",
        breaks="I3",
        without=shown_before_the_commit,
        likely=(("append", 1, 4, Fate.LOST), ("append", 1, 4, Fate.CRASH_BEFORE)),
    ),
    "F10": Fault(
        rule="the disclosure follows the outcome's commit",
        breaks="I8",
        without=disclosed_before_the_commit,
        likely=(),
    ),
    "F11": Fault(
        rule="a table's time is armed before the commit and never popped",
        breaks="I6",
        broken=frozenset(("popped timers",)),
        likely=(("due", 3, 12, Fate.CRASH_AFTER),),
    ),
    "F12a": Fault(
        rule="a takeover waits for replication",
        breaks="I3",
        broken=frozenset(("wait for commits only",)),
        likely=(
            ("append", 4, 14, Fate.UNREPLICATED),
            ("append", 4, 14, Fate.CRASH_AFTER),
            ("take ledger", 2, 4, Fate.FAILOVER_BEFORE),
            ("read", 2, 8, Fate.FAILOVER_BEFORE),
            ("arm", 2, 8, Fate.FAILOVER_BEFORE),
        ),
        draws=4,
    ),
    "F12b": Fault(
        rule="the epoch has a random token, and entries are chained by hash",
        breaks="I3",
        broken=frozenset(("wait for commits only", "no token", "position for hash")),
        likely=(
            ("append", 4, 14, Fate.UNREPLICATED),
            ("append", 4, 14, Fate.FAILOVER_AFTER),
            ("append", 4, 14, Fate.LATE),
            ("append", 4, 14, Fate.PAUSE_BEFORE),
            ("take over", 2, 4, Fate.FAILOVER_AFTER),
            ("take over", 2, 4, Fate.UNREPLICATED),
            ("resolve", 2, 12, Fate.FAILOVER_BEFORE),
        ),
        draws=5,
    ),
}
