"""RULES 9: what factions do besides their cards."""

import pytest

from tests.rules.gwent.layout import gwent, whole


def both_pass(table):
    table.anna.passes()
    table.ben.passes()
    return table


# -- Monsters ------------------------------------------------------------------------


@pytest.mark.rule("GW-9.1", "GW-10.2")
@pytest.mark.note(64)
@pytest.mark.case(6, 62)
@pytest.mark.parametrize(("lot", "kept"), [(0, "Fiend"), (1, "Griffin"), (2, "Toad")])
def test_monsters_keep_one_of_their_units_by_lot(lot, kept):
    table = gwent(f"""
        anna  Monsters   melee: Fiend, Griffin, Draug   ranged: Toad
        ben   melee: Ves
        lots: {lot}
    """)
    both_pass(table)
    row = "ranged" if kept == "Toad" else "melee"
    table.shows(f"anna  {row}: {kept}   discard: 3 cards\nben   discard: Ves")
    assert len(table.declared("keeps")) == 1


@pytest.mark.rule("GW-9.1")
@pytest.mark.note(64)
def test_monsters_keep_one_when_they_lose_or_tie_too():
    for rows in ("melee: Draug, Fiend", "melee: Griffin, Redanian"):
        table = gwent(f"""
            anna  Monsters   melee: Fiend
            ben   {rows}
        """)
        both_pass(table).shows("anna  melee: Fiend 6   gems: 1")


@pytest.mark.rule("GW-9.1", "GW-4.22", "GW-6.1")
@pytest.mark.note(20, 64)
@pytest.mark.case(40, 62)
def test_monsters_keep_no_hero_no_decoy_and_nothing_in_a_slot():
    table = gwent("""
        anna  Monsters   melee: Draug, Decoy   melee slot: Commander's Horn
        ben   melee: Ves
    """)
    both_pass(table).shows("anna  discard: Draug, Decoy, Commander's Horn")
    assert table.declared("keeps") == []


@pytest.mark.rule("GW-9.1", "GW-4.6")
@pytest.mark.note(27)
def test_monsters_may_keep_an_opponents_spy_on_their_side():
    table = gwent("""
        anna  Monsters   melee: Vattier {by ben}
        ben   melee: Ves
    """)
    both_pass(table).shows("anna  melee: Vattier 4   discard: nothing")


@pytest.mark.rule("GW-9.1", "GW-4.3")
@pytest.mark.case(62)
def test_the_kept_unit_sets_nothing_off():
    table = gwent("""
        anna  Monsters   melee: Ghoul   hand: Ghoul   pile: Ghoul
        ben   melee: Ves
    """)
    both_pass(table).shows("anna  melee: Ghoul   hand: Ghoul   pile: Ghoul")
    assert table.shuffled == []


@pytest.mark.rule("GW-9.1", "GW-5.7")
@pytest.mark.note(64)
@pytest.mark.case(63)
def test_the_kept_unit_is_counted_anew():
    table = gwent("""
        anna  Monsters   melee: Fiend 14, Olgierd 12   melee slot: Commander's Horn
        ben   ranged: Milva 1
        weather: Impenetrable Fog
    """)
    both_pass(table).shows("anna  melee: Fiend 6   total: 6\nben   total: 0")


@pytest.mark.rule("GW-9.1", "GW-10.2", "GW-11.1")
def test_nothing_is_kept_when_the_match_is_over():
    table = gwent("""
        anna  Monsters   melee: Fiend, Griffin
        ben   melee: Ves   gems: 1
    """)
    both_pass(table)
    assert table.is_over
    assert table.declared("keeps") == []


@pytest.mark.rule("GW-9.1")
def test_each_of_two_monsters_keeps_one():
    table = gwent("""
        anna  Monsters   melee: Fiend, Griffin
        ben   Monsters   melee: Nekker, Werewolf
        lots: 1, 0
    """)
    both_pass(table).shows("anna  melee: Griffin 5\nben  melee: Nekker 2")


# -- Nilfgaard -----------------------------------------------------------------------


@pytest.mark.rule("GW-9.2", "GW-10.4")
@pytest.mark.note(62)
def test_nilfgaard_wins_a_tied_round_and_starts_the_next():
    table = gwent("""
        anna  Skellige    melee: Ves
        ben   Nilfgaard   melee: Zoltan
    """)
    both_pass(table)
    assert table.gems == [1, 2]
    assert table.declared("round_won") == ["ben 5"]
    assert table.turn == "ben"


@pytest.mark.rule("GW-9.2")
@pytest.mark.note(62)
def test_nilfgaard_against_nilfgaard_ties():
    table = gwent("""
        anna  Nilfgaard   melee: Ves
        ben   Nilfgaard   melee: Zoltan
    """)
    both_pass(table)
    assert table.gems == [1, 1]
    assert table.declared("round_tied") == [""]


@pytest.mark.rule("GW-9.2")
def test_nilfgaard_with_less_loses_all_the_same():
    table = gwent("""
        anna  melee: Draug
        ben   Nilfgaard   melee: Zoltan
    """)
    assert both_pass(table).gems == [2, 1]


# -- Northern Realms -----------------------------------------------------------------


@pytest.mark.rule("GW-9.3", "GW-3.7")
@pytest.mark.note(65)
def test_northern_realms_draw_a_card_for_a_round_they_win():
    table = gwent("""
        anna  Northern Realms   melee: Ves   hand: Cow   pile: Milva, Zoltan
        ben   Northern Realms   hand: Cow    pile: Milva
    """)
    both_pass(table).shows("""
        anna  hand: Cow, Milva   pile: Zoltan
        ben   hand: Cow   pile: Milva
    """)


@pytest.mark.rule("GW-9.3")
@pytest.mark.note(65)
def test_northern_realms_draw_nothing_for_a_tie():
    table = gwent("anna  Northern Realms   hand: Cow   pile: Milva")
    both_pass(table).shows("anna  hand: Cow   pile: Milva")


@pytest.mark.rule("GW-9.3")
@pytest.mark.note(65)
def test_an_empty_pile_gives_nothing_and_is_no_error():
    table = gwent("anna  Northern Realms   melee: Ves   hand: Cow   pile: nothing")
    both_pass(table).shows("anna  hand: Cow   discard: Ves")
    assert table.waits_for == ["anna: turn"]


# -- Scoia'tael ----------------------------------------------------------------------


def chosen(*ids, **chance):
    """A duel in which these decks were chosen, where it waits after that."""
    table = whole(**chance)
    for seat, deck in zip((table.anna, table.ben), ids, strict=True):
        seat.chooses(f"starter_{deck}")
    return table


def started(table):
    """Who starts the first round, when all keep their hands."""
    table.anna.declines(of="exchange")
    table.ben.declines(of="exchange")
    assert table.marked("first") == table.marked("starts") == [table.turn]
    return table.turn


@pytest.mark.rule("GW-9.4", "GW-1.6")
@pytest.mark.note(67)
@pytest.mark.parametrize("who", ["anna", "ben"])
def test_scoiatael_name_who_starts(who):
    table = chosen("monsters", "scoiatael")
    assert table.waits_for == ["ben: who_begins"]
    assert table.ben.options == ["anna", "ben"]
    table.ben.chooses(who)
    assert started(table) == who


@pytest.mark.rule("GW-9.4", "GW-1.10")
@pytest.mark.note(67)
@pytest.mark.case(54)
@pytest.mark.parametrize(
    "decks", [("scoiatael", "monsters"), ("monsters", "scoiatael")]
)
def test_scoiatael_who_do_not_say_start_themselves(decks):
    table = chosen(*decks)
    elf = table.seat(decks.index("scoiatael"))
    elf.runs_out_of_time()
    assert started(table) == ("anna", "ben")[elf.seat]


@pytest.mark.rule("GW-9.4", "GW-1.6")
@pytest.mark.note(67)
@pytest.mark.case(56)
@pytest.mark.parametrize("lot", [0, 1])
def test_of_two_scoiatael_the_coin_decides_and_nobody_is_asked(lot):
    table = chosen("scoiatael", "scoiatael", lots=[lot])
    assert table.waits_for == ["anna: exchange", "ben: exchange"]
    assert started(table) == ("anna", "ben")[lot]


@pytest.mark.rule("GW-9.4", "GW-10.4")
def test_scoiatael_say_nothing_of_later_rounds():
    table = gwent("""
        anna  Scoia'tael
        ben   melee: Ves
    """)
    assert both_pass(table).waits_for == ["ben: turn"]


# -- Skellige ------------------------------------------------------------------------


@pytest.mark.rule("GW-9.5")
@pytest.mark.note(66)
@pytest.mark.case(4)
def test_skellige_bring_back_two_units_by_lot_when_the_third_round_begins():
    table = gwent("""
        anna  Skellige   discard: Svanrige, Hjalmar, Holger, Decoy, Olaf, Scorch
        round: 2
        lots: 2, 1
    """)
    both_pass(table).shows("""
        anna  melee: Olaf 12   siege: Holger 4
              discard: Svanrige, Hjalmar, Decoy, Scorch
        round: 3
    """)
    assert table.moved[-2:] == [
        ["Olaf to anna's melee"],
        ["Holger Blackhand to anna's siege"],
    ]


@pytest.mark.rule("GW-9.5")
@pytest.mark.note(66)
@pytest.mark.parametrize(
    ("discard", "comes"), [("Ves, Hjalmar", "melee: Ves"), ("Hjalmar, Decoy", "")]
)
def test_fewer_come_back_where_there_are_fewer(discard, comes):
    table = gwent(f"anna  Skellige   discard: {discard}\nround: 2")
    both_pass(table).shows(f"anna  {comes}\nround: 3")


@pytest.mark.rule("GW-9.5")
def test_none_come_back_in_the_second_round():
    table = gwent("anna  Skellige   discard: Ves, Zoltan\nround: 1")
    both_pass(table).shows("anna  discard: Ves, Zoltan\nround: 2")


@pytest.mark.rule("GW-9.5", "GW-10.2")
def test_what_was_cleared_just_now_may_come_back():
    table = gwent("anna  Skellige   melee: Ves\nben  melee: Zoltan\nround: 2")
    both_pass(table).shows("anna  melee: Ves   discard: nothing\nben  discard: Zoltan")


@pytest.mark.rule("GW-9.5", "GW-4.3", "GW-4.5")
@pytest.mark.note(26)
def test_they_do_all_they_do():
    table = gwent("""
        anna  Skellige   discard: Vattier, Light Longship   hand: Light Longship
              pile: Cow, Ves, Light Longship
        round: 2
    """)
    both_pass(table).shows("""
        anna  ranged: 3 Light Longship   hand: Cow, Ves
        ben   melee: Vattier
    """)


@pytest.mark.rule("GW-9.5", "GW-4.7")
@pytest.mark.note(66)
def test_a_medic_among_them_does_not_take_the_other():
    table = gwent("""
        anna  Skellige   discard: Birna, Zoltan, Ves
        round: 2
        lots: 0, 1
    """)
    both_pass(table).shows("anna  melee: Birna, Ves, Zoltan   discard: nothing")


@pytest.mark.rule("GW-9.5", "GW-4.15")
@pytest.mark.note(66)
@pytest.mark.parametrize("first", ["anna", "ben"])
def test_of_two_skellige_the_starter_of_the_round_is_first(first):
    table = gwent(f"""
        anna  Skellige   discard: Dimun Pirate
        ben   Skellige   discard: Olaf
        round: 2   first: {first}
    """)
    both_pass(table)
    if first == "anna":
        table.shows("anna  discard: Dimun Pirate\nben   melee: Olaf 12")
    else:
        table.shows("anna  ranged: Dimun Pirate 6\nben   discard: Olaf")


@pytest.mark.rule("GW-9.5")
@pytest.mark.note(66)
def test_they_come_to_a_table_that_need_not_be_empty():
    table = gwent("""
        anna  Skellige   discard: Dimun Pirate
        ben   Monsters   melee: Fiend, Draug
        round: 2
    """)
    both_pass(table).shows("""
        anna  discard: Dimun Pirate
        ben   discard: Fiend, Draug
    """)


@pytest.mark.rule("GW-9.5", "GW-11.1")
@pytest.mark.note(66)
def test_after_two_rounds_that_end_the_match_nobody_comes_back():
    table = gwent("""
        anna  Skellige   discard: Ves, Zoltan   melee: Olaf
        ben   gems: 1
        round: 2
    """)
    both_pass(table).shows("anna  melee: Olaf   discard: Ves, Zoltan")
    assert table.winners == ["anna"]
