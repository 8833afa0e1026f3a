"""What comes in at a table is judged and done: by its referee, in the table's task.

What is refused is refused only once the store has confirmed that this worker still
knows the table.
"""

from services.chassis.errors import AnpaiError
from services.engine.absence import Absence
from services.engine.custody import FORSAKEN_MS, Custody
from services.engine.decks import refusal
from services.engine.kernel.ask import IllegalAnswer
from services.engine.kernel.entry import EntryKind
from services.engine.kernel.game import Deck
from services.engine.kernel.play import Play, brought_as
from services.engine.kernel.waiting import StaleQuestion
from services.engine.opening import Assigned
from services.engine.refusals import ended, illegal, not_seated, reused, stale


class Referee:
    """One table's. All it does may be repeated."""

    def __init__(self, custody: Custody, absence: Absence) -> None:
        self._custody = custody
        self._absence = absence

    @property
    def _play(self) -> Play:
        return self._custody.play

    async def sit(
        self, seat: int, who: Assigned, nonce: str, decks: tuple[Deck, ...]
    ) -> int:
        """The seat, taken; the first nonce and decks count. TABLE_ENDED, DECK_ILLEGAL.

        With the last seat the game begins.
        """
        custody = self._custody
        if seat in self._play.sitters:
            return seat
        if (why_not := self._keeps_out(decks)) is not None:
            await custody.confirm()
            raise why_not
        sitter = who.sitting(nonce, len(decks))
        choice = brought_as(decks) or None
        draft = custody.draft(EntryKind.SEAT, seat, choice=choice, details=sitter)
        await custody.move(draft)
        await custody.make_whole()
        return seat

    def _keeps_out(self, decks: tuple[Deck, ...]) -> AnpaiError | None:
        """Why nobody sits down with these decks now, if nobody does."""
        if self._play.outcome is not None:
            return ended(self._custody.table_id)
        return refusal(self._play.game, self._play.opening.variant, decks)

    async def answer(
        self,
        seat: int,
        answer_id: str,
        question_id: str,
        choice: tuple[str, ...],
        stand_in: str,
    ) -> int:
        """The revision after it. QUESTION_STALE, ANSWER_ILLEGAL, ANSWER_ID_REUSED,
        TABLE_ENDED, NOT_SEATED."""
        custody = self._custody
        given = custody.past.answers.get((seat, answer_id))
        if given is not None and given.is_for(question_id, choice):
            return given.revision
        why_not = reused(answer_id) if given else self._judge(seat, question_id, choice)
        if stand_in and not self._absence.plays(seat, stand_in):
            why_not = not_seated(custody.table_id)
        if why_not is not None:
            await custody.confirm()
            raise why_not
        draft = custody.draft(EntryKind.ANSWER, seat, answer_id, choice)
        return (await custody.move(draft, question_id)).revision

    def _judge(
        self, seat: int, question_id: str, choice: tuple[str, ...]
    ) -> AnpaiError | None:
        """Why not, if not."""
        play, table = self._play, self._custody.table_id
        try:
            play.judge(seat, question_id, choice)
        except StaleQuestion:
            if play.outcome is not None:
                return ended(table)
            return stale(table, self._custody.revision)
        except IllegalAnswer as error:
            path = play.asking.path if play.asking else ()
            return illegal(table, " > ".join(path), str(error))
        return None

    async def concede(self, seat: int) -> int:
        """The revision after it. TABLE_ENDED."""
        custody = self._custody
        if seat in self._play.conceded:
            return custody.revision
        if self._play.outcome is not None:
            await custody.confirm()
            raise ended(custody.table_id)
        return (await custody.move(custody.draft(EntryKind.CONCEDE, seat))).revision

    async def abandon(self) -> int:
        """The revision after it; where the game has ended, nothing happens."""
        if self._play.outcome is None:
            await self._custody.move(self._custody.draft(EntryKind.ABANDON))
        return self._custody.revision

    async def time_out(self, at: int) -> int:
        """Serve what is due by then, and set the table's next time."""
        custody = self._custody
        while (due := self._due(at)) is not None:
            await custody.move_unasked(custody.draft(*due, at=at))
        await custody.served(at)
        return custody.revision

    def _due(self, at: int) -> tuple[EntryKind, int] | None:
        """What has to happen because of the time, and to which seat."""
        custody, play = self._custody, self._play
        first, last = custody.past.entries[0], custody.past.last
        if play.outcome is not None:
            return None
        for seat in play.open_seats:
            due = play.deadline(seat)
            if due is not None and due <= at:
                return EntryKind.DEFAULT, seat
        if play.is_held and play.held_until <= at:
            return EntryKind.SETTLE, -1
        nobody_came = not play.started and first.at + custody.works.seating_ms <= at
        forsaken = not play.opening.timed and last.at + FORSAKEN_MS <= at
        return (EntryKind.ABANDON, -1) if nobody_came or forsaken else None
