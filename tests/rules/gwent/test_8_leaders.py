"""RULES 8: leaders in general, and those that play weather, sound horns, or scorch."""

import pytest

from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.pieces import Kind
from tests.rules.gwent.layout import gwent, stands

PASSIVE = ["White Flame", "Invader", "Treacherous", "Daisy", "King Bran"]
HORNS = [
    ("Siegemaster", "siege", "Catapult 16"),
    ("Red Riders", "melee", "Fiend 12"),
    ("The Beautiful", "ranged", "Milva 20"),
]
SCORCHERS = [
    ("Steel-Forged", "siege", "Ballista", "Morvran"),
    ("Son of Medell", "ranged", "Dethmold", "Tibor"),
    ("Queen of Dol", "melee", "Vesemir", "Letho"),
]
FINDERS = [
    ("King of Temeria", "Impenetrable Fog", "ranged: Milva 1", "melee: Ves 5"),
    ("His Imperial Majesty", "Torrential Rain", "siege: Ballista 1", "melee: Ves 5"),
    ("Pureblood", "Biting Frost", "melee: Ves 1", "ranged: Milva 10"),
]


def test_there_are_twenty_two_leaders_and_five_of_them_are_passive():
    leaders = [card for card in CARDS.values() if card.kind is Kind.LEADER]
    passive = [card.name.en for card in leaders if card.effect is None]
    assert len(leaders) == 22
    assert len(passive) == 5
    assert all(any(name in one for one in passive) for name in PASSIVE)


# -- once, instead of a card ---------------------------------------------------------


@pytest.mark.rule("GW-8.1", "GW-3.1")
def test_using_a_leader_takes_the_whole_turn_and_turns_it_over():
    table = gwent("""
        anna  Siegemaster   hand: Ves   siege: Catapult
        ben   hand: Zoltan
    """)
    table.anna.uses_leader()
    assert table.waits_for == ["ben: turn"]
    table.shows("""
        anna  Siegemaster {used}   hand: Ves   siege: Catapult 16
        ben   hand: Zoltan
    """)


@pytest.mark.rule("GW-8.1")
def test_a_leader_is_used_once_a_match():
    table = gwent("""
        anna  Siegemaster   hand: Ves
        ben   hand: 2 Zoltan
    """)
    table.anna.uses_leader()
    table.ben.plays("Zoltan")
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.1")
@pytest.mark.note(70)
def test_a_used_leader_stays_used_in_the_rounds_that_follow():
    table = gwent("""
        anna  Siegemaster   hand: Ves
        ben   hand: 2 Zoltan
    """)
    table.anna.uses_leader()
    table.ben.plays("Zoltan")
    table.anna.passes()
    table.ben.passes()
    assert (table.round, table.turn) == (2, "ben")
    table.ben.passes()
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.1", "GW-3.2")
@pytest.mark.note(12)
def test_who_has_passed_uses_no_leader():
    table = gwent("""
        anna  Siegemaster   hand: Ves
        ben   hand: 2 Zoltan
    """)
    table.anna.passes()
    table.ben.plays("Zoltan")
    assert table.waits_for == ["ben: turn"]
    assert table.anna.is_asked is None


@pytest.mark.rule("GW-8.1", "GW-3.4")
@pytest.mark.note(13)
@pytest.mark.case(44)
def test_an_empty_hand_is_asked_while_its_leader_can_be_used():
    table = gwent("""
        anna  Siegemaster   siege: Ballista   hand: nothing
        ben   passed   melee: Ves
    """)
    assert table.waits_for == ["anna: turn"]
    table.anna.uses_leader()
    assert table.declared("round_won") == ["anna 12"]


@pytest.mark.rule("GW-8.1", "GW-3.2")
@pytest.mark.case(43)
def test_after_a_leader_the_turn_does_not_go_to_one_who_has_passed():
    table = gwent("""
        anna  Siegemaster   hand: Ves
        ben   passed   hand: Zoltan
    """)
    table.anna.uses_leader()
    assert table.waits_for == ["anna: turn"]


@pytest.mark.rule("GW-8.1")
@pytest.mark.case(53)
def test_after_a_leader_horns_and_agile_units_still_have_their_rows():
    table = gwent("""
        anna  Siegemaster   hand: Olgierd, Commander's Horn
        ben   hand: Zoltan
    """)
    table.anna.uses_leader()
    table.ben.plays("Zoltan")
    assert table.anna.options == [
        "Commander's Horn to melee slot",
        "Commander's Horn to ranged slot",
        "Olgierd von Everec to melee",
        "Olgierd von Everec to ranged",
    ]


# -- not when it would do nothing; passive ones --------------------------------------


@pytest.mark.rule("GW-8.2")
@pytest.mark.parametrize(
    "leader",
    [
        "King of Temeria",
        "Lord Commander",
        "Steel-Forged",
        "Son of Medell",
        "His Imperial Majesty",
        "Emperor of Nilfgaard",
        "Relentless",
        "Wild Hunt",
        "Destroyer",
        "Bringer",
        "Pureblood",
        "Queen of Dol",
        "Hope",
        "Crach",
    ],
)
def test_a_leader_that_would_do_nothing_is_not_offered(leader):
    table = gwent(f"""
        anna  {leader}   hand: Ves
        ben   melee: Draug   hand: nothing
    """)
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.3")
@pytest.mark.parametrize("leader", PASSIVE)
def test_a_passive_leader_is_never_used(leader):
    table = gwent(f"""
        anna  {leader}   hand: Ves   pile: Zoltan   discard: Fiend
        ben   hand: Zoltan
    """)
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.3", "GW-3.4")
@pytest.mark.parametrize("leader", PASSIVE)
def test_an_empty_hand_with_a_passive_leader_passes_unasked(leader):
    table = gwent(f"""
        anna  {leader}   hand: nothing
        ben   hand: 2 Zoltan
    """)
    assert table.declared("passes") == ["anna"]
    assert table.waits_for == ["ben: turn"]


# -- horns ---------------------------------------------------------------------------


@pytest.mark.rule("GW-8.4", "GW-8.9", "GW-8.18", "GW-8.23")
@pytest.mark.case(36, 61)
@pytest.mark.parametrize(("leader", "row", "unit"), HORNS)
def test_a_leaders_horn_doubles_its_own_row_and_no_card_moves(leader, row, unit):
    name, strength = unit.rsplit(" ", 1)
    table = gwent(f"""
        anna  {leader}   {row}: {name}   hand: Ves
        ben   {row}: {name}   hand: Zoltan
    """)
    table.anna.uses_leader()
    assert table.moved == []
    table.shows(f"""
        anna  {leader} {{used}}   {row}: {unit}   horns: {row}   discard: nothing
        ben   {row}: {name} {int(strength) // 2}   horns: nothing
    """)


@pytest.mark.rule("GW-8.4")
def test_a_leaders_horn_ends_with_the_round():
    table = gwent("""
        anna  Siegemaster   siege: Catapult   hand: Ballista, Cow
        ben   passed   hand: 2 Zoltan
    """)
    table.anna.uses_leader()
    table.anna.passes()
    table.anna.plays("Ballista")
    table.shows("""
        anna  siege: Ballista 6   horns: nothing   discard: Catapult
        round: 2
    """)


@pytest.mark.rule("GW-8.4", "GW-6.3")
@pytest.mark.note(15)
@pytest.mark.parametrize(("leader", "row", "_unit"), HORNS)
def test_a_leaders_horn_is_not_for_a_row_with_a_horn_in_its_slot(leader, row, _unit):
    table = gwent(f"""
        anna  {leader}   {row} slot: Commander's Horn   hand: Ves
        ben   hand: Zoltan
    """)
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.4")
def test_a_horn_unit_or_mardroeme_in_the_row_is_no_hindrance():
    table = gwent("""
        anna  Red Riders   melee: Dandelion, Fiend   melee slot: Mardroeme   hand: Ves
        ben   hand: Zoltan
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  melee: Dandelion 4, Fiend 12   melee slot: Mardroeme   horns: melee
    """)


@pytest.mark.rule("GW-8.4", "GW-4.22")
def test_a_leaders_horn_doubles_no_hero():
    stands("""
        anna  Red Riders {used}   horns: melee   melee: Draug 10, Fiend 12   hand: Cow
    """)


# -- scorching -----------------------------------------------------------------------


@pytest.mark.rule("GW-8.5", "GW-8.10", "GW-8.11", "GW-8.25")
@pytest.mark.note(41)
@pytest.mark.case(61)
@pytest.mark.parametrize(("leader", "row", "unit", "hero"), SCORCHERS)
def test_a_leader_burns_the_strongest_of_the_opponents_row(leader, row, unit, hero):
    table = gwent(f"""
        anna  {leader}   hand: Ves   {row}: {unit}
        ben   hand: Cow   {row}: {unit}, {hero}, Siege Technician
    """)
    table.anna.uses_leader()
    table.shows(f"""
        anna  {leader} {{used}}   {row}: {unit}   discard: nothing
        ben   {row}: {hero}, Siege Technician   discard: {unit}
    """)


@pytest.mark.rule("GW-8.5")
@pytest.mark.case(23)
@pytest.mark.parametrize(
    ("row", "offered"),
    [
        ("Ves, Rainfarn", False),  # 9
        ("Ves, Zoltan", True),  # 10
        ("Draug, Redanian", True),  # 11 with the hero
        ("Draug", False),  # nobody there to burn
        ("2 Impera Guard", True),  # 12, for the bond
        ("3 Zoltan", True),
    ],
)
def test_the_row_must_total_ten_with_heroes_and_effects(row, offered):
    row = row.replace("Impera Guard", "Impera")
    table = gwent(f"""
        anna  Queen of Dol   hand: Thaler
        ben   melee: {row}   hand: Cow
    """)
    assert ("Queen" in " ".join(table.anna.options)) is offered


@pytest.mark.rule("GW-8.5", "GW-5.1")
def test_weather_may_save_a_row_from_a_leaders_scorch():
    table = gwent("""
        anna  Queen of Dol   hand: Thaler
        ben   melee: 3 Zoltan 1   hand: Cow
        weather: Biting Frost
    """)
    assert table.anna.options == ["Thaler to ben's siege"]


@pytest.mark.rule("GW-8.5", "GW-4.14")
def test_all_the_tied_ones_burn_together_and_weaker_ones_stay():
    table = gwent("""
        anna  Queen of Dol   hand: Thaler
        ben   melee: 2 Zoltan, Ves, Redanian   hand: Cow
    """)
    table.anna.uses_leader()
    assert table.discarded == [["Ves", "Zoltan Chivay", "Zoltan Chivay"]]
    table.shows("ben  melee: Redanian 1")


# -- weather out of the pile ---------------------------------------------------------


@pytest.mark.rule("GW-8.6", "GW-8.7", "GW-8.12", "GW-8.22")
@pytest.mark.case(31, 61)
@pytest.mark.parametrize(("leader", "card", "struck", "spared"), FINDERS)
def test_a_leader_finds_weather_in_the_own_pile(leader, card, struck, spared):
    table = gwent(f"""
        anna  {leader}   hand: Ves   {struck[:-2]}   pile: Cow, {card}, Zoltan
        ben   hand: Cow   {spared}
    """)
    table.anna.uses_leader()
    assert table.shuffled == ["anna's pile"]
    table.shows(f"""
        anna  {leader} {{used}}   {struck}   pile: Cow, Zoltan   discard: nothing
        ben   {spared}
        weather: {card}
    """)


@pytest.mark.rule("GW-8.6", "GW-7.2")
@pytest.mark.parametrize(("leader", "card", "_struck", "_spared"), FINDERS)
def test_it_is_weather_like_any_other(leader, card, _struck, _spared):
    table = gwent(f"""
        anna  {leader}   hand: Ves   pile: {card}
        ben   hand: Clear Weather, Cow
    """)
    table.anna.uses_leader()
    table.ben.plays("Clear Weather")
    table.shows(f"""
        anna  discard: {card}   pile: 0 cards
        ben   discard: Clear Weather
    """)


@pytest.mark.rule("GW-8.6", "GW-7.3")
def test_a_kind_that_lies_there_already_goes_to_the_discard():
    table = gwent("""
        anna  Pureblood   hand: Ves   pile: Biting Frost, Zoltan
        ben   hand: Cow
        weather: Biting Frost {by ben}
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  discard: Biting Frost   pile: Zoltan
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-8.6", "GW-8.2")
@pytest.mark.parametrize("leader", ["King of Temeria", "His Imperial Majesty"])
def test_the_storm_is_no_fog_and_no_rain(leader):
    table = gwent(f"""
        anna  {leader}   hand: Ves   pile: Skellige Storm, Biting Frost, Clear Weather
        ben   hand: Cow
    """)
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.6", "GW-8.2")
@pytest.mark.parametrize("where", ["hand", "discard"])
def test_weather_in_hand_or_discard_is_not_in_the_pile(where):
    table = gwent(f"""
        anna  Pureblood   pile: Zoltan   {where}: Biting Frost
              melee: Ves
        ben   hand: Cow
    """)
    assert "Francesca" not in " ".join(table.anna.options)


@pytest.mark.rule("GW-8.6", "GW-1.10", "GW-3.4")
def test_whether_a_pile_has_the_weather_is_not_told_by_asking():
    table = gwent("""
        anna  Pureblood   pile: Zoltan   melee: Ves   hand: nothing
        ben   hand: Cow
    """)
    assert table.waits_for == ["anna: turn"]
    assert (table.anna.options, table.anna.may_decline) == ([], True)
