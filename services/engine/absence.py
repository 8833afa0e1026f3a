"""A seat nobody is at: it is shown, a bot is called, and its player finds it as it was.

Each step is an entry of the journal, so that it replays, is disclosed, and everybody at
the table sees it.
"""

from services.engine.custody import Custody
from services.engine.kernel.entry import EntryKind
from services.engine.opening import assigned_in
from services.engine.refusals import ended, occupied


class Absence:
    """What is done about absence at one table, each in the table's own task.

    All of it may be repeated, and gives the revision after it.
    """

    def __init__(self, custody: Custody) -> None:
        self._custody = custody

    async def leave(self, seat: int) -> int:
        """The seat's player has gone away; where that means nothing now, nothing."""
        if self._custody.play.may_be_away(seat):
            await self._custody.move(self._custody.draft(EntryKind.AWAY, seat))
        return self._custody.revision

    async def come_back(self, seat: int) -> int:
        """The seat's player is here again."""
        play = self._custody.play
        if seat in play.away and play.outcome is None:
            await self._custody.move(self._custody.draft(EntryKind.BACK, seat))
        return self._custody.revision

    async def stand_in(self, seat: int, player: str, name: str) -> int:
        """This bot plays the seat until its player is back. TABLE_ENDED, SEAT_OCCUPIED.

        A bot that sits there of its own needs no entry to be let in again.
        """
        play, custody = self._custody.play, self._custody
        known = play.away.get(seat)
        if play.outcome is None and seat in play.away:
            if player in (self._owner(seat), known.player if known else ""):
                return custody.revision
            if known is None and not self._has_seat(player):
                told = {"player": player, "name": name}
                draft = custody.draft(EntryKind.STAND_IN, seat, details=told)
                return (await custody.move(draft)).revision
        await custody.confirm()
        table = custody.table_id
        raise occupied(table, seat) if play.outcome is None else ended(table)

    def plays(self, seat: int, player: str) -> bool:
        """Whether this bot plays the seat at the moment."""
        stand_in = self._custody.play.away.get(seat)
        return stand_in is not None and stand_in.player == player

    def _owner(self, seat: int) -> str:
        return assigned_in(self._custody.past.entries[0])[seat].player

    def _has_seat(self, player: str) -> bool:
        seated = {one.player for one in assigned_in(self._custody.past.entries[0])}
        standing = {one.player for one in self._custody.play.away.values() if one}
        return player in seated | standing
