"""RULES 1: decks are chosen, laid out and dealt; the exchange."""

import pytest

from tests.rules.gwent.layout import gwent, whole

NORTH = "King of Temeria, 3 Commando, 4 Poor Infantry, 3 Siege Expert, 12 Ves"
BEARS = "Crach an Craite, Berserker, 3 Craite Warrior, 3 Shield Maiden, 15 Donar"
ELVES = "The Beautiful, 5 Mahakaman Defender, 3 Havekar Smuggler, 14 Barclay"
DAISY = "Daisy of the Valley, 5 Mahakaman Defender, 3 Havekar Smuggler, 14 Barclay"


def dealt(anna=NORTH, ben=BEARS, lots=()):
    """Both have brought a deck, and look at their first hands."""
    return whole(decks={"anna": [anna], "ben": [ben]}, lots=lots)


def kept(anna=NORTH, ben=BEARS, lots=()):
    """The same, and both keep their hands."""
    table = dealt(anna, ben, lots)
    table.anna.declines("exchange")
    table.ben.declines("exchange")
    return table


# -- decks -----------------------------------------------------------------------------


@pytest.mark.rule("GW-1.4")
def test_who_brings_no_deck_chooses_one_of_five_all_at_once_and_unseen():
    table = whole()
    assert table.waits_for == ["anna: choose_deck", "ben: choose_deck"]
    assert len(table.anna.options) == 5
    before = len(table.events)
    table.anna.chooses("starter_monsters")
    assert len(table.events) == before
    assert table.marker("faction", "anna") is None
    table.ben.chooses("starter_monsters")
    assert [table.marker("faction", one) for one in ("anna", "ben")] == ["monsters"] * 2


@pytest.mark.rule("GW-1.4")
def test_who_brought_a_deck_is_not_asked():
    table = whole(decks={"anna": [NORTH]})
    assert table.waits_for == ["ben: choose_deck"]
    table.ben.chooses("starter_skellige")
    table.shows("anna  King of Temeria   hand: 10 cards   pile: 12 cards")


@pytest.mark.rule("GW-1.4", "GW-1.10")
def test_who_does_not_choose_a_deck_gets_one_by_lot():
    table = whole(decks={"anna": [NORTH]}, lots=[4])
    table.ben.runs_out_of_time()
    assert table.marker("faction", "ben") == "skellige"


@pytest.mark.note(74)
@pytest.mark.rule("GW-1.5")
def test_leaders_and_side_decks_lie_face_up_and_the_rest_face_down():
    table = dealt()
    table.shows("""
        anna  King of Temeria   hand: 10 cards   pile: 12 cards
              side deck: Bovine Defense Force
        ben   Crach an Craite   hand: 10 cards   pile: 12 cards
              side deck: Bovine, Hemdall, Transformed Vildkaarl, 3 Young Vildkaarl
    """)
    for open_to_all in ("King of Temeria", "Crach an Craite", "Hemdall"):
        assert table.public_sees(open_to_all)
    assert table.built["pile:0"] == table.built["pile:1"] == 22


# -- who starts ------------------------------------------------------------------------


@pytest.mark.rule("GW-1.6")
@pytest.mark.parametrize(("coin", "starts"), [(0, "anna"), (1, "ben")])
def test_a_coin_names_who_starts(coin, starts):
    assert kept(lots=[coin]).waits_for == [f"{starts}: turn"]


@pytest.mark.note(67)
@pytest.mark.rule("GW-1.6")
@pytest.mark.parametrize("starts", ["anna", "ben"])
def test_scoiatael_say_who_starts(starts):
    table = dealt(ben=ELVES)
    table.ben.chooses(starts, of="who_begins")
    table.anna.declines("exchange")
    table.ben.declines("exchange")
    assert table.waits_for == [f"{starts}: turn"]


@pytest.mark.note(67)
@pytest.mark.case(54)
@pytest.mark.rule("GW-1.6", "GW-1.10")
def test_scoiatael_who_do_not_say_start_themselves():
    table = dealt(ben=ELVES)
    table.ben.runs_out_of_time()
    assert table.marked("starts") == ["ben"]


@pytest.mark.case(56)
@pytest.mark.note(67)
@pytest.mark.rule("GW-1.6")
def test_of_two_scoiatael_the_coin_decides_and_the_game_begins():
    table = kept(anna=ELVES, ben=ELVES, lots=[1])
    assert table.waits_for == ["ben: turn"]


# -- hands -----------------------------------------------------------------------------


@pytest.mark.note(75)
@pytest.mark.rule("GW-1.7")
def test_everyone_draws_ten_cards():
    table = dealt()
    assert len(table.anna.hand) == len(table.ben.hand) == 10


@pytest.mark.note(73)
@pytest.mark.rule("GW-1.7")
def test_daisy_of_the_valley_draws_eleven_before_the_exchange():
    table = dealt(ben=DAISY)
    assert (len(table.anna.hand), len(table.ben.hand)) == (10, 11)


@pytest.mark.note(73)
@pytest.mark.case(64)
@pytest.mark.rule("GW-1.8")
def test_two_cards_may_be_exchanged_one_after_the_other_out_of_the_own_pile():
    table = dealt()
    table.ben.declines("exchange")
    table.anna.chooses("Commando", of="exchange")
    table.shows("anna  hand: 10 cards   pile: 11 cards   aside: Commando")
    table.anna.chooses("Poor Infantry", of="exchange")
    table.shows("anna  hand: 10 cards   pile: 12 cards   aside: nothing")
    assert table.shuffled[-1] == "anna's pile"
    assert table.waits_for == ["anna: turn"]


@pytest.mark.note(73)
@pytest.mark.rule("GW-1.8")
def test_a_card_set_aside_cannot_be_drawn_again():
    table = dealt(anna="King of Temeria, 11 Ves, Commando")
    table.ben.declines("exchange")
    table.anna.chooses("Commando", of="exchange")
    assert table.anna.hand == ["Ves"] * 10
    table.anna.chooses("Ves", of="exchange")
    table.shows("anna  hand: 10 Ves   pile: Commando, Ves")


@pytest.mark.rule("GW-1.8")
def test_all_exchange_together_and_nobody_sees_who_is_done():
    table = dealt()
    assert table.waits_for == ["anna: exchange", "ben: exchange"]
    before = len(table.events)
    table.anna.chooses("Commando", of="exchange")
    assert len(table.events) == before
    table.ben.chooses("Donar", of="exchange")
    assert table.waits_for == ["anna: exchange", "ben: exchange"]


@pytest.mark.note(73)
@pytest.mark.case(47)
@pytest.mark.rule("GW-1.8")
def test_who_keeps_the_hand_is_not_asked_a_second_time():
    table = dealt()
    table.anna.declines("exchange")
    table.ben.chooses("Donar", of="exchange")
    assert table.waits_for == ["ben: exchange"]


@pytest.mark.rule("GW-1.8", "GW-1.10")
def test_who_runs_out_of_time_keeps_the_hand():
    table = dealt()
    hand = table.anna.hand
    table.anna.runs_out_of_time()
    table.ben.runs_out_of_time()
    assert table.anna.hand == hand
    assert table.waits_for == ["anna: turn"]


# -- who knows what --------------------------------------------------------------------


@pytest.mark.rule("GW-1.9")
def test_a_hand_is_known_to_its_holder_alone():
    table = dealt()
    assert table.anna.sees("Commando")
    assert not table.ben.sees("Commando")
    assert not table.public_sees("Commando")


@pytest.mark.rule("GW-1.9")
def test_cards_set_aside_are_known_to_their_owner_alone():
    table = dealt(anna="King of Temeria, Commando, 12 Ves")
    table.anna.chooses("Commando", of="exchange")
    table.ben.chooses("Donar", of="exchange")
    table.shows("anna  aside: Commando")
    assert table.anna.sees("Commando")
    assert not table.ben.sees("Commando")


@pytest.mark.rule("GW-1.9")
def test_all_that_lies_on_the_table_is_public():
    table = gwent("""
        anna  The Siegemaster   melee: Ves   ranged slot: Mardroeme   discard: Keira
        ben   siege: Thaler {by anna}
        weather: Biting Frost
    """)
    for name in ("Siegemaster", "Ves", "Mardroeme", "Keira", "Thaler", "Frost"):
        assert table.public_sees(name)


@pytest.mark.rule("GW-1.10")
def test_a_choice_is_left_out_only_where_what_all_see_leaves_none():
    table = gwent("""
        anna  hand: Birna, Ves   discard: Zoltan, Scorch, Geralt
        ben   hand: 2 cards
    """)
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna, Zoltan   discard: Scorch, Geralt")
    assert table.waits_for == ["ben: turn"]


@pytest.mark.rule("GW-1.10")
def test_a_single_card_in_hand_is_asked_for_all_the_same():
    table = gwent("anna  hand: Ves   pile: nothing")
    assert table.waits_for == ["anna: turn"]
    assert table.anna.may_decline
