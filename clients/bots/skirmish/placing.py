"""Which soldiers to lay together, and when to spend a tactic."""

from anpai import Option
from clients.bots.skirmish.reading import Board, Piece, short
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
    own = _one_row_each(field, board.own, [m for m in moves if m[0].seat == board.me])

    def gain(*laid: Piece) -> float:
        kept = LATER * sum(piece.attack for piece in laid)
        return field.points([*board.own, *laid]) - kept

    def with_the_best_to_follow(move: Move) -> float:
        first = move[1]
        pairs = (gain(first, next_) for _, next_ in own if next_.handle != first.handle)
        return max([gain(first), *pairs])

    spy = next((option for option, _ in moves if option.seat != board.me), None)
    best = max(own, key=with_the_best_to_follow, default=None)
    if best is None or (spy and with_the_best_to_follow(best) - gain() < SPY):
        return spy.id if spy else moves[0][0].id
    return best[0].id


def _one_row_each(field: Field, lying: list[Piece], moves: list[Move]) -> list[Move]:
    """Of a card's rows the best one beside what lies there now."""
    best: dict[str, tuple[float, Move]] = {}
    for move in moves:
        points = field.points([*lying, move[1]])
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
    laid = board.lying("tactic", board.me)
    return any(short(card.face) == "nuke" for card in laid)


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
    discard = board.lying("discard")
    fallen = (board.faces[card.face].attributes for card in discard)
    return max((float(printed.get("attack", 0)) for printed in fallen), default=0.0)
