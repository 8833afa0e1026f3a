"""Which soldiers to lay together, and when to spend a tactic."""

from anpai import Option
from clients.bots.skirmish.reading import ROWS, Board, Piece
from clients.bots.skirmish.reckoning import Field, expected_side, lead

LATER = 0.9  # of a soldier's attack is what it is worth kept for another round
SPY = 5.5  # a soldier of theirs for me, one less for them, two points for them
WORTH_A_TACTIC = 1.5  # it would count 1 at the end


def place(board: Board, options: tuple[Option, ...], may_stop: bool) -> str | None:
    """The next card to lay, as an option's id; None when done."""
    if _laid_a_nuke(board) and may_stop:
        return None
    soldiers, tactics = _sorted(board, options)
    nuke = _nuke(board, soldiers, tactics)
    if nuke is not None:
        return nuke
    if soldiers:
        if _laid_a_nuke(board):
            return min(soldiers, key=lambda move: move[1].attack)[0].id
        return _best_move(board, soldiers)
    return _best_tactic(board, tactics)


Move = tuple[Option, Piece]


def _sorted(
    board: Board, options: tuple[Option, ...]
) -> tuple[list[Move], list[tuple[Option, str]]]:
    soldiers, tactics = [], []
    for option in options:
        assert option.card is not None
        if option.place == "tactic":
            tactics.append((option, board.tactic(option.card)))
        else:
            piece = board.soldier(option.card, option.place or "")
            soldiers.append((option, piece))
    return soldiers, tactics


# -- soldiers ------------------------------------------------------------------------


def _best_move(board: Board, moves: list[Move]) -> str:
    """The soldier that does best, alone or with the best one to follow it."""
    field = Field(board, board.me)
    before = field.points(board.own)
    own = [move for move in moves if move[0].seat == board.me]
    best, most = moves[0][0].id, float("-inf")
    for option, piece in _one_row_each(board, own):
        side = [*board.own, piece]
        gain = field.points(side) - before - LATER * piece.attack
        gain += _best_second(field, side, own, gain, before + LATER * piece.attack)
        if gain > most:
            best, most = option.id, gain
    for option, _ in moves:
        if option.seat != board.me and most < SPY:
            return option.id
    return best


def _best_second(
    field: Field, side: list[Piece], moves: list[Move], gain: float, before: float
) -> float:
    """How much better it gets with the best soldier to follow."""
    most = 0.0
    for _, piece in moves:
        if piece.handle == side[-1].handle or piece.kind != piece.row:
            continue
        after = field.points([*side, piece]) - before - LATER * piece.attack
        most = max(most, after - gain)
    return most


def _one_row_each(board: Board, moves: list[Move]) -> list[Move]:
    """Of a card's rows the best one in what lies there now."""
    field = Field(board, board.me)
    best: dict[str, tuple[float, Move]] = {}
    for move in moves:
        points = field.points([*board.own, move[1]])
        known = best.get(move[1].handle)
        if known is None or points > known[0]:
            best[move[1].handle] = points, move
    return [move for _, move in best.values()]


# -- tactics -------------------------------------------------------------------------


def _nuke(
    board: Board, soldiers: list[Move], tactics: list[tuple[Option, str]]
) -> str | None:
    """With nothing of mine at stake and much of theirs, everything may go."""
    bomb = next((option for option, name in tactics if name == "nuke"), None)
    stake = Field(board, board.me).points(board.own)
    if soldiers and not board.own:
        stake += min(piece.attack for _, piece in soldiers)
    theirs = max(_lying(board, seat) for seat in board.enemies)
    return bomb.id if bomb is not None and theirs - stake > 6 else None


def _lying(board: Board, seat: int) -> float:
    return Field(board, seat).points(board.sides[seat])


def _laid_a_nuke(board: Board) -> bool:
    for place in board.view.places:
        if place.place.name == "tactic" and place.place.seat == board.me:
            return any(card.face.endswith("/nuke") for card in place.cards)
    return False


def _best_tactic(board: Board, tactics: list[tuple[Option, str]]) -> str | None:
    best, most = None, WORTH_A_TACTIC
    for option, name in tactics:
        gain = tactic_gain(board, name)
        if gain > most:
            best, most = option.id, gain
    return best


def tactic_gain(board: Board, name: str) -> float:
    """About how many points a tactic is worth now, theirs lost counting as ours."""
    own = board.own
    now = lead(board, own, "", "")
    if name in ("snow", "rain", "fog", "sandstorm", "clear"):
        return lead(board, own, name, "") - now
    if name in ("wildfire", "thunderstorm", "tsunami", "earthquake"):
        return lead(board, own, "", name) - now
    theirs = [expected_side(board, seat) for seat in board.enemies]
    strongest = max((p.attack for side in theirs for p in side), default=0.0)
    weakest = min((p.attack for p in own), default=9.0)
    match name:
        case "gamble":
            return 0.75 * max(_weight(side) for side in theirs)
        case "coercion":
            return 1.5 * strongest
        case "gene_mutation":
            return max([p.attack for p in own] + [strongest - 1])
        case "gene_copy":
            return strongest - weakest if own else 0.0
        case "resurrection":
            return _best_fallen(board)
        case "french_salute":
            return sum(p.attack for p in own) / 2
        case "dumb_down":
            return max(board.count("tactics", seat) for seat in board.enemies)
    return 0.0


def _weight(side: list[Piece]) -> float:
    return sum(piece.attack * piece.weight for piece in side)


def _best_fallen(board: Board) -> float:
    best = 0.0
    for place in board.view.places:
        if place.place.name == "discard":
            for card in place.cards:
                printed = board.faces[card.face].attributes
                best = max(best, float(printed.get("attack", 0)))
    return best


__all__ = ["ROWS", "place", "tactic_gain"]
