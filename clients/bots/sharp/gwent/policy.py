"""How everybody plays on in a rollout: with the plain sense of `steady`, each seat
from what it sees, read off the table of the rollout itself."""

import random
from functools import partial

from clients.bots.gwent.choosing import ANSWERS
from clients.bots.gwent.reading import Piece, Told, board_of, printed_on
from clients.bots.sharp.asking import answered
from clients.bots.strategy import Faces
from services.local.position import Position
from services.local.rollout import Card, Option, Question, Table, at_random

BESIDE = ("box", "side_deck", "automaton_box", "automaton_side_deck")


class GwentPolicy:
    """Answers for all seats of one table."""

    def __init__(self, table: Table, faces: Faces) -> None:
        self._table = table
        self._faces = faces
        self._pieces: dict[str, Piece] = {}

    def __call__(self, question: Question, dice: random.Random) -> tuple[Option, ...]:
        """As the asked seat would, by plain sense; else at random."""
        answer = ANSWERS.get(question.name)
        if answer is None or not question.options:
            return at_random(question, dice)
        board = board_of(self._told(question.seat), question.seat, self._faces)
        return answered(question, partial(answer, board))

    def _told(self, seat: int) -> Told:
        return told_at(self._table, seat, self._faces, self._pieces)


def told_at(
    table: Table, seat: int, faces: Faces, known: dict[str, Piece] | None = None
) -> Told:
    """What a seat sees of a table. What is `known` need not be read again."""
    pieces = {} if known is None else known
    lying: dict[str, list[Piece]] = {}
    counts: dict[str, int] = {}
    for place in table.places():
        if place.name in BESIDE:
            continue
        counts[place.id] = table.count(place)
        if counts[place.id]:
            cards = [card for card in table.cards(place) if card.seers >> seat & 1]
            lying[place.id] = [_piece(pieces, faces, card) for card in cards]
    marks = [(name, on, value) for (name, on), value in table.markers.items()]
    seats = len(table.seats)
    return Told(table.variant, seats, lying, counts, table.counters, marks)


def _piece(known: dict[str, Piece], faces: Faces, card: Card) -> Piece:
    piece = known.get(card.handle)
    if piece is None:
        printed = printed_on(faces, str(card.face))
        piece = known[card.handle] = Piece(card.handle, printed)
    return piece


def told_of(position: Position, faces: Faces) -> Told:
    """What the position tells its viewer."""
    lying: dict[str, list[Piece]] = {}
    for card in position.cards:
        if card.face:
            piece = Piece(card.handle, printed_on(faces, card.face))
            lying.setdefault(card.place.id, []).append(piece)
    counts = {
        place.id: hidden + len(lying.get(place.id, ()))
        for place, hidden in position.hidden.items()
    }
    marks = [(name, on, value) for (name, on), value in position.markers.items()]
    seats = position.seats
    return Told(position.variant, seats, lying, counts, position.counters, marks)
