"""RULES 8, 14, 15: what leaders do in a team and in a free-for-all."""

import pytest

from services.engine.kernel import event as happened
from services.engine.kernel.sight import only
from tests.rules.gwent.layout import free_for_all, laid_out, team, whole
from tests.rules.gwent.many_seats import all_pass

MODES = ["team", "free-for-all"]


@pytest.mark.rule("GW-14.1", "GW-8.1")
def test_partners_each_use_a_leader_of_their_own_once():
    table = team("""
        anna  Siegemaster   siege: Ballista
        cleo  Red Riders    melee: Ves
    """)
    table.anna.uses_leader()
    table.ben.passes()
    table.cleo.uses_leader()
    table.dan.passes()
    table.shows("""
        anna  Siegemaster {used}   siege: Ballista 12   melee: Ves 10
        cleo  Red Riders {used}
    """)
    assert table.anna.options == ["Vesemir to melee"]


# -- horns and scorching -------------------------------------------------------------


@pytest.mark.rule("GW-8.5", "GW-14.6")
def test_a_leader_scorches_the_row_that_the_opponents_share():
    table = team("""
        anna  Queen of Dol
        ben   melee: Ves
        cleo  melee: Draug, Vesemir
        dan   melee: Zoltan
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  melee: Draug, Vesemir
        ben   melee: nothing   discard: Ves, Zoltan
    """)


@pytest.mark.rule("GW-8.5", "GW-15.2")
def test_a_leader_scorches_each_opponents_row_that_totals_ten():
    table = free_for_all("""
        anna  Queen of Dol   melee: 2 Zoltan
        ben   melee: Ves, Rainfarn
        cleo  melee: Ves, Zoltan
        dan   melee: Vesemir, Ves
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  melee: 2 Zoltan
        ben   melee: Ves, Rainfarn
        cleo  discard: Ves, Zoltan
        dan   melee: Ves   discard: Vesemir
    """)


@pytest.mark.rule("GW-8.4", "GW-15.1")
def test_in_a_free_for_all_a_horn_is_for_the_own_row_alone():
    table = free_for_all("""
        anna  Red Riders   melee: Ves
        ben   melee: Ves
        cleo  melee: Ves
    """)
    table.anna.uses_leader()
    assert table.totals == [10, 5, 5]


# -- hands ---------------------------------------------------------------------------


def peeked(table):
    """Who looked, and at what, if nobody else was shown it."""
    (peek,) = [e for e in table.events if isinstance(e, happened.CardsPeeked)]
    assert {one.seers for one in peek.cards} == {only(peek.seat)}
    return peek.seat, [table.name_of(one.handle) for one in peek.cards]


@pytest.mark.rule("GW-14.10", "GW-8.13")
@pytest.mark.note(86)
def test_the_emperor_names_one_of_the_two_opponents():
    table = team("""
        anna  Emperor of Nilfgaard
        ben   hand: Cow
        cleo  hand: Milva
        dan   hand: Ves, Zoltan
    """)
    table.anna.uses_leader()
    assert table.anna.options == ["ben", "dan"]
    table.anna.chooses("dan", of="opponent")
    assert peeked(table) == (0, ["Ves", "Zoltan Chivay"])


@pytest.mark.rule("GW-15.2", "GW-8.13")
@pytest.mark.note(86)
def test_in_a_free_for_all_the_emperor_names_any_opponent_with_a_card():
    table = free_for_all("""
        anna  Emperor of Nilfgaard
        ben   hand: nothing   melee: Ves
        cleo  hand: Cow
        dan   hand: Ves
    """)
    table.anna.uses_leader()
    assert table.anna.options == ["cleo", "dan"]
    table.anna.chooses("cleo", of="opponent")
    assert peeked(table) == (0, ["Cow"])


@pytest.mark.rule("GW-8.13", "GW-1.10")
def test_the_emperor_is_not_asked_where_only_one_opponent_has_cards():
    table = team("""
        anna  Emperor of Nilfgaard
        ben   hand: nothing
        dan   hand: Ves
    """)
    table.anna.uses_leader()
    assert peeked(table) == (0, ["Ves"])


@pytest.mark.rule("GW-8.24", "GW-14.1")
def test_daisy_deals_eleven_to_her_own_seat_only():
    elves = "Daisy, 5 Mahakaman, 3 Elven Skirmisher, 3 Dwarven, Milva, Iorveth"
    north = "Siegemaster, 4 Poor Infantry, 3 Siege Expert, 3 Crinfrid, 3 Blue Stripes"
    decks = {"anna": [elves], "ben": [elves], "cleo": [north], "dan": [north]}
    table = whole("team", decks=decks)
    assert [len(table.seat(seat).hand) for seat in range(4)] == [11, 11, 10, 10]


# -- discards ------------------------------------------------------------------------


@pytest.mark.rule("GW-8.20", "GW-14.6")
@pytest.mark.note(86)
def test_the_bringer_takes_of_the_shared_discard_and_what_he_takes_is_his():
    table = team("""
        anna  Bringer   hand: Zoltan   discard: Draug
        cleo  discard: Ves   hand: Cow
    """)
    table.anna.uses_leader()
    table.shows("anna  hand: Zoltan, Ves   discard: Draug\ncleo  hand: Cow")


@pytest.mark.rule("GW-14.7", "GW-8.20")
def test_a_partners_unit_that_was_taken_and_played_again_may_be_kept():
    table = team("""
        anna  Bringer
        ben   passed
        cleo  Skellige, passed   discard: Svanrige
        dan   passed
    """)
    table.anna.uses_leader()
    table.anna.plays("Svanrige")
    table.anna.passes()
    table.shows("anna  melee: Svanrige   discard: nothing")


@pytest.mark.rule("GW-8.15", "GW-14.6")
@pytest.mark.note(86)
def test_the_relentless_takes_of_the_discard_that_the_opponents_share():
    table = team("""
        anna  Relentless   discard: Cow
        ben   discard: Ves
        cleo  discard: Milva
        dan   discard: Zoltan
    """)
    table.anna.uses_leader()
    assert table.anna.options == ["Ves", "Zoltan Chivay"]


@pytest.mark.rule("GW-8.15", "GW-15.2")
@pytest.mark.note(86)
def test_in_a_free_for_all_the_relentless_takes_of_any_opponent():
    table = free_for_all("""
        anna  Relentless   hand: Cow   discard: Milva
        ben   discard: Ves
        cleo  discard: Zoltan
    """)
    table.anna.uses_leader()
    assert table.anna.options == ["Ves", "Zoltan Chivay"]
    table.anna.chooses("Zoltan")
    table.shows("anna  hand: Cow, Zoltan\nben  discard: Ves\ncleo  discard: nothing")


@pytest.mark.rule("GW-8.19", "GW-14.6")
def test_the_destroyer_discards_to_the_shared_discard_and_takes_of_the_own_pile():
    table = team("""
        anna  Destroyer   hand: Ves, Cow   pile: Fiend
        cleo  pile: Milva   discard: Zoltan
    """)
    table.anna.uses_leader()
    table.anna.chooses("Ves", "Cow")
    assert table.anna.options == ["Fiend"]
    table.anna.chooses("Fiend")
    table.shows("anna  hand: Fiend   discard: Zoltan, Ves, Cow\ncleo  pile: Milva")


@pytest.mark.rule("GW-14.10", "GW-8.27")
def test_crach_sends_each_card_to_the_pile_of_who_brought_it():
    table = team("""
        anna  Crach   discard: Hjalmar, Thaler {by dan}   pile: nothing
        ben   discard: Decoy   pile: nothing
        cleo  discard: Ves     pile: nothing
        dan   discard: Vattier {by cleo}   pile: nothing
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  pile: Hjalmar   discard: nothing
        ben   pile: Decoy     discard: nothing
        cleo  pile: Ves, Vattier
        dan   pile: Thaler
    """)


@pytest.mark.rule("GW-14.10", "GW-8.27", "GW-4.17")
def test_crach_sends_cards_of_side_decks_back_beside_who_brought_them():
    table = team("""
        anna  Crach   side deck: nothing   discard: Hemdall
        cleo  side deck: nothing   discard: Bovine
    """)
    table.anna.uses_leader()
    table.shows("anna  side deck: Hemdall\ncleo  side deck: Bovine")


@pytest.mark.rule("GW-8.27", "GW-15.2")
def test_in_a_free_for_all_crach_shuffles_every_discard():
    table = free_for_all("""
        anna  Crach   pile: nothing   discard: Hjalmar
        ben   pile: nothing   discard: Ves, Decoy
        cleo  pile: nothing   discard: Thaler {by ben}
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  pile: Hjalmar   discard: nothing
        ben   pile: Ves, Decoy   discard: nothing
        cleo  pile: Thaler   discard: nothing
    """)


# -- weather and rows ----------------------------------------------------------------


@pytest.mark.rule("GW-8.6", "GW-14.6")
def test_a_leader_finds_no_weather_in_a_partners_pile():
    table = team("""
        anna  Pureblood   hand: Ves   pile: Cow
        cleo  Red Riders  pile: Biting Frost
    """)
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.6", "GW-7.2", "GW-14.1")
def test_a_partners_frost_in_the_shared_discard_leaves_the_own_to_be_found():
    table = team("""
        anna  Pureblood    pile: Biting Frost
        cleo  Red Riders   discard: Biting Frost
    """)
    table.anna.uses_leader()
    table.shows("anna  discard: Biting Frost\nweather: Biting Frost")


@pytest.mark.rule("GW-14.9", "GW-8.28")
def test_king_bran_halves_for_his_whole_side():
    team("""
        anna  King Bran   melee: Vesemir
        ben   melee: Vesemir
        cleo  melee: Zoltan
        weather: Biting Frost
    """).shows("""
        anna  melee: Vesemir 3, Zoltan 3
        ben   melee: Vesemir 1
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-8.26", "GW-14.6")
def test_hope_moves_a_partners_agile_units_too():
    table = team("""
        anna  Hope   melee: Yaevinn
        ben   melee: Filavandrel
        cleo  melee: Harpy
        weather: Biting Frost
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  ranged: Yaevinn 6, Harpy 2
        ben   melee: Filavandrel 1
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-8.21")
@pytest.mark.parametrize("mode", MODES)
def test_the_treacherous_doubles_the_spies_on_all_sides(mode):
    text = """
        anna  Treacherous   melee: Vattier {by ben}
        ben   melee: Shilard {by cleo}
        cleo
        dan
    """
    assert laid_out(text, mode).totals[:2] == [8, 14]


@pytest.mark.rule("GW-8.16")
@pytest.mark.note(33)
@pytest.mark.parametrize("mode", MODES)
def test_the_invader_draws_lots_for_every_seats_medic(mode):
    table = laid_out(
        "anna  hand: Birna   discard: Ves, Zoltan\nben\ncleo\ndan  Invader\nlots: 1",
        mode,
    )
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna, Zoltan   discard: Ves")


@pytest.mark.rule("GW-8.16", "GW-15.2")
def test_where_a_spy_that_chance_drew_goes_its_seat_chooses():
    table = free_for_all("""
        anna  Invader   hand: Birna   discard: Thaler, Ves   pile: 2 Cow
        ben
        cleo
    """)
    table.anna.plays("Birna")
    table.anna.chooses("cleo", of="opponent")
    table.shows("anna  melee: Birna   discard: Ves\ncleo  siege: Thaler")


@pytest.mark.rule("GW-8.8", "GW-8.17", "GW-15.2")
def test_weather_a_leader_cleared_goes_to_each_who_brought_it():
    table = free_for_all("""
        anna  Lord Commander
        ben
        cleo
        weather: Biting Frost {by ben}, Skellige Storm {by cleo}
    """)
    table.anna.uses_leader()
    table.shows("ben  discard: Biting Frost\ncleo  discard: Skellige Storm")


@pytest.mark.rule("GW-8.1", "GW-15.8")
def test_a_leader_used_is_an_act_of_the_round():
    table = free_for_all("""
        anna  Red Riders
        ben
        cleo
    """)
    table.anna.uses_leader()
    assert all_pass(table).round == 2
