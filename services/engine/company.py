"""Who may play which seat of a table, who is there, and what to do about the others.

Nobody is missed at a table where no person is to miss them: there, clocks run on, and
after a while the table ends. A table that never had people goes by its bots.
"""

from enum import StrEnum
from time import monotonic
from typing import NamedTuple

from services.engine.kernel.entry import Entry, EntryKind
from services.engine.live import LiveTable
from services.engine.presence import Presence
from services.engine.refusals import not_seated
from services.engine.watching import Watcher

SHOWN_AFTER = 4  # a seat looks away after this part of what it may be absent
CALL_AGAIN = 10.0


class Deed(StrEnum):
    """What is to be done at a table because somebody is not there."""

    LEAVE = "leave"
    COME_BACK = "come back"
    CALL = "call"
    ABANDON = "abandon"


class Due(NamedTuple):
    """A deed, and for which seat; -1 for the whole table."""

    deed: Deed
    seat: int


class Company:
    """By the seat table of the server, never by what a caller claims to be."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live
        self._presence = Presence()
        self._seats = {who.player: seat for seat, who in enumerate(live.assigned)}
        self._people = {who.player for who in live.assigned if not who.bot}
        self._stand_ins = {
            one.player: seat for seat, one in live.play.away.items() if one is not None
        }
        self._called: dict[int, float] = {}

    # -- roles --------------------------------------------------------------------

    def seat_of(self, player: str) -> int | None:
        """The seat a player plays, their own or for somebody; None for a spectator."""
        seat = self._seats.get(player)
        return self._stand_ins.get(player) if seat is None else seat

    def own_seat(self, player: str) -> int:
        """The seat assigned to the player; NOT_SEATED."""
        seat = self._seats.get(player)
        if seat is None:
            raise not_seated(self._live.table_id)
        return seat

    def stands_in(self, player: str) -> bool:
        return player in self._stand_ins

    def is_here(self, player: str) -> bool:
        """Whether a stream of the player's is open."""
        return self._presence.is_here(player)

    def heard(self, entry: Entry) -> None:
        """An entry is committed."""
        if entry.kind is EntryKind.STAND_IN:
            player = entry.details["player"]
            self._stand_ins[player] = entry.seat
            self._presence.touch(player)
        elif entry.kind is EntryKind.BACK:
            self._let_go(entry.seat)

    def _let_go(self, seat: int) -> None:
        """The seat is its player's again: whoever stood in sees nothing of it more."""
        for player in [one for one, at in self._stand_ins.items() if at == seat]:
            del self._stand_ins[player]
            for stream in self._presence.streams_of(player):
                stream.fail(not_seated(self._live.table_id))

    # -- coming and going ---------------------------------------------------------

    async def is_back(self, player: str) -> None:
        """A player calls: if they were away they are back, before anything else."""
        seat = self._seats.get(player)
        if seat is not None:
            self._presence.touch(player)
            if seat in self._live.play.away:
                await self._live.come_back(seat)

    def touch(self, player: str) -> None:
        """A player of this table has been seen."""
        if self.seat_of(player) is not None:
            self._presence.touch(player)

    def come(self, player: str, stream: Watcher) -> None:
        self._presence.come(player, stream)

    def go(self, player: str, stream: Watcher) -> None:
        self._presence.go(player, stream)
        self.touch(player)

    # -- who is missed ------------------------------------------------------------

    @property
    def is_awaited(self) -> bool:
        """Whether people may come back here, so that the table stays for a while."""
        return bool(self._people) and self._goes_on

    @property
    def _goes_on(self) -> bool:
        play = self._live.play
        return play.started and play.opening.timed and play.outcome is None

    def due(self) -> list[Due]:
        """What is to be done, in seat order."""
        if not self._goes_on or self._is_complete:
            return []
        if self._has_somebody:
            found = ((self._deed(seat), seat) for seat in self._seats.values())
            return [Due(deed, seat) for deed, seat in found if deed is not None]
        return [Due(Deed.ABANDON, -1)] if self._is_forsaken else []

    @property
    def _is_complete(self) -> bool:
        is_here = self._presence.is_here
        return not self._live.play.away and all(is_here(one) for one in self._seats)

    @property
    def _has_somebody(self) -> bool:
        shown = self._live.patience.absent / SHOWN_AFTER
        gone_for = self._presence.gone_for
        return any(gone_for(one) <= shown for one in self._people or self._seats)

    @property
    def _is_forsaken(self) -> bool:
        if not self._people or self._presence.has_others(self.seat_of):
            return False
        gone = min(self._presence.gone_for(one) for one in self._people)
        return gone >= self._live.patience.forsaken

    def _deed(self, seat: int) -> Deed | None:
        play, owner = self._live.play, self._live.assigned[seat]
        if self._presence.is_here(owner.player):
            return Deed.COME_BACK if seat in play.away else None
        absent, gone = self._live.patience.absent, self._presence.gone_for(owner.player)
        if seat not in play.away:
            is_gone = gone >= absent / SHOWN_AFTER and play.may_be_away(seat)
            return Deed.LEAVE if is_gone else None
        stand_in = play.away[seat]
        if stand_in is not None:
            gone = min(gone, self._presence.gone_for(stand_in.player))
        patience = absent / SHOWN_AFTER if owner.bot or stand_in else absent
        is_called = self._called.get(seat, -CALL_AGAIN) + max(absent, CALL_AGAIN)
        may_call = gone >= patience and monotonic() >= is_called
        return Deed.CALL if may_call else None

    def note_called(self, seat: int) -> None:
        """A bot has been called to this seat; for a while that is enough."""
        self._called[seat] = monotonic()


class Present:
    """A player's stream, which counts as long as it is open."""

    def __init__(self, company: Company, player: str, stream: Watcher) -> None:
        self._company = company
        self._player = player
        self._stream = stream

    def __enter__(self) -> Watcher:
        self._company.come(self._player, self._stream)
        return self._stream.__enter__()

    def __exit__(self, *why: object) -> None:
        self._stream.__exit__(*why)
        self._company.go(self._player, self._stream)
