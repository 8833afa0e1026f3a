"""How everybody plays on in a rollout of skirmish: with the plain sense of `steady`,
each seat from what it sees, read off the table of the rollout itself."""

import random
from functools import partial

from clients.bots.sharp.asking import answered
from clients.bots.skirmish.choosing import ANSWERS
from clients.bots.skirmish.reading import Board, Seen, Told, board_of
from clients.bots.strategy import Faces
from services.local.position import Position
from services.local.rollout import Option, Question, Table, at_random

HANDS = ("soldiers", "tactics")


class SkirmishPolicy:
    """Answers for all seats of one table."""

    def __init__(self, table: Table, faces: Faces) -> None:
        self._table = table
        self._faces = faces

    def __call__(self, question: Question, dice: random.Random) -> tuple[Option, ...]:
        """As the asked seat would, by plain sense; else at random."""
        answer = ANSWERS.get(question.name)
        if answer is None or not question.options:
            return at_random(question, dice)
        return answered(question, partial(answer, self.board(question.seat)))

    def board(self, seat: int) -> Board:
        """As a seat sees the table."""
        return board_of(told_at(self._table, seat), seat, self._faces)


def told_at(table: Table, seat: int) -> Told:
    """What a seat may see: its own hand, and who brought a card knows it."""
    told = Told(len(table.seats), {}, {}, {})
    for place in table.places():
        where = place.name, place.seat
        told.counts[where] = table.count(place)
        if place.name in HANDS and place.seat != seat:
            continue
        told.lying[where] = [
            Seen(
                card.handle,
                f"skirmish/{card.face}" if table.seers(card) >> seat & 1 else "",
                card.face_up,
            )
            for card in table.cards(place)
        ]
    for (name, on), value in table.markers.items():
        told.marks.setdefault(on, {})[name] = value
    return told


def told_of(position: Position) -> Told:
    """What the position tells its viewer."""
    told = Told(position.seats, {}, {}, {})
    for card in position.cards:
        face = f"skirmish/{card.face}" if card.face else ""
        seen = Seen(card.handle, face, card.face_up)
        told.lying.setdefault((card.place.name, card.place.seat), []).append(seen)
    for place, hidden in position.hidden.items():
        where = place.name, place.seat
        told.counts[where] = hidden + len(told.lying.get(where, ()))
    for (name, on), value in position.markers.items():
        told.marks.setdefault(on, {})[name] = value
    return told
