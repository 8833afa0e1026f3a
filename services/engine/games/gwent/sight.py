"""Who sees what where. What is not in this table nobody sees."""

from services.engine.games.gwent.pieces import ROWS
from services.engine.kernel import Sight, Who, everyone, nobody, owner, team
from services.engine.kernel.sight import SightTable

# A card that lies open on the table, and remembers who brought it.
lying = Sight(Who.ALL, on_table=True)


def sight_table() -> SightTable:
    """Piles nobody, hands their holder and partner, all else all (GW-1.9, GW-14.3)."""
    side = dict.fromkeys([*ROWS, *(f"{row}_slot" for row in ROWS)], lying)
    side |= {"box": nobody, "pile": nobody, "side_deck": everyone}
    side |= {"leader": everyone, "discard": everyone}
    automaton = {f"automaton_{name}": seen for name, seen in side.items()}
    automaton |= {
        "automaton_leaders": nobody,
        "automaton_turned": lying,
        "automaton_under": nobody,
    }
    shared = {"weather": lying, "removed": everyone, "put_away": nobody}
    return side | automaton | shared | {"hand": team, "aside": owner, "search": owner}


SIGHT = sight_table()
