"""What a play is worth now, and what its card is usually worth."""

from collections.abc import Iterable
from typing import NamedTuple

from anpai import Option
from clients.bots.gwent.reading import ROWS, Board, Piece, Side, bad_rows
from clients.bots.gwent.reckoning import (
    Sky,
    burnt,
    burnt_in,
    points,
    row_total,
    sky_of,
    with_one_more,
)

DRAWN = 6.0  # what a card more in hand is worth
FRESH = 5.0  # and one of the pile put to use


class Field(NamedTuple):
    """The sides as they are or would be; `extra` is what no side shows yet."""

    own: Side
    enemies: tuple[Side, ...]
    sky: Sky
    extra: float = 0.0

    @property
    def lead(self) -> float:
        """Own points less the strongest enemy's."""
        return points(self.own, self.sky) - max(self.theirs, default=0)

    @property
    def theirs(self) -> list[int]:
        """The points of each enemy."""
        return [points(side, self.sky) for side in self.enemies]

    @property
    def value(self) -> float:
        return self.lead + self.extra


def field_of(board: Board) -> Field:
    """As it is now."""
    return Field(board.own, tuple(board.enemies), sky_of(board))


# What lasts while its card lies there, and touches no card of another row.
LASTING = frozenset({"agile", "tight_bond", "morale_boost", "commanders_horn"})


def gain(board: Board, option: Option, now: Field, before: float) -> float:
    """By how much the lead grows, from what it was `before`, cards drawn counting."""
    assert option.card is not None
    piece, row = board.piece(option.card), option.place or ""
    if piece.fights and piece.abilities <= LASTING:
        more = with_one_more(now.own, row, now.sky, piece)
        return more - row_total(now.own, row, now.sky)
    return after(board, option, now).value - before


def after(board: Board, option: Option, now: Field) -> Field:
    """The field once a move of a turn, or of a medic, is made."""
    assert option.card is not None
    piece = board.piece(option.card)
    where = (option.place or "").removeprefix("automaton_")
    if where == "leader":
        return after_leader(board, now, piece.face)
    if piece.fights:
        return after_fighter(board, now, piece, where, option.seat)
    return after_special(board, now, piece, where.removesuffix("_slot"))


# -- units ---------------------------------------------------------------------------


def after_fighter(
    board: Board, now: Field, piece: Piece, row: str, seat: int | None, depth: int = 2
) -> Field:
    """It comes to its row and does what it does."""
    if "spy" in piece.abilities:
        return _spied(board, now, piece, row, seat)
    piece = _as_bear(board, now.own, piece, row)
    then = now._replace(own=now.own.and_in(row, piece))
    for calls in piece.printed.calls if "muster" in piece.abilities else ():
        then = then._replace(own=_called(board, then.own, piece, calls))
    if "mardroeme" in piece.abilities:
        then = _with_mushrooms(board, then, row)
    then = _burning(then, piece.abilities)
    if "medic" in piece.abilities and depth:
        then = _revived(board, then, depth - 1)
    if "avenger" in piece.abilities:
        then = then._replace(extra=then.extra + AVENGED)
    return then


AVENGED = 6.0  # an avenger stands in the next round


def _spied(board: Board, now: Field, piece: Piece, row: str, seat: int | None) -> Field:
    """Theirs from now on; for two cards."""
    enemies = tuple(
        side.and_in(row, piece) if seat in side.seats or len(now.enemies) == 1 else side
        for side in now.enemies
    )
    drawn = min(2, board.pile)
    return now._replace(enemies=enemies, extra=now.extra + DRAWN * drawn)


def _as_bear(board: Board, own: Side, piece: Piece, row: str) -> Piece:
    """What a berserker becomes where Mardroeme is at work."""
    beside = own.rows[row]
    works = row in own.mushrooms or any("mardroeme" in p.abilities for p in beside)
    if "berserker" in piece.abilities and works:
        return board.of_face(piece.printed.calls[0], piece.handle)
    return piece


def _with_mushrooms(board: Board, now: Field, row: str) -> Field:
    """Every berserker of the row is a bear."""
    own = now.own._replace(mushrooms=now.own.mushrooms | {row})
    bears = [_as_bear(board, own, piece, row) for piece in own.rows[row]]
    return now._replace(own=own.with_row(row, bears))


def _called(board: Board, own: Side, caller: Piece, face: str) -> Side:
    """All of one face that are in the hand, and those the pile may have."""
    one = board.of_face(face)
    held = [p for p in board.hand if p.face == face and p.handle != caller.handle]
    in_pile = max(0, one.printed.usual - board.seen.get(face, 0))
    found = [one._replace(handle=f"?{face}{number}") for number in range(in_pile)]
    return own.and_in(one.printed.rows[0], *held, *found)


def _burning(now: Field, abilities: Iterable[str]) -> Field:
    """What a unit burns when it comes."""
    for ability in abilities:
        if ability == "scorch":
            now = _without(now, burnt((now.own, *now.enemies), now.sky))
        elif ability.startswith("scorch_"):
            row = ability.removeprefix("scorch_")
            gone = [p for side in now.enemies for p in burnt_in(side, row, now.sky)]
            now = _without(now, gone)
    return now


def _without(now: Field, gone: list[Piece]) -> Field:
    enemies = tuple(side.without(gone) for side in now.enemies)
    return now._replace(own=now.own.without(gone), enemies=enemies)


def _revived(board: Board, now: Field, depth: int) -> Field:
    """The best of the fallen comes back."""
    best = now
    for piece in {one.face: one for one in now.own.fallen if one.is_unit}.values():
        left = tuple(one for one in now.own.fallen if one is not piece)
        without = now._replace(own=now.own._replace(fallen=left))
        for row in piece.printed.rows:
            then = after_fighter(board, without, piece, row, None, depth)
            if best is now or then.value > best.value:
                best = then
    return best


# -- special cards -------------------------------------------------------------------


def after_special(board: Board, now: Field, piece: Piece, row: str) -> Field:
    """A special card does what it says; `row` is where it was laid."""
    match piece.face:
        case "commanders_horn":
            return with_horn(now, row)
        case "mardroeme":
            return _with_mushrooms(board, now, row)
        case "scorch":
            return _without(now, burnt((now.own, *now.enemies), now.sky))
        case "clear_weather":
            return under(now, frozenset())
        case "decoy":
            return _decoyed(board, now, row)
    return under(now, now.sky.bad | set(bad_rows(piece.face)))


def with_horn(now: Field, row: str) -> Field:
    own = now.own._replace(horns=now.own.horns | {row})
    return now._replace(own=own)


def under(now: Field, bad: frozenset[str]) -> Field:
    """The same under another sky."""
    return now._replace(sky=now.sky._replace(bad=bad))


def _decoyed(board: Board, now: Field, row: str) -> Field:
    """The unit that is most use in the hand goes there."""
    units = [one for one in now.own.rows[row] if one.is_unit]
    return max(
        (taken_back(board, now, one) for one in units),
        key=lambda field: field.value,
        default=now,
    )


def taken_back(board: Board, now: Field, piece: Piece) -> Field:
    """A unit in the hand again: what it would be worth from there counts."""
    own = now.own.without([piece])
    again = in_hand_again(board, piece)
    return now._replace(own=own, extra=now.extra + again)


def in_hand_again(board: Board, piece: Piece) -> float:
    """What a unit taken back is worth: most if it does something once more."""
    if "spy" in piece.abilities:
        return 2 * DRAWN if board.pile else 0.0
    if "medic" in piece.abilities:
        return piece.strength + max(
            (one.strength for one in board.own.fallen if one.is_unit), default=0
        )
    return 0.9 * piece.strength


# -- leaders -------------------------------------------------------------------------

HORNS = {
    "foltest_siegemaster": "siege",
    "eredin_commander": "melee",
    "francesca_beautiful": "ranged",
}
BURNS = {
    "foltest_steel_forged": "siege",
    "foltest_son_of_medell": "ranged",
    "francesca_queen": "melee",
}
SKIES = {
    "foltest_king": "impenetrable_fog",
    "emhyr_imperial": "torrential_rain",
    "francesca_pureblood": "biting_frost",
}


def after_leader(board: Board, now: Field, face: str) -> Field:
    """A leader is used."""
    if face in HORNS:
        return with_horn(now, HORNS[face])
    if face in BURNS:
        gone = [p for side in now.enemies for p in burnt_in(side, BURNS[face], now.sky)]
        return _without(now, gone)
    if face in SKIES:
        return under(now, now.sky.bad | set(bad_rows(SKIES[face])))
    if face == "foltest_lord":
        return under(now, frozenset())
    if face == "eredin_king":
        skies = [under(now, now.sky.bad | {row}) for row in ROWS]
        return max(skies, key=lambda field: field.value)
    return now._replace(extra=now.extra + _leader_extra(board, face))


def _leader_extra(board: Board, face: str) -> float:
    """What leaders bring that no row shows."""
    match face:
        case "emhyr_relentless":
            fallen = [one for side in board.enemies for one in side.fallen]
            return _best_to_take(board, fallen)
        case "eredin_bringer":
            return _best_to_take(board, board.own.fallen)
        case "eredin_destroyer":
            return 4.0
        case "francesca_hope":
            return 4.0
        case "crach":
            return 1.0
    return 0.5


def _best_to_take(board: Board, fallen: Iterable[Piece]) -> float:
    return max((worth(board, one) for one in fallen if one.is_unit), default=0.0)


# -- what a card is usually worth ----------------------------------------------------

WORTH = {
    "commanders_horn": 11.0,
    "scorch": 9.0,
    "decoy": 7.0,
    "mardroeme": 10.0,
    "biting_frost": 8.0,
    "impenetrable_fog": 8.0,
    "torrential_rain": 8.0,
    "skellige_storm": 10.0,
    "clear_weather": 4.0,
}
LEADER = 7.0


def worth(board: Board, piece: Piece) -> float:
    """What a card brings on the whole; gains above it are good uses of it."""
    if not piece.fights:
        return WORTH.get(piece.face, 5.0)
    value = float(piece.strength)
    for ability in piece.abilities:
        match ability:
            case "spy":
                value = 2 * DRAWN - piece.strength
            case "medic":
                value += _medic_worth(board)
            case "muster":
                value += _muster_worth(board, piece)
            case "tight_bond":
                value *= 1 + 0.5 * _others_like(board, piece)
            case "morale_boost":
                value += 2.5
            case "commanders_horn":
                value += 8.0
            case "avenger":
                value += AVENGED
            case "scorch" | "scorch_melee" | "scorch_ranged" | "scorch_siege":
                value += 5.0
            case "mardroeme":
                value += 2.0
    return value


def _medic_worth(board: Board) -> float:
    fallen = [one.strength for one in board.own.fallen if one.is_unit]
    return max([5.0, *map(float, fallen)])


def _muster_worth(board: Board, piece: Piece) -> float:
    """The others of its kind that it calls."""
    number = 0.0
    for face in piece.printed.calls:
        one = board.of_face(face).printed
        seen = board.seen.get(face, 0) - sum(p.face == face for p in board.hand)
        left = one.usual - seen - (face == piece.face)
        number += max(0, left) * one.strength
    return number


def _others_like(board: Board, piece: Piece) -> int:
    """How many of its name are in hand or on the own side."""
    there = [*board.hand, *board.own.pieces]
    return sum(one.face == piece.face and one.handle != piece.handle for one in there)
