"""How seats stand where a game ends early, and where those rank who gave it up."""

from collections.abc import Sequence
from dataclasses import replace

from services.engine.kernel.outcome import Outcome, ranked
from services.engine.kernel.table import Table


def scores_of(table: Table) -> tuple[int, ...]:
    """What each seat has by now; what a team has lies at one of its seats."""
    of_team = dict[int, int]()
    for seat, team in enumerate(table.teams):
        has = table.counter(table.score, seat)
        of_team[team] = max(has, of_team.get(team, has))
    return tuple(of_team[team] for team in table.teams)


def standing(table: Table, conceded: Sequence[int]) -> Outcome:
    """The outcome of a game that ends because seats gave it up."""
    outcome = replace(ranked(scores_of(table)), reason="conceded")
    return placed(outcome, conceded)


def placed(outcome: Outcome, conceded: Sequence[int]) -> Outcome:
    """Seats that conceded rank behind all others, the first to go last.

    Nobody who conceded has won, even one who played alone.
    """
    if not conceded:
        return outcome
    ranks = list(outcome.ranks)
    staying = [seat for seat in range(len(ranks)) if seat not in conceded]
    for seat in staying:
        better = sum(outcome.ranks[other] < outcome.ranks[seat] for other in staying)
        ranks[seat] = 1 + better
    for order, seat in enumerate(reversed(conceded)):
        ranks[seat] = max(len(staying), 1) + 1 + order
    return replace(outcome, ranks=tuple(ranks))
