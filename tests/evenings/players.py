"""Players with the SDK: each keeps what it heard and which answers were accepted."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import anpai
from anpai import Assignment, Deck, House, Option, Outcome, Question, Table
from services.engine.games import GAMES
from services.engine.kernel import Variant
from services.local import disclosure
from services.local.decks import ready_decks
from services.local.verify import Report, verify
from tests.evenings.tapping import Tap, tapped
from tests.evenings.town import GAME, BotSeat

PATIENCE = 60.0
KEEN = 0.95


@dataclass(frozen=True)
class Wish:
    """What guests look for, and how long they think before they answer. Where decks are
    `ready`, each brings as many of his own as he may. For `programs` no table waits as
    it does for people."""

    seats: int
    bots: int = 0
    game: str = GAME
    variant: str = ""
    ready: bool = False
    pause: float = 0.1
    programs: bool = False

    @property
    def people(self) -> int:
        return self.seats - self.bots

    @property
    def rules(self) -> Variant:
        """The variant that is wished for."""
        variant = GAMES[self.game].variant(self.variant)
        assert variant is not None
        return variant

    def decks(self, chair: int) -> list[Deck]:
        """What the guest on this chair brings: each another faction's."""
        if not self.ready:
            return []
        ready = ready_decks(self.game, self.variant)
        factions = sorted(ready) * 2
        first = chair % len(ready)
        return [
            tuple(f"{self.game}/{face}" for face in ready[faction])
            for faction in factions[first : first + self.rules.decks]
        ]


@dataclass
class Played:
    """A seat's memory of a game, or a spectator's."""

    seat: Assignment
    record: Path
    tap: Tap = field(default_factory=Tap)
    viewer: int | None = None
    accepted: list[str] = field(default_factory=list)
    accepted_at: list[float] = field(default_factory=list)
    stale: int = 0
    resumed: int = 0
    undone: int = 0
    outcome: Outcome | None = None

    def remember(self, table: Table) -> None:
        """What the table is remembered by, once it is left."""
        self.outcome, self.resumed = table.outcome, table.resumed
        self.undone = table.undone

    @property
    def table_id(self) -> str:
        return self.seat.table_id


class Seating:
    """Seats players and keeps their records in one folder. Bots whose seats are
    assigned already pause so long before each answer. `tls` is as in the SDK."""

    def __init__(
        self, server: str, folder: Path, pause: float = 0.0, tls: Any = False
    ) -> None:
        self.server = server
        self.folder = folder
        self.pause = pause
        self.tls = tls
        self.seated: asyncio.Queue[Assignment] = asyncio.Queue()

    async def play(self, bot: BotSeat) -> Played:
        """Play a seat that is assigned already, to the end."""
        async with self.connect(bot.token) as house:
            return await self.plays(house, bot.seat, tapped(house), self.pause)

    async def find_and_play(self, name: str, wish: Wish, chair: int) -> Played:
        """From signing in, through matchmaking, to the end."""
        async with self.connect() as house:
            tap = tapped(house)
            await house.sign_in(name, bot=wish.programs)
            ticket = await house.enter(
                wish.game,
                variant=wish.variant,
                seats=wish.seats,
                bots=wish.bots,
                decks=wish.decks(chair),
            )
            seat = await ticket.seat()
            self.seated.put_nowait(seat)
            return await self.plays(house, seat, tap, wish.pause)

    def connect(self, token: str | None = None) -> House:
        return anpai.connect(self.server, token=token, tls=self.tls, patience=PATIENCE)

    async def plays(
        self, house: House, seat: Assignment, tap: Tap, pause: float
    ) -> Played:
        played = Played(seat, self.record_of(seat, str(seat.seat)), tap)
        async with house.sit(seat, record=played.record) as table:
            await self.follow(table, played, pause)
        return played

    async def watch(self, seat: Assignment) -> Played:
        """Watch the table as the public does, to the end."""
        async with self.connect() as house:
            played = Played(seat, self.record_of(seat, "public"), tapped(house))
            await house.sign_in("Spectator")
            async with house.watch(seat.table_id, record=played.record) as table:
                async for _ in table:
                    pass
                played.remember(table)
        return played

    def record_of(self, seat: Assignment, who: str) -> Path:
        return self.folder / f"{seat.table_id}-{who}.heard"

    async def follow(self, table: Table, played: Played, pause: float) -> None:
        """Answer at random whatever is asked."""
        chance = random.Random(f"{table.id}/{table.seat}")
        played.viewer = table.seat
        async for _ in table:
            if table.question is not None:
                await asyncio.sleep(pause * chance.uniform(0.5, 1.5))
                await self.answer(table, played, chance)
        played.remember(table)

    async def answer(self, table: Table, played: Played, chance: random.Random) -> None:
        """Of a partner's answer, and of all that came after it, one may hear late."""
        question = table.question
        if question is None:
            return
        try:
            answer = await table.answer(*keenly(question, chance))
            played.accepted.append(answer.id)
            played.accepted_at.append(monotonic())
        except (anpai.QuestionStale, anpai.NotAsked, anpai.TableEnded):
            played.stale += 1


def keenly(question: Question, chance: random.Random) -> list[Option]:
    """At random, but hardly ever nothing, so that games last."""
    least = max(question.min, min(question.max, chance.random() < KEEN))
    return chance.sample(question.options, chance.randint(least, question.max))


# ---- afterwards ----------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """A finished game: its file, and what everybody at it remembers."""

    text: bytes
    played: Sequence[Played]

    def verified(self) -> list[Report]:
        """Checked with what each player was promised and what each heard."""
        return [
            verify(
                self.text,
                commitment=one.seat.commitment,
                heard=one.record.read_text().splitlines(),
            )
            for one in self.played
        ]

    def answers(self) -> list[str]:
        """The id of every answer in the journal."""
        paper = disclosure.read(self.text)
        entries = (
            disclosure.entry_in(paper.journal, index)
            for index in range(len(paper.journal))
        )
        return [entry.answer_id for entry in entries if entry.answer_id]


async def games_of(
    server: str, played: Sequence[Played], tls: Any = False
) -> list[Game]:
    """The disclosures of all these games."""
    tables = sorted({one.table_id for one in played})
    async with anpai.connect(server, tls=tls, patience=PATIENCE) as house:
        await house.sign_in("Auditor")
        return [
            Game(
                await disclosed(house, table),
                [one for one in played if one.table_id == table],
            )
            for table in tables
        ]


async def answers(table: Table, number: int) -> None:
    """Give so many, or as many as the game still takes."""
    async for _ in table:
        if question := table.question:
            await table.answer(*question.options[: question.min])
            number -= 1
        if not number:
            return


async def disclosed(house: House, table_id: str) -> bytes:
    """It follows the outcome's commit, so that it may need a moment."""
    for _ in range(100):
        try:
            return await house.disclosure(table_id)
        except (anpai.NotNow, anpai.Unavailable):
            await asyncio.sleep(0.1)
    raise TimeoutError(f"{table_id} was never disclosed")


def assert_nothing_is_lost(games: Sequence[Game]) -> None:
    """Every game ended, can be verified, and has each accepted answer exactly once;
    nobody was told otherwise."""
    for game in games:
        for report in game.verified():
            assert report.problem == ""
        assert all(one.outcome is not None for one in game.played)
        kept = game.answers()
        assert len(kept) == len(set(kept))
        for one in game.played:
            assert one.accepted or one.viewer is None
            assert not one.undone
            assert set(one.accepted) <= set(kept)
