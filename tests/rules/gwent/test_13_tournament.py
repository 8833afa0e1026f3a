"""RULES 13: three decks each, and games until somebody has won two."""

import pytest

from services.engine.games.gwent.board import PILE, printed
from services.engine.games.gwent.starter import ADVANCED
from services.engine.kernel import Place
from services.engine.kernel.sight import NO_ONE
from tests.rules.gwent.layout import laid_out, whole
from tests.rules.gwent.notation import NAMES

ANNAS = ["advanced_monsters", "advanced_northern_realms", "advanced_skellige"]
BENS = ["advanced_nilfgaard", "advanced_northern_realms", "advanced_skellige"]


def begun(anna="monsters", ben="northern_realms", **chance):
    """Both have chosen three decks, and the first one."""
    table = whole("tournament", **chance)
    table.anna.chooses(*ANNAS, of="choose_set")
    table.ben.chooses(*BENS, of="choose_set")
    for seat, faction in ((table.anna, anna), (table.ben, ben)):
        seat.chooses(faction, of="choose_deck")
    return table


def played(table, winner=None):
    """This game to its end: one plays units when behind, the others pass."""
    while table.asked in ("exchange", "turn"):
        act(table, winner)
    return table


def played_once(table, winner=None):
    """The same where the next game follows at once, with the same decks."""
    ended = games(table)
    while games(table) == ended:
        act(table, winner)
    return table


def games(table):
    return len(table.declared("game_drawn") + table.declared("game_won"))


def act(table, winner):
    for seat in [table.seat(number) for number in table.play.open_seats]:
        if seat.is_asked == "turn" and seat is winner and not is_ahead(seat):
            plays_a_unit(seat)
        else:
            seat.declines()


def is_ahead(seat):
    totals = seat.game.totals
    return totals[seat.seat] > totals[1 - seat.seat]


def plays_a_unit(seat):
    for card, place in seat.question.options:
        if printed(card).is_fighter and place.seat == seat.seat:
            return seat.plays(NAMES[card.face], place.name)
    raise AssertionError(f"no unit to play: {seat.playable}")


def factions(table):
    return [table.marker("faction", name) for name in ("anna", "ben")]


# -- decks ---------------------------------------------------------------------------


@pytest.mark.rule("GW-13.1")
@pytest.mark.note(77)
def test_who_brings_no_decks_chooses_three_ready_ones_unseen():
    table = whole("tournament")
    assert table.waits_for == ["anna: choose_set", "ben: choose_set"]
    assert table.anna.options == sorted(one.id for one in ADVANCED)
    assert (table.anna.question.least, table.anna.question.most) == (3, 3)
    table.anna.chooses(*ANNAS)
    assert table.marker("decks", "anna") is None
    table.ben.chooses(*BENS)
    assert table.marker("decks", "anna") == "monsters northern_realms skellige"


@pytest.mark.rule("GW-13.1")
@pytest.mark.note(77)
def test_who_does_not_choose_gets_three_by_lot():
    table = whole("tournament", lots=[4, 0, 2])
    table.anna.runs_out_of_time()
    table.ben.chooses(*BENS)
    assert table.marker("decks", "anna") == "monsters northern_realms skellige"


@pytest.mark.rule("GW-13.1")
@pytest.mark.note(77)
def test_who_brings_three_decks_plays_them():
    decks = [", ".join(NAMES[face] for face in one.deck) for one in ADVANCED[2:]]
    table = whole("tournament", decks={"anna": decks})
    assert table.waits_for == ["ben: choose_set"]
    table.ben.chooses(*BENS)
    assert table.anna.options == ["northern_realms", "scoiatael", "skellige"]


@pytest.mark.rule("GW-13.3")
@pytest.mark.note(77)
@pytest.mark.parametrize(("lot", "first"), [(0, "anna"), (1, "ben")])
def test_a_coin_names_who_chooses_the_first_deck_openly(lot, first):
    table = whole("tournament", lots=[lot])
    table.anna.chooses(*ANNAS)
    table.ben.chooses(*BENS)
    assert table.waits_for == [f"{first}: choose_deck"]
    getattr(table, first).chooses("skellige")
    assert table.marker("faction", first) == "skellige"
    other = "ben" if first == "anna" else "anna"
    assert table.waits_for == [f"{other}: choose_deck"]


# -- the next game -------------------------------------------------------------------


@pytest.mark.rule("GW-13.2", "GW-13.4")
@pytest.mark.note(77)
def test_the_winner_takes_another_deck_then_the_loser_keeps_or_changes():
    table = begun()
    played(table, table.anna)
    assert table.declared("game_won") == ["anna"]
    table.shows("anna  games: 1\nben  games: 0")
    assert table.waits_for == ["anna: choose_deck"]
    assert table.anna.options == ["northern_realms", "skellige"]
    table.anna.chooses("skellige")
    assert table.ben.options == ["nilfgaard", "northern_realms", "skellige"]
    table.ben.chooses("northern_realms")
    assert factions(table) == ["skellige", "northern_realms"]


@pytest.mark.rule("GW-13.4")
@pytest.mark.note(77)
def test_a_deck_that_has_won_is_out():
    table = begun()
    played(table, table.anna)
    table.anna.chooses("skellige")
    table.ben.chooses("nilfgaard")
    played(table, table.ben)
    table.shows("anna  games: 1\nben  games: 1")
    assert table.waits_for == ["anna: choose_deck"]
    assert table.anna.options == ["northern_realms", "skellige"]


@pytest.mark.rule("GW-13.4")
@pytest.mark.note(77)
def test_the_winner_takes_one_it_has_not_played_and_is_unasked_if_one_is_left():
    table = begun()
    played(table, table.anna)
    table.anna.chooses("skellige")
    table.ben.chooses("nilfgaard")
    played(table, table.ben)
    assert factions(table)[1] == "skellige"
    assert table.marker("played", "ben") == "nilfgaard northern_realms skellige"


@pytest.mark.rule("GW-13.2")
@pytest.mark.note(77)
def test_who_has_won_two_games_has_won():
    table = begun()
    played(table, table.ben)
    table.ben.chooses("skellige")
    table.anna.chooses("monsters")
    played(table, table.ben)
    assert table.winners == ["ben"]
    assert table.play.outcome.scores == (0, 2)


@pytest.mark.rule("GW-13.2")
@pytest.mark.note(77)
def test_three_games_may_be_needed():
    table = begun()
    played(table, table.ben)
    table.ben.chooses("skellige")
    table.anna.chooses("monsters")
    played(table, table.anna)
    table.anna.chooses("skellige")
    table.ben.chooses("nilfgaard")
    played(table, table.anna)
    assert table.winners == ["anna"]
    assert table.play.outcome.scores == (2, 1)


# -- drawn games ---------------------------------------------------------------------


@pytest.mark.rule("GW-13.2")
@pytest.mark.note(77)
def test_a_drawn_game_is_played_again_with_the_same_decks():
    table = begun()
    played_once(table)
    assert table.declared("game_drawn") == [""]
    assert table.asked == "exchange"
    assert factions(table) == ["monsters", "northern_realms"]
    table.shows("anna  games: 0   hand: 10 cards\nben  games: 0   gems: 2")


@pytest.mark.rule("GW-13.2")
@pytest.mark.note(77)
def test_after_two_drawn_games_in_all_a_third_ends_it_as_a_draw():
    table = begun()
    played(table)
    assert table.declared("game_drawn") == ["", "", ""]
    assert table.winners == ["anna", "ben"]


@pytest.mark.rule("GW-13.2")
@pytest.mark.note(77)
def test_then_the_more_games_won_decide():
    table = begun()
    played(table, table.anna)
    table.anna.chooses("skellige")
    table.ben.chooses("northern_realms")
    played(table)
    assert table.winners == ["anna"]
    assert table.play.outcome.scores == (1, 0)


# -- afresh --------------------------------------------------------------------------


@pytest.mark.rule("GW-13.5")
def test_each_game_starts_afresh():
    table = begun()
    played(table, table.anna)
    table.anna.chooses("northern_realms")
    table.ben.chooses("skellige")
    table.shows("""
        anna  The Siegemaster   hand: 10 cards   discard: nothing   gems: 2
            side deck: Bovine Defense Force
        ben  Crach   hand: 10 cards   pile: 19 cards   gems: 2
            side deck: 6 cards
    """)
    assert table.round == 0
    assert table.totals == [0, 0]
    assert table.passed == []


@pytest.mark.rule("GW-13.5")
def test_nobody_sees_what_was_left_in_hands_and_piles():
    table = begun()
    played(table, table.anna)
    put_away = table.table.cards(Place("put_away"))
    assert len(put_away) == sum(table.built.values())
    assert {table.table.seers(card) for card in put_away} == {NO_ONE}
    assert table.table.count(PILE[0]) == table.table.count(PILE[1]) == 0


@pytest.mark.rule("GW-13.5", "GW-8.1", "GW-8.4")
def test_a_leader_may_be_used_again_in_the_next_game_and_its_horn_has_ended():
    table = begun("northern_realms", "skellige")
    for seat in (table.anna, table.ben):
        seat.declines("exchange")
    table.anna.uses_leader()
    table.ben.passes()
    played_once(table, table.anna)
    table.anna.chooses("monsters")
    table.ben.chooses("northern_realms")
    assert [key for key in table.table.markers if key[0] == "horn"] == []
    table.shows("anna  Bringer of Death\nben  The Siegemaster")


@pytest.mark.rule("GW-13.2", "GW-13.4")
def test_a_tournament_is_taken_up_in_the_middle_of_a_game():
    table = laid_out(
        """
        anna  Monsters   games: 1   melee: Draug   gems: 1
        ben  Skellige, passed   games: 1   gems: 1
        """,
        "tournament",
    )
    table.anna.passes()
    assert table.winners == ["anna"]
