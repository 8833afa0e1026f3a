"""One answer for each question of gwent."""

import random
from collections.abc import Callable

from anpai import Option, Question, View
from clients.bots.at_random import at_random
from clients.bots.gwent.passing import Standing, is_enough, reaches, standing
from clients.bots.gwent.reading import Board, Piece, read
from clients.bots.gwent.weighing import (
    LEADER,
    Field,
    after_fighter,
    field_of,
    gain,
    taken_back,
    worth,
)
from clients.bots.strategy import Asks, Choice, Faces


def play_gwent(
    view: View, question: Question, faces: Faces, chance: random.Random
) -> Choice:
    """The answer by plain sense; at random where it has none."""
    answer = ANSWERS.get(question.name)
    if answer is None or not question.options:
        return at_random(view, question, faces, chance)
    return answer(read(view, faces), question)


def most(question: Asks, value: Callable[[Option], float]) -> Choice:
    """The best option."""
    return (max(question.options, key=value).id,)


# -- a turn --------------------------------------------------------------------------


def turn(board: Board, question: Asks) -> Choice:
    """A card, the leader, or a pass. Spies come first, while there is a pile."""
    now = field_of(board)
    at = standing(board, now)
    if at.others_done and at.is_ahead:
        return ()
    before = now.value
    spies = [one for one in question.options if _is_spy(board, one)]
    if spies and board.pile:
        return (max(spies, key=lambda one: gain(board, one, now, before)).id,)
    if is_enough(board, at):
        return ()
    gains = {one.id: gain(board, one, now, before) for one in question.options}
    if at.others_done:
        return catch_up(board, question, at, gains)
    return (best_play(board, question, at, gains).id,)


def _is_spy(board: Board, option: Option) -> bool:
    return "spy" in board.piece(option.card or "").abilities


def catch_up(
    board: Board, question: Asks, at: Standing, gains: dict[str, float]
) -> Choice:
    """They have passed: ahead with as few cards as may be, or not at all."""
    by_card: dict[str, float] = {}
    for one in question.options:
        card = one.card or ""
        by_card[card] = max(by_card.get(card, 0.0), gains[one.id])
    needed = reaches(at, list(by_card.values()))
    allowed = at.mine if at.last_chance else max(1, at.mine - LEAST_KEPT)
    if not needed or needed > allowed:
        return (best_play(board, question, at, gains).id,) if at.last_chance else ()
    enough = [o for o in question.options if puts_ahead(at, gains[o.id])]
    if enough:
        return (min(enough, key=lambda one: price(board, one)).id,)
    return most(question, lambda one: gains[one.id])


LEAST_KEPT = 3


def puts_ahead(at: Standing, value: float) -> bool:
    lead = at.lead + value
    return lead > 0 or (lead == 0 and at.wins_ties)


def price(board: Board, option: Option) -> float:
    """What is given up with a card."""
    if option.place == "leader":
        return LEADER
    return worth(board, board.piece(option.card or ""))


EAGER = 1.15
PATIENT = 1.0
AT_THE_END = 0.05


def best_play(
    board: Board, question: Asks, at: Standing, gains: dict[str, float]
) -> Option:
    """The best use of a card: what it gains now beside what it is usually worth."""
    patience = AT_THE_END if at.decisive and at.mine <= 2 else PATIENT

    def use(option: Option) -> float:
        return EAGER * gains[option.id] - patience * price(board, option)

    return max(question.options, key=use)


# -- within a turn -------------------------------------------------------------------


def medic(board: Board, question: Asks) -> Choice:
    """Whoever brings most."""
    now = field_of(board)

    def brought(option: Option) -> float:
        piece = board.piece(option.card or "")
        rows = (option.place,) if option.place else piece.printed.rows
        return max(
            after_fighter(board, now, piece, row or "", option.seat).value
            for row in rows
        )

    return most(question, brought)


def decoy(board: Board, question: Asks) -> Choice:
    """Spies and medics, else what is lost least on the table."""
    now = field_of(board)

    def left(option: Option) -> float:
        field: Field = taken_back(board, now, board.piece(option.card or ""))
        return field.value

    return most(question, left)


def take(board: Board, question: Asks) -> Choice:
    """The card that is worth most."""
    return most(question, lambda one: worth(board, board.piece(one.card or "")))


def discard_two(board: Board, question: Asks) -> Choice:
    """The cards that are worth least."""
    options = sorted(question.options, key=lambda one: keeping(board, one))
    return tuple(one.id for one in options[: question.min])


def opponent(board: Board, question: Asks) -> Choice:
    """Whoever is behind most: nothing that comes there helps them."""

    def behind(option: Option) -> float:
        return -board.told.counters.get(("total", option.seat), 0)

    return most(question, behind)


# -- before play ---------------------------------------------------------------------


def exchange(board: Board, question: Asks) -> Choice:
    """A card of which another calls it, or one that is worth little."""
    worst = min(question.options, key=lambda one: keeping(board, one))
    return (worst.id,) if keeping(board, worst) < WORTH_KEEPING else ()


WORTH_KEEPING = 4.5


def keeping(board: Board, option: Option) -> float:
    """What a card in hand is worth, beside the others there."""
    piece = board.piece(option.card or "")
    if _is_called(board, piece):
        return 0.0
    if piece.printed.kind == "weather" or not piece.fights:
        alike = sum(one.face == piece.face for one in board.hand)
        return worth(board, piece) - 3.0 * (alike - 1) - 2.0
    return worth(board, piece)


def _is_called(board: Board, piece: Piece) -> bool:
    """Whether another card in hand calls this one anyway."""
    if "muster" not in piece.abilities or piece.printed.usual < 2:
        return False
    callers = [one for one in board.hand if "muster" in one.abilities]
    return any(
        piece.face in one.printed.calls for one in callers if one.handle != piece.handle
    )


def who_begins(board: Board, question: Asks) -> Choice:
    """The others: who comes second sees more."""
    others = [one for one in question.options if one.seat not in board.own.seats]
    return ((others or list(question.options))[0].id,)


ANSWERS: dict[str, Callable[[Board, Asks], Choice]] = {
    "turn": turn,
    "medic": medic,
    "decoy": decoy,
    "take": take,
    "discard_two": discard_two,
    "opponent": opponent,
    "exchange": exchange,
    "who_begins": who_begins,
}
