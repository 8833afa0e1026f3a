"""One answer for each question of skirmish."""

import random
from collections.abc import Callable, Sequence

from anpai import Option, Question, View
from clients.bots.at_random import at_random
from clients.bots.skirmish.placing import place
from clients.bots.skirmish.reading import Board, Piece, read
from clients.bots.skirmish.reckoning import Field
from clients.bots.strategy import Asks, Choice, Faces


def play_skirmish(
    view: View, question: Question, faces: Faces, chance: random.Random
) -> Choice:
    """The answer by plain sense; at random where it has none."""
    answer = ANSWERS.get(question.name)
    if answer is None or not question.options:
        return at_random(view, question, faces, chance)
    return answer(read(view, faces), question)


# -- weighing ------------------------------------------------------------------------


def worth(board: Board, option: Option) -> float:
    """What the soldier of an option is worth where it lies or would come to lie."""
    assert option.card is not None
    piece = board.piece(option.card) or board.soldier(option.card, option.place or "")
    side = board.side_of(piece.handle)
    if side is None:
        field, lying = Field(board, board.me), board.own
        return field.points([*lying, piece]) - field.points(lying)
    field, lying = Field(board, side), board.sides[side]
    return field.points(lying) - field.points(without(lying, piece))


def without(side: Sequence[Piece], gone: Piece) -> list[Piece]:
    return [piece for piece in side if piece.handle != gone.handle]


def harm(board: Board, option: Option) -> float:
    """What its death is worth to us: theirs is good, ours is bad."""
    assert option.card is not None
    value = worth(board, option)
    return -value if board.side_of(option.card) == board.me else value


def most(
    question: Asks, value: Callable[[Option], float], *, over: float | None = None
) -> Choice:
    """The best option; none where it may be declined and none is worth more."""
    best = max(question.options, key=value)
    if over is not None and question.may_decline and value(best) <= over:
        return ()
    return (best.id,)


# -- the questions -------------------------------------------------------------------


def placing(board: Board, question: Asks) -> Choice:
    """Three soldiers a round, and a tactic where it pays."""
    chosen = place(board, question.options, question.may_decline)
    if chosen is None:
        return () if question.may_decline else (question.options[0].id,)
    return (chosen,)


def bomb(board: Board, question: Asks) -> Choice:
    """Where a row of theirs is worth more than the bomber."""
    values = [row_harm(board, row, seat) for row, seat in enemy_rows(board)]
    return (question.options[0].id,) if max(values, default=0) > 4 else ()


def enemy_rows(board: Board) -> list[tuple[str, int]]:
    return [
        (row, seat) for seat in board.enemies for row in ("scout", "assault", "sniper")
    ]


def blast(board: Board, question: Asks) -> Choice:
    return most(question, lambda row: row_harm(board, row.place, row.seat))


def row_harm(board: Board, row: str | None, seat: int | None) -> float:
    """What it is worth to us that a row is emptied."""
    assert seat is not None
    side = board.sides[seat]
    field, left = Field(board, seat), [p for p in side if p.row != row]
    value = field.points(side) - field.points(left)
    return -value if seat == board.me else value


def turn_up(board: Board, question: Asks) -> Choice:
    """Shots first, then what helps others, wards and weather last."""
    return (min(question.options, key=lambda one: turn(board, one)).id,)


TURNS = {
    "nuke": 0,
    "quick_draw": 1,
    "counter_sniper": 2,
    "spotter": 3,
    "ward": 8,
    "gene_copy": 9,
    "gene_mutation": 9,
    "coercion": 9,
}
WEATHER_TURN = 10
USUAL_TURN = 5


def turn(board: Board, option: Option) -> int:
    """When to turn a card up; a face we do not know comes in between."""
    assert option.card is not None
    tactic = board.tactic(option.card) if _is_known(board, option.card) else ""
    if tactic:
        return TURNS.get(tactic, WEATHER_TURN)
    piece = board.piece(option.card)
    return TURNS.get(piece.skill, USUAL_TURN) if piece is not None else USUAL_TURN


def _is_known(board: Board, handle: str) -> bool:
    card = board.card(handle)
    return card is not None and card.face in board.faces


def spot(board: Board, question: Asks) -> Choice:
    """A blind one first, then the strongest."""

    def need(option: Option) -> float:
        piece = board.piece(option.card or "")
        if piece is None:
            return 0.0
        return piece.attack + (10 if piece.skill == "needs_spotter" else 0)

    return most(question, need)


def best_of_mine(board: Board, question: Asks) -> Choice:
    """The soldier worth most, whether it lies or comes."""
    return most(question, lambda option: worth(board, option))


def cover(board: Board, question: Asks) -> Choice:
    """Whoever is worth more than Cover itself."""
    return most(question, lambda option: worth(board, option), over=3.0)


def kill(board: Board, question: Asks) -> Choice:
    return most(question, lambda option: harm(board, option))


def copy(board: Board, question: Asks) -> Choice:
    """The weakest of mine."""
    return most(question, lambda option: -worth(board, option))


def pattern(board: Board, question: Asks) -> Choice:
    """The strongest printed attack."""

    def attack(option: Option) -> float:
        piece = board.piece(option.card or "")
        return 0.0 if piece is None else piece.attack

    return most(question, attack)


def mutate(board: Board, question: Asks) -> Choice:
    """Mine to double, or theirs to make 1, whichever moves more."""
    return most(question, lambda option: mutation_gain(board, option))


def mutation_gain(board: Board, option: Option) -> float:
    value = worth(board, option)
    ours = board.side_of(option.card or "") == board.me
    return value if ours else value - 1


def mutation(board: Board, question: Asks) -> Choice:
    """As `mutate` meant it: nothing has changed since."""
    pieces = [Option(p.handle, card=p.handle) for side in board.sides for p in side]
    open_ones = [
        one for one in pieces if not _closed(board, one) and one.card is not None
    ]
    best = max(open_ones, key=lambda one: mutation_gain(board, one), default=None)
    ours = best is not None and board.side_of(best.card or "") == board.me
    return ("double",) if ours else ("one",)


def _closed(board: Board, option: Option) -> bool:
    piece = board.piece(option.card or "")
    return piece is None or piece.is_closed


def dumb_down(board: Board, question: Asks) -> Choice:
    """Strip, while others hold tactics."""
    held = max(board.count("tactics", seat) for seat in board.enemies)
    wanted = "strip" if held > 1 else "void"
    ids = [option.id for option in question.options]
    return (wanted,) if wanted in ids else (ids[0],)


def strip(board: Board, question: Asks) -> Choice:
    def held(option: Option) -> float:
        assert option.seat is not None
        return -1 if option.seat == board.me else board.count("tactics", option.seat)

    return most(question, held)


def all_of_them(board: Board, question: Asks) -> Choice:
    """As many as may be."""
    return tuple(option.id for option in question.options[: question.max])


ANSWERS: dict[str, Callable[[Board, Asks], Choice]] = {
    "place": placing,
    "bomb": bomb,
    "blast": blast,
    "turn_up": turn_up,
    "spot": spot,
    "cover": cover,
    "ward": best_of_mine,
    "call_up": best_of_mine,
    "chase": best_of_mine,
    "quick_draw": kill,
    "sniper_god": kill,
    "copy": copy,
    "pattern": pattern,
    "mutate": mutate,
    "mutation": mutation,
    "coerce": kill,
    "raise": best_of_mine,
    "dumb_down": dumb_down,
    "strip": strip,
    "scavenge": all_of_them,
    "salute": all_of_them,
}
