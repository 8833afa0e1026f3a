"""RULES 14: two against two, anna and cleo against ben and dan."""

import pytest

from services.engine.games.gwent.board import LEADER
from tests.rules.gwent.layout import team, whole
from tests.rules.gwent.many_seats import all_pass, chosen, hands

SEATS = ("anna", "ben", "cleo", "dan")
FACTIONS = ("monsters", "nilfgaard", "northern_realms", "skellige")


def dealt(table):
    """Everybody keeps the hand."""
    for seat in range(4):
        table.seat(seat).declines(of="exchange")
    return table


# -- 14.1 to 14.3: who plays with whom, and sees what --------------------------------


@pytest.mark.rule("GW-14.1")
@pytest.mark.note(78)
def test_each_has_a_hand_a_pile_and_a_leader_and_a_side_has_two_gems():
    table = chosen("team", *FACTIONS)
    assert hands(table) == [10] * 4
    assert {seat.pile != [] for seat in map(table.seat, range(4))} == {True}
    assert table.gems == [2, 2]
    assert [table.table.counter("gems", seat) for seat in (2, 3)] == [0, 0]
    assert [table.table.count(LEADER[seat]) for seat in range(4)] == [1] * 4


@pytest.mark.rule("GW-14.1")
@pytest.mark.note(78)
def test_partners_play_into_the_same_rows():
    table = team("anna  hand: Ves\nben   hand: Cow\ncleo  hand: Zoltan")
    table.anna.plays("Ves")
    table.ben.plays("Cow")
    table.cleo.plays("Zoltan")
    table.shows("anna  melee: Ves 5, Zoltan 5   total: 10\nben  ranged: Cow")


@pytest.mark.rule("GW-14.2")
@pytest.mark.note(78)
def test_the_second_partner_chooses_another_faction_after_the_first():
    table = whole("team")
    assert table.waits_for == ["anna: choose_deck", "ben: choose_deck"]
    table.anna.chooses("starter_monsters")
    table.ben.chooses("starter_monsters")
    assert table.waits_for == ["cleo: choose_deck", "dan: choose_deck"]
    assert "starter_monsters" not in (*table.cleo.options, *table.dan.options)
    assert len(table.cleo.options) == 4


MONSTERS = "Bringer, 3 Nekker, 3 Ghoul, 3 Arachas, Draug, Fiend, Griffin"


@pytest.mark.rule("GW-14.2")
def test_who_brought_the_partners_faction_chooses_another_deck():
    decks = {name: [MONSTERS] for name in ("anna", "ben", "cleo")}
    table = whole("team", decks=decks)
    assert table.waits_for == ["cleo: choose_deck", "dan: choose_deck"]
    table.cleo.chooses("starter_skellige")
    table.dan.chooses("starter_nilfgaard")
    factions = [table.table.marker("faction", seat) for seat in range(4)]
    assert factions == ["monsters", "monsters", "skellige", "nilfgaard"]


@pytest.mark.rule("GW-14.3", "GW-1.9")
@pytest.mark.note(78, 110)
def test_partners_see_each_others_hands_and_opponents_do_not():
    table = team(
        "anna  hand: Ves\nben   hand: Milva\ncleo  hand: Zoltan\ndan  hand: Cow"
    )
    seers = {
        name: [seat for seat in SEATS if getattr(table, seat).sees(name)]
        for name in ("Ves", "Milva", "Zoltan", "Cow")
    }
    assert seers["Ves"] == seers["Zoltan"] == ["anna", "cleo"]
    assert seers["Milva"] == seers["Cow"] == ["ben", "dan"]
    assert not table.public_sees("Ves")


@pytest.mark.rule("GW-14.3")
def test_a_partners_card_cannot_be_played():
    table = team("anna  hand: Ves\ncleo  hand: Zoltan")
    assert table.anna.playable == ["Ves"]


# -- 14.4, 14.5: the order of turns --------------------------------------------------


@pytest.mark.rule("GW-14.4")
@pytest.mark.note(79)
def test_each_team_says_who_acts_first_and_then_teams_and_partners_alternate():
    table = dealt(chosen("team", *FACTIONS))
    assert table.waits_for == ["anna: acts_first", "cleo: acts_first"]
    table.anna.chooses("cleo")
    assert table.waits_for == ["ben: acts_first", "dan: acts_first"]
    table.dan.chooses("ben")
    order = [table.turn]
    for seat in (table.cleo, table.ben, table.anna):
        seat.passes()
        order.append(table.turn)
    assert order == ["cleo", "ben", "anna", "dan"]


@pytest.mark.rule("GW-14.4", "GW-1.10")
def test_the_first_answer_counts_and_without_one_the_first_seat_acts_first():
    table = dealt(chosen("team", *FACTIONS, lots=[1]))
    assert table.waits_for == ["ben: acts_first", "dan: acts_first"]
    table.dan.chooses("dan")
    table.cleo.runs_out_of_time()
    assert table.turn == "dan"
    table.dan.passes()
    assert table.turn == "anna"


@pytest.mark.rule("GW-14.4", "GW-10.4")
@pytest.mark.note(68)
def test_in_the_next_round_the_winners_start_and_say_again():
    table = team("anna\nben   melee: Ves\ncleo\ndan")
    all_pass(table)
    assert table.waits_for == ["ben: acts_first", "dan: acts_first"]
    table.ben.chooses("dan")
    table.anna.chooses("anna")
    assert (table.turn, table.marked("starts")) == ("dan", ["dan"])


@pytest.mark.rule("GW-14.4")
@pytest.mark.note(79)
def test_who_acted_first_in_the_round_before_does_not_count_any_more():
    table = team("anna  gems: 3   melee: Ves\nben  gems: 3\ncleo\ndan")
    for lead in (table.anna, table.cleo):
        all_pass(table)
        lead.chooses(SEATS[lead.seat])
        table.ben.chooses("ben")
    assert table.turn == "cleo"
    table.cleo.passes()
    assert table.turn == "ben"


@pytest.mark.rule("GW-14.5", "GW-3.2")
@pytest.mark.note(79)
def test_who_has_passed_is_left_out_and_the_partner_goes_on():
    table = team("anna\nben\ncleo  hand: 2 Zoltan\ndan")
    for seat in (table.anna, table.ben):
        seat.passes()
    table.cleo.plays("Zoltan")
    table.dan.passes()
    assert table.waits_for == ["cleo: turn"]
    assert table.round == 1


@pytest.mark.rule("GW-14.5", "GW-3.3")
@pytest.mark.note(79)
def test_the_round_ends_when_all_four_have_passed():
    table = team("anna   melee: Ves")
    for seat in (table.anna, table.ben, table.cleo):
        seat.passes()
        assert table.round == 1
    table.dan.passes()
    assert table.declared("round_won") == ["anna 5"]


# -- 14.6: what is shared ------------------------------------------------------------


@pytest.mark.rule("GW-14.6")
@pytest.mark.note(80)
def test_a_medic_takes_any_unit_of_the_shared_discard():
    table = team("anna  hand: Birna\ncleo  discard: Ves, Zoltan")
    table.anna.plays("Birna")
    table.anna.chooses("Zoltan", of="medic")
    table.shows("anna  melee: Birna, Zoltan   discard: Ves")


@pytest.mark.rule("GW-14.6")
@pytest.mark.note(80)
def test_a_decoy_takes_a_partners_unit_into_the_hand_of_who_played_it():
    table = team("anna  hand: Decoy\ncleo  melee: Ves   hand: Cow")
    table.anna.plays("Decoy")
    table.shows("anna  hand: Ves   melee: Decoy\ncleo  hand: Cow")


@pytest.mark.rule("GW-14.6")
@pytest.mark.note(80, 83)
def test_horns_bonds_and_morale_go_over_the_shared_rows():
    team("""
        anna  melee: Poor Infantry 6, Ves 12   melee slot: Commander's Horn
        cleo  melee: Poor Infantry 6, Olgierd 12
        ben   melee: Poor Infantry 1
    """).shows("""
        anna  melee: 2 Poor Infantry 6, Ves 12, Olgierd 12
              melee slot: Commander's Horn
        ben   melee: Poor Infantry 1
    """)


@pytest.mark.rule("GW-14.6")
@pytest.mark.note(28, 80)
def test_a_spy_goes_to_the_other_team_and_draws_of_the_own_pile():
    table = team("""
        anna  hand: Thaler   pile: Ves, Zoltan, Cow
        cleo  pile: Milva    hand: Cow
    """)
    table.anna.plays("Thaler")
    table.shows("""
        anna  hand: Ves, Zoltan   pile: Cow
        ben   siege: Thaler 1
        cleo  hand: Cow   pile: Milva
    """)


@pytest.mark.rule("GW-14.6")
@pytest.mark.note(83)
def test_a_muster_calls_from_the_own_hand_and_pile_only():
    table = team("""
        anna  hand: 2 Ghoul
        cleo  hand: Ghoul   pile: Ghoul
    """)
    table.anna.plays("Ghoul")
    table.shows("anna  melee: 2 Ghoul\ncleo  hand: Ghoul   pile: Ghoul")


@pytest.mark.rule("GW-14.6", "GW-4.16")
@pytest.mark.note(85)
def test_an_avenger_comes_from_the_side_deck_of_the_seat_that_brought_the_card():
    table = team("""
        anna  hand: Scorch
        cleo  ranged: Cow
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Bovine   discard: Scorch, Cow   side deck: Bovine
        cleo  side deck: nothing
    """)


@pytest.mark.rule("GW-14.6", "GW-4.19")
@pytest.mark.note(85)
def test_a_partners_mardroeme_transforms_with_the_side_deck_of_the_bringer():
    table = team("""
        anna  hand: Mardroeme
        cleo  Skellige   melee: Berserker
    """)
    table.anna.plays("Mardroeme", "melee slot")
    table.shows("""
        anna  melee: Transformed Vildkaarl   melee slot: Mardroeme
        cleo  side deck: Bovine, Hemdall, 3 Transformed Young
    """)


# -- 14.7 to 14.9: factions ----------------------------------------------------------


@pytest.mark.rule("GW-14.7", "GW-9.1")
@pytest.mark.note(81)
@pytest.mark.parametrize(("lot", "kept"), [(0, "Fiend"), (1, "Thaler")])
def test_monsters_keep_what_they_brought_or_an_opponents_spy(lot, kept):
    table = team(f"""
        anna  Monsters   melee: Fiend
        cleo  Skellige   melee: Svanrige, Ves   siege: Thaler {{by dan}}
        lots: {lot}
    """)
    all_pass(table)
    row = "melee" if kept == "Fiend" else "siege"
    table.shows(f"anna  {row}: {kept}   discard: 3 cards")


@pytest.mark.rule("GW-14.7")
@pytest.mark.note(81)
def test_monsters_keep_nothing_that_the_partner_brought():
    table = team("""
        anna  Monsters   melee: Draug
        cleo  Skellige   melee: Svanrige, Fiend
    """)
    all_pass(table).shows("anna  discard: Draug, Svanrige, Fiend")


@pytest.mark.rule("GW-14.7", "GW-9.5")
@pytest.mark.note(81)
def test_skellige_bring_back_what_they_brought_or_an_opponents_spy():
    table = team("""
        anna  Skellige   discard: Ves, Zoltan {by cleo}, Thaler {by dan}
              pile: 2 Cow
        cleo  Monsters   discard: Fiend
        dan   hand: Cow
        round: 2
    """)
    all_pass(table)
    for seat in (table.anna, table.ben):
        seat.runs_out_of_time()
    table.shows("""
        anna  melee: Ves   discard: Zoltan, Fiend   pile: nothing
        ben   siege: Thaler
        round: 3
    """)


@pytest.mark.rule("GW-14.8", "GW-9.2")
@pytest.mark.note(82)
@pytest.mark.parametrize(
    ("bens", "gems"), [("Monsters", [2, 1]), ("Nilfgaard", [1, 1])]
)
def test_nilfgaard_wins_ties_unless_both_teams_have_it(bens, gems):
    table = team(f"""
        anna  Monsters
        ben   {bens}
        cleo  Nilfgaard
        dan   Skellige
    """)
    assert all_pass(table).gems == gems


@pytest.mark.rule("GW-14.8", "GW-9.4")
@pytest.mark.note(82)
def test_a_scoiatael_seat_names_the_starting_team():
    table = chosen("team", "monsters", "scoiatael", "nilfgaard", "monsters")
    assert table.waits_for == ["ben: who_begins"]
    assert table.ben.options == ["anna", "ben"]
    table.ben.chooses("anna")
    assert table.marked("first") == ["anna"]


@pytest.mark.rule("GW-14.8", "GW-9.4")
@pytest.mark.note(82)
@pytest.mark.parametrize(("lot", "elf"), [(0, "anna"), (1, "dan")])
def test_of_scoiatael_in_both_teams_the_coin_says_who_names_it(lot, elf):
    factions = ("scoiatael", "monsters", "nilfgaard", "scoiatael")
    table = chosen("team", *factions, lots=[lot])
    assert table.waits_for == [f"{elf}: who_begins"]
    getattr(table, elf).runs_out_of_time()
    assert table.marked("first") == [{"anna": "anna", "dan": "ben"}[elf]]


@pytest.mark.rule("GW-14.9", "GW-9.3")
@pytest.mark.note(82)
def test_the_northern_realms_seat_of_the_winners_draws():
    table = team("""
        anna  Monsters   hand: Cow   pile: Cow
        ben   Northern Realms   hand: Cow   pile: Milva
        cleo  Northern Realms   hand: Cow   pile: Milva   melee: Ves
        dan   hand: Cow   pile: Milva
    """)
    all_pass(table)
    assert hands(table) == [1, 1, 2, 1]


# -- 14.11: the end ------------------------------------------------------------------


@pytest.mark.rule("GW-14.11", "GW-11.1")
def test_a_team_without_gems_has_lost_and_both_winners_win():
    table = team("anna  melee: Ves\nben  gems: 1")
    all_pass(table)
    assert table.is_over
    assert table.winners == ["anna", "cleo"]


@pytest.mark.rule("GW-14.11", "GW-11.2")
def test_both_teams_without_gems_at_once_is_a_draw():
    table = team("anna  gems: 1\nben  gems: 1")
    assert all_pass(table).winners == ["anna", "ben", "cleo", "dan"]


@pytest.mark.rule("GW-14.5", "GW-14.11")
def test_a_partner_plays_on_alone_when_the_other_has_given_up():
    table = team("anna  hand: 2 Ves\nben  hand: 2 Cow\ndan  hand: 2 Cow")
    table.cleo.concedes()
    table.anna.plays("Ves")
    table.ben.plays("Cow")
    table.dan.plays("Cow")
    assert table.waits_for == ["anna: turn"]
