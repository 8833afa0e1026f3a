"""Who sees what where (GW-1.9). What is not in this table nobody sees.

Rows, slots and weather are `on_table`: what lies there remembers who brought it.
"""

from services.engine.kernel import Sight, Who, everyone, nobody, owner

team = Sight(Who.TEAM, apart=False)
lying = Sight(Who.ALL, on_table=True)

SIGHT = {
    "box": nobody,
    "pile": nobody,
    "hand": team,
    "aside": owner,
    "search": owner,
    "leader": everyone,
    "side_deck": everyone,
    "melee": lying,
    "ranged": lying,
    "siege": lying,
    "melee_slot": lying,
    "ranged_slot": lying,
    "siege_slot": lying,
    "weather": lying,
    "discard": everyone,
    "removed": everyone,
    "automaton_box": nobody,
    "automaton_pile": nobody,
    "automaton_turned": lying,
    "automaton_under": nobody,
    "automaton_leaders": nobody,
    "automaton_leader": everyone,
    "automaton_side_deck": everyone,
    "automaton_melee": lying,
    "automaton_ranged": lying,
    "automaton_siege": lying,
    "automaton_melee_slot": lying,
    "automaton_ranged_slot": lying,
    "automaton_siege_slot": lying,
    "automaton_discard": everyone,
}
