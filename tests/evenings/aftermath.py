"""After a storm: what was promised to guests is held against what there is.

`troubles_of` gives a sentence for each thing that must not be; none is well.
"""

import asyncio
import base64
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from time import monotonic
from typing import NamedTuple

import redis
from prometheus_client.parser import text_string_to_metric_families

import anpai
from anpai.engine.v1.engine_service_pb2 import TableUpdate
from services.engine.kernel.entry import Entry, EntryKind
from services.engine.opening import assigned_in
from services.local import disclosure
from services.local.verify import verify
from tests.evenings.diary import Diary, Guest
from tests.evenings.memory import rss
from tests.evenings.players import disclosed
from tests.evenings.town import Town

SETTLED_WITHIN = 45.0
OPEN_STREAMS_END_WITHIN = 20.0
LARGEST_MB = 200.0

# A service's own, one of each; all else goes by itself once its table is over.
FOR_EVER = re.compile(r"vault:probe|engine:\{workers\}:(alive|outages)")


class Seen(NamedTuple):
    """A guest of one of the diaries, and where it wrote down what it heard."""

    guest: Guest
    diary: Diary

    def heard(self) -> list[str] | None:
        record = self.diary.record_of(self.guest.name)
        return record.read_text().splitlines() if record.exists() else None


class Table(NamedTuple):
    """A table as the store has it."""

    id: str
    state: dict[str, str]
    entries: list[Entry]

    @property
    def is_over(self) -> bool:
        return self.state.get("disclosed") == "1"

    @property
    def was_played(self) -> bool:
        return any(entry.kind is EntryKind.START for entry in self.entries)

    def __str__(self) -> str:
        last = self.entries[-1]
        return f"{self.id} at entry {last.position} ({last.kind}), {self.state}"


async def troubles_of(town: Town, diaries: Sequence[Diary]) -> list[str]:
    """Once all guests have gone home."""
    seen = [Seen(page, one) for one in diaries for page in one.about.values()]
    tables = await settled_tables(town)
    return [
        *(trouble for one in diaries for trouble in one.troubles),
        *not_over(tables),
        *seated_twice(tables),
        *await not_as_told(town, tables, seen),
        *await still_left(town),
        *await streams_left(town),
        *swollen(town),
        *faults_logged(town),
    ]


async def settled_tables(town: Town) -> list[Table]:
    """All there are; such as nobody came to end a little later by themselves."""
    until = monotonic() + SETTLED_WITHIN
    while True:
        tables = await asyncio.to_thread(read_tables, town)
        if all(table.is_over for table in tables) or monotonic() > until:
            return tables
        await asyncio.sleep(0.5)


def read_tables(town: Town) -> list[Table]:
    with redis.Redis.from_url(town.store.url, decode_responses=True) as store:
        ids = sorted(
            key.split(":")[1].strip("{}")
            for key in store.scan_iter("engine:{t-*}:journal")
        )
        return [
            Table(
                table,
                store.hgetall(f"engine:{{{table}}}:state"),
                [
                    Entry.read(fields["e"])
                    for _, fields in store.xrange(f"engine:{{{table}}}:journal")
                ],
            )
            for table in ids
        ]


# ---- what must not be ----------------------------------------------------------------


def not_over(tables: Iterable[Table]) -> Iterator[str]:
    for table in tables:
        if not table.is_over:
            yield f"never came to its end: {table}"


def seated_twice(tables: Iterable[Table]) -> Iterator[str]:
    """Every guest asks once, so that his ticket led to one table that was played."""
    at = defaultdict(list)
    for table in tables:
        if table.was_played:
            for sitter in assigned_in(table.entries[0]):
                at[sitter.player].append(table.id)
    for player, found in at.items():
        if len(found) > 1:
            yield f"{player} was seated at {found}"


async def not_as_told(
    town: Town, tables: Iterable[Table], seen: Sequence[Seen]
) -> list[str]:
    """Every game is fetched as anybody may, run again and held against what its guests
    heard and were told."""
    troubles: list[str] = []
    at = defaultdict(list)
    for one in seen:
        if one.guest.seat is not None:
            at[one.guest.seat.table_id].append(one)
    async with anpai.connect(town.server) as house:
        await house.sign_in("Auditor")
        for table in tables:
            if table.is_over:
                text = await disclosed(house, table.id)
                check = asyncio.to_thread(broken_promises, text, at[table.id])
                troubles += [f"{table.id}: {one}" for one in await check]
    known = {table.id for table in tables}
    return troubles + [f"{table} is nowhere" for table in at.keys() - known]


def broken_promises(text: bytes, guests: Iterable[Seen]) -> Iterable[str]:
    return [*misfits(text, guests), *miscounted(text, [one.guest for one in guests])]


def misfits(text: bytes, guests: Iterable[Seen]) -> Iterator[str]:
    report = verify(text)
    if not report.ok:
        yield report.problem
    for one in guests:
        assert one.guest.seat is not None
        heard = one.heard()
        if heard:
            promised = one.guest.seat.commitment
            report = verify(text, commitment=promised, heard=heard)
            if not report.ok:
                yield f"{one.guest.name}: {report.problem}"
            if any(map(tells_of_loss, heard[1:])):
                yield f"{one.guest.name} was told of a loss, and nothing was lost"


def tells_of_loss(line: str) -> bool:
    update = base64.b64decode(json.loads(line)["update"])
    return bool(TableUpdate.FromString(update).undone)


def miscounted(text: bytes, guests: Iterable[Guest]) -> Iterator[str]:
    paper = disclosure.read(text)
    entries = [
        disclosure.entry_in(paper.journal, at) for at in range(len(paper.journal))
    ]
    revisions = {one.answer_id: one.revision for one in entries if one.answer_id}
    counts = Counter(one.answer_id for one in entries if one.answer_id)
    for guest in guests:
        for answer, told in guest.told.items():
            if counts[answer] != 1:
                yield f"{guest.name}'s {answer} is there {counts[answer]} times"
            elif revisions[answer] != told:
                yield f"{guest.name}'s {answer} is at {revisions[answer]}, not {told}"
        for answer in guest.refused & counts.keys():
            yield f"{guest.name}'s {answer} was refused and is there"


async def still_left(town: Town) -> list[str]:
    """What nothing removes, once the last tables have had time to be put away."""
    until = monotonic() + SETTLED_WITHIN
    while left := await asyncio.to_thread(lambda: [*left_for_ever(town)]):
        if monotonic() > until:
            return left
        await asyncio.sleep(0.2)
    return []


def left_for_ever(town: Town) -> Iterator[str]:
    for key in sorted(town.kept_for_ever()):
        if not FOR_EVER.fullmatch(key):
            yield f"nothing ever removes {key}"
    with redis.Redis.from_url(town.store.url) as client:
        for table, due in client.zrange(
            "engine:{workers}:deadlines", 0, -1, withscores=True
        ):
            yield f"{table.decode()} is still due at {due:.0f}"


async def streams_left(town: Town) -> list[str]:
    """Calls that nobody listens to are gone soon; what services keep among themselves
    is no player's."""
    until = monotonic() + OPEN_STREAMS_END_WITHIN
    while left := await open_streams(town):
        if monotonic() > until:
            return left
        await asyncio.sleep(0.2)
    return []


OURS = ("VaultService", "HostBots", "EngineInternalService")


async def open_streams(town: Town) -> list[str]:
    return [
        f"{one.name} has {value:.0f} open {labels['method']}"
        for one in town.services
        for labels, value in gauges(await one.metrics(), "anpai_open_streams")
        if value and not any(ours in labels["method"] for ours in OURS)
    ]


def gauges(text: str, name: str) -> Iterator[tuple[dict[str, str], float]]:
    for family in text_string_to_metric_families(text):
        if family.name == name:
            for sample in family.samples:
                yield sample.labels, sample.value


def swollen(town: Town) -> Iterator[str]:
    """That memory does not grow at all, only a long soak can tell."""
    for one in town.processes:
        if (now := rss(one.pid)) > LARGEST_MB:
            yield f"{one.name} has {now:.0f} MB in memory"


def faults_logged(town: Town) -> Iterator[str]:
    """Faults of ours: a store that is away is none."""
    for one in town.processes:
        for line in one.log.read_text(errors="replace").splitlines():
            if is_fault(line):
                yield f"{one.name} logged {line[:600]}"


def is_fault(line: str) -> bool:
    try:
        level: str = json.loads(line)["level"]
    except (ValueError, LookupError, TypeError):
        return "Traceback" in line or "Error" in line
    return level == "error"
