"""A table that lives on this worker: its play, who follows it, and how it is counted.

Whether it may leave, it says itself; when it does, the registry (`tables.py`) decides.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from time import monotonic, perf_counter

from services.chassis.errors import AnpaiError, told
from services.chassis.telemetry import Metrics
from services.engine.company import Company, Present
from services.engine.delayed import Delayed
from services.engine.fields import Answer, Words, refuse
from services.engine.kernel.entry import Entry, EntryKind
from services.engine.kernel.event import Event
from services.engine.kernel.game import Deck
from services.engine.live import LiveTable
from services.engine.projection import Viewer, view_for
from services.engine.refusals import ended, moving, no_spectators, not_seated
from services.engine.ring import Given, Ring, View
from services.engine.saying import Said, Talk
from services.engine.watching import Watcher, said_update

IDLE_SECONDS = 60.0
ENDED_SECONDS = 10.0
SPARE_SECONDS = 2.0  # but whoever is on the way finds the table still here
WATCHERS_PER_TABLE = 2_000  # over it spectators are turned away, seats never
ABSENCES = (EntryKind.AWAY, EntryKind.STAND_IN, EntryKind.BACK)
WHO = ("person", "bot")  # sits at a seat
DESERTED_AFTER = 10  # defaults in a row, three a seat at least, and nobody watching


class State(StrEnum):
    """How far a table is."""

    GATHERING = "gathering"
    PLAYING = "playing"
    OVER = "over"


class HostedTable:
    """A table that lives here: its play, its watchers, and when it was last used."""

    def __init__(self, live: LiveTable, metrics: Metrics) -> None:
        self.live = live
        self.used = monotonic()
        self.metrics = metrics
        self.is_reported = False
        self.company = Company(live)
        self._talk = Talk(live.table_id, live.sayings)
        self._defaults = 0
        play = live.play
        events = play.table.events[: live.revision]
        self.game = play.opening.game
        self._delayed: Delayed | None = None
        behind = max(0, play.opening.spectators)
        marks = [entry.revision for entry in live.past.entries] if behind else ()
        self.ring = Ring(
            live.table_id, self.game, events, self.view, live.pasts, behind, marks
        )
        if play.outcome is not None:
            self.ring.end()
        self.state = self._state()
        self._count_here(1)
        self._seconds = metrics.answer_seconds.labels(self.game)

    @property
    def is_over(self) -> bool:
        return self.ring.is_over

    @property
    def is_deserted(self) -> bool:
        """Whether only time plays here: nobody answers, and nobody looks on."""
        enough = max(DESERTED_AFTER, 3 * len(self.live.assigned))
        return self._defaults >= enough and not self.ring.watchers

    def viewer(self, player: str) -> Viewer:
        """With whose eyes a player sees: those of a seat, or the public's.

        NO_SPECTATORS.
        """
        seat = self.company.seat_of(player)
        if seat is None and self.live.play.opening.spectators < 0 and not self.is_over:
            raise no_spectators(self.live.table_id)
        return seat

    async def take_seat(
        self, player: str, nonce: bytes, decks: tuple[Deck, ...]
    ) -> int:
        """The number of the seat; NOT_SEATED, TABLE_ENDED, DECK_ILLEGAL."""
        if self.company.stands_in(player):
            return self.seat(player)
        await self.company.is_back(player)
        return await self.live.take_seat(player, nonce, decks)

    async def concede(self, player: str) -> int:
        """The revision after it; nobody gives up for somebody else."""
        seat = self.company.own_seat(player)
        await self.company.is_back(player)
        return await self.live.concede(seat)

    def seat(self, player: str) -> int:
        """The seat the player plays; NOT_SEATED if there is none."""
        seat = self.company.seat_of(player)
        if seat is None:
            raise not_seated(self.live.table_id)
        return seat

    async def answer(self, player: str, answer: Answer) -> int:
        """The revision after it. The outcome is counted, whatever it is."""
        began, company = perf_counter(), self.company
        try:
            await company.is_back(player)
            stand_in = player if company.stands_in(player) else ""
            revision = await self.live.answer(self.seat(player), *answer, stand_in)
        except Exception as error:
            self._count(told(error, "").reason)
            raise
        self._count("ACCEPTED")
        self._seconds.observe(perf_counter() - began)
        return revision

    def _count(self, outcome: str) -> None:
        self.metrics.answers.labels(self.game, outcome).inc()

    def _state(self) -> State:
        if self.ring.is_over:
            return State.OVER
        return State.PLAYING if self.live.play.started else State.GATHERING

    def _count_here(self, number: int) -> None:
        self.metrics.live_tables.labels(self.game, self.state).inc(number)

    def leave(self) -> None:
        """It is here no more: its streams end, to be resumed elsewhere."""
        self._count_here(-1)
        self.ring.break_off(partial(moving, self.live.table_id))

    async def seen_by(self, player: str) -> View:
        """What the player may see; whoever looks now and then is there."""
        viewer = self.viewer(player)
        self.company.touch(player)
        return await self.view(viewer)

    def past_of(self, view: View) -> bytes:
        """The name of the past that led to a view just given."""
        viewer = view.viewer if view.HasField("viewer") else None
        return self.ring.past_at(view.revision, viewer)

    async def view(self, viewer: Viewer) -> View:
        """What the viewer may see, once no answer is being worked on."""
        await self.live.settled()
        horizon = self.ring.horizon(viewer)
        if horizon == self.live.revision:
            return view_for(self.live.play, viewer)
        if self._delayed is None:
            self._delayed = Delayed(self.live)
        return await self._delayed.at(horizon)

    async def say(self, player: str, words: Words) -> int:
        """Its number; NOT_SEATED, TABLE_ENDED, TOO_MANY, INVALID_FIELD."""
        seat = self.seat(player)
        if self.is_over:
            raise ended(self.live.table_id)
        team = self._team_of(seat) if words.to_team else None
        said, is_new = await self._talk.say(seat, team, words.text, words.request_id)
        for watcher in self.ring.watchers if is_new else ():
            self._tell(watcher, said)
        return said.number

    def _team_of(self, seat: int) -> int:
        teams = self.live.play.table.teams
        if teams.count(teams[seat]) < 2:
            refuse("channel", "TABLE, where everybody plays alone")
        return teams[seat]

    def _tell(self, watcher: Watcher, said: Said) -> None:
        """Nothing of it to spectators who are behind: they would hear the future."""
        play, viewer = self.live.play, watcher.viewer
        if viewer is None:
            hears = said.team is None and play.opening.spectators == 0
        else:
            hears = said.team in (None, play.table.teams[viewer])
        if hears:
            watcher.tell(said_update(said))

    async def watched_by(
        self,
        player: str,
        after: int | None,
        after_said: int | None = None,
        past: bytes = b"",
    ) -> Present:
        """A stream's cursor for this player; REVISION_AHEAD, TOO_MANY."""
        await self.live.settled()
        await self.company.is_back(player)
        said = [] if after_said is None else await self._talk.after(after_said)
        viewer = self.viewer(player)
        if viewer is None and len(self.ring.watchers) >= WATCHERS_PER_TABLE:
            raise too_many_watchers()
        watcher = Watcher(self.ring, viewer, after, self.metrics, past)
        for one in said:
            self._tell(watcher, one)
        return Present(self.company, player, watcher)

    def show(self, entry: Entry, events: Sequence[Event]) -> None:
        """An entry is committed: tell whoever watches."""
        self.company.heard(entry)
        self.ring.show(events, given_by(entry))
        if entry.outcome is not None:
            self.ring.end()
            how = "abandoned" if entry.kind is EntryKind.ABANDON else "played"
            self.metrics.tables_ended.labels(self.game, how).inc()
        if (state := self._state()) is not self.state:
            self._count_here(-1)
            self.state = state
            self._count_here(1)
        if entry.kind is EntryKind.DEFAULT:
            self._defaults += 1
            who = WHO[self.live.assigned[entry.seat].bot]
            self.metrics.defaults.labels(self.game, who).inc()
        elif entry.kind in (EntryKind.ANSWER, EntryKind.CONCEDE):
            self._defaults = 0
        elif entry.kind in ABSENCES:
            self.metrics.absences.labels(self.game, entry.kind).inc()

    def is_idle(self, now: float) -> bool:
        """Whether a table that nobody watches may leave."""
        patience = ENDED_SECONDS if self.is_over else IDLE_SECONDS
        if self.company.is_awaited:
            patience += self.live.patience.forsaken
        return now - self.used > patience

    def is_spare(self, now: float) -> bool:
        """Whether it may leave sooner, as there are many that nobody watches."""
        return not self.company.is_awaited and now - self.used > SPARE_SECONDS


def given_by(entry: Entry) -> Given | None:
    """The answer that an entry keeps, if it is one."""
    if entry.kind is not EntryKind.ANSWER:
        return None
    return Given(entry.seat, entry.answer_id, entry.revision)


def too_many_watchers() -> AnpaiError:
    return AnpaiError(
        "TOO_MANY",
        "This table has all the spectators it can take.",
        retry_after=30,
        limit="watchers",
    )
