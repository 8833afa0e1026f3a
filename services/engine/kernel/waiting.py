"""What a table waits for, and for whom: questions, answers so far, time left."""

from typing import NamedTuple

from services.engine.kernel import event as happened
from services.engine.kernel.ask import Asking, Option, Question
from services.engine.kernel.clock import Clock
from services.engine.kernel.entry import Opening
from services.engine.kernel.game import Game
from services.engine.kernel.outcome import Outcome
from services.engine.kernel.table import Answers, Table


class StaleQuestion(Exception):
    """The question answered is not, or no longer, open for that seat."""


class Sitter(NamedTuple):
    """Who sits at a seat; `nonce` is hex, "" for none."""

    player: str
    name: str
    bot: bool
    nonce: str


class StandIn(NamedTuple):
    """The bot that plays a seat while its player is away."""

    player: str
    name: str


class Waiting:
    """A table between two answers: who sits there, what they are asked."""

    def __init__(self, game: Game, opening: Opening) -> None:
        self.game = game
        self.opening = opening
        self.table = Table(game, opening.seats, opening.variant)
        self.sitters: dict[int, Sitter] = {}
        self.asking: Asking | None = None
        self.answers: Answers = {}
        self.open_seats: tuple[int, ...] = ()
        self.conceded: list[int] = []
        self.away: dict[int, StandIn | None] = {}
        self.outcome: Outcome | None = None
        self._clock = Clock(game.clocks_of(opening.variant), opening.seats)

    # -- reading ------------------------------------------------------------------

    def asked(self, seat: int) -> Question | None:
        """The question a seat has still to answer, if any."""
        if self.asking is None or seat not in self.open_seats:
            return None
        return self.asking.to(seat)

    def question(self, seat: int) -> tuple[str, Question] | None:
        """The same with its id."""
        question = self.asked(seat)
        if self.asking is None or question is None:
            return None
        return self.asking.id_of(seat), question

    def deadline(self, seat: int) -> int | None:
        """When a seat's open question is answered by default, in milliseconds."""
        if self.asking is None or seat in self.answers:
            return None
        return dict(self.asking.deadlines).get(seat)

    @property
    def banks(self) -> tuple[int, ...]:
        """What each seat's bank still has, in milliseconds; () without clocks."""
        return self._clock.banks if self.opening.timed else ()

    @property
    def held_until(self) -> int:
        """When a secret asking may settle, in milliseconds; 0: as soon as answered."""
        return 0 if self.asking is None else self.asking.held_until

    @property
    def is_held(self) -> bool:
        """Whether all have answered and only the hold keeps the table from going on."""
        return self.asking is not None and not self.open_seats

    def judge(
        self, seat: int, question_id: str, choice: tuple[str, ...]
    ) -> tuple[Option, ...]:
        """The options chosen; `StaleQuestion`, `IllegalAnswer` where it may not be."""
        asked = self.question(seat)
        if asked is None or asked[0] != question_id:
            raise StaleQuestion(f"seat {seat} is not asked that question now")
        return asked[1].judge(choice)

    # -- asking and being answered ------------------------------------------------

    def _ask(self, asking: Asking, answers: Answers) -> None:
        """Put the questions to who has not answered yet."""
        self.asking = asking
        self.answers = answers
        seats = [question.seat for question in asking.questions]
        self.open_seats = tuple([seat for seat in seats if seat not in answers])

    def _held(self, asking: Asking) -> bool:
        """Whether people still play, who could read something off the time it takes."""
        playing = set(self.sitters) - set(self.conceded)
        people = any(not self.sitters[seat].bot for seat in playing)
        return asking.secret and asking.hold > 0 and people

    def _open_at(self, seat: int) -> Question:
        question = self.asked(seat)
        assert question is not None
        return question

    def _take(self, seat: int, chosen: tuple[Option, ...], at: int) -> None:
        """A seat has answered, with time taken from its bank."""
        if self.opening.timed and self.asking is not None and not self.asking.secret:
            self._spend(self._open_at(seat), at)
        self.answers[seat] = chosen
        self.open_seats = tuple([one for one in self.open_seats if one != seat])

    def _spend(self, question: Question, at: int) -> None:
        if self._clock.spend(question, at):
            left = self._clock.banks[question.seat]
            self.table.emit(happened.BankDrawn(question.seat, left))

    def _settled(self, seat: int, at: int, *, by_default: bool) -> Answers | None:
        """Tell who has answered, where that may be seen; all answers, if all have."""
        assert self.asking is not None
        asking = self.asking
        settled = asking.any_one or not self.open_seats
        if settled and at < asking.held_until:
            return None
        late = (seat,) if by_default and not asking.secret else ()
        if settled and (asking.secret or asking.any_one):
            self.table.emit(happened.Answered(asking.asked, late))
        elif not asking.secret:
            self.table.emit(happened.Answered((seat,), late))
        if not settled:
            return None
        answers, self.asking, self.answers = self.answers, None, {}
        self.open_seats = ()
        return answers
