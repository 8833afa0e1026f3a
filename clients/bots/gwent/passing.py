"""When to stop: cards are for three rounds, and a lead is only worth so many."""

from dataclasses import dataclass

from clients.bots.gwent.reading import Board
from clients.bots.gwent.weighing import Field

# What a card of theirs may be expected to bring, and at most.
USUAL_CARD = 6.0
STRONG_CARD = 11.0


@dataclass(frozen=True, slots=True)
class Standing:
    """How the round stands for us."""

    lead: float
    mine: int
    theirs: int
    others_done: bool
    last_chance: bool
    decisive: bool
    wins_ties: bool

    @property
    def is_ahead(self) -> bool:
        return self.lead > 0 or (self.lead == 0 and self.wins_ties)


def standing(board: Board, now: Field) -> Standing:
    """`last_chance`: who loses this round loses all. `decisive`: nothing follows it."""
    live = [side for side in board.enemies if not board.has_passed(side)]
    # The automaton plays on until we pass, and once more.
    own, gems = board.own.gems, [side.gems for side in board.enemies]
    is_free = board.variant == "free-for-all"
    return Standing(
        lead=now.lead,
        mine=board.hand_size(board.me),
        theirs=max((board.hand_of(side) for side in live), default=0),
        others_done=not live,
        last_chance=own <= 1 and not is_free,
        decisive=own <= 1 and min(gems) <= 1 and not is_free,
        wins_ties=_wins_ties(board),
    )


def _wins_ties(board: Board) -> bool:
    """Nilfgaard do, against others."""
    own = any(board.factions.get(seat) == "nilfgaard" for seat in board.own.seats)
    theirs = [board.factions.get(s) for side in board.enemies for s in side.seats]
    return own and "nilfgaard" not in theirs


def is_enough(board: Board, at: Standing) -> bool:
    """Whether to pass with what lies there, whatever is in hand."""
    if at.others_done:
        return at.is_ahead
    if board.is_solo:
        return at.lead > SOLO_LEAD
    if at.decisive:
        return at.lead > STRONG_CARD * at.theirs
    if at.last_chance:
        return at.lead > 20 + 3 * max(0, at.theirs - at.mine)
    if _can_rest(board, at):
        return True
    return _may_lose(board, at)


SOLO_LEAD = 6
ROUND_LEAD = 20
LOST = -24


def _can_rest(board: Board, at: Standing) -> bool:
    """A lead that costs them more cards than it cost us."""
    wanted = ROUND_LEAD if at.mine > 5 else ROUND_LEAD - 6
    return at.lead >= wanted and at.mine <= at.theirs + 1


def _may_lose(board: Board, at: Standing) -> bool:
    """A round that may be lost is left where it takes too much, or we are short."""
    if at.mine <= 3 and at.lead < 0 and at.theirs > at.mine:
        return True
    return at.lead < LOST and at.mine < 8


def reaches(at: Standing, gains: list[float]) -> int:
    """How many of the best plays put us ahead; 0 where all of them do not."""
    missing = -at.lead
    for number, value in enumerate(sorted(gains, reverse=True), 1):
        missing -= max(0.0, value)
        if missing < 0 or (missing == 0 and at.wins_ties):
            return number
    return 0
