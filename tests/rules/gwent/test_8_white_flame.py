"""RULES 8: Emhyr, The White Flame, in every mode."""

import pytest

from services.engine.games.gwent import play
from services.engine.games.gwent.board import AUTOMATON_LEADERS, LEADER
from tests.rules.gwent.layout import gwent, laid_out, stands, team, whole

MODES = ["team", "free-for-all"]

# -- two seats -----------------------------------------------------------------------


@pytest.mark.rule("GW-8.14")
@pytest.mark.case(61)
@pytest.mark.parametrize("variant", ["duel", "advanced", "tournament"])
def test_against_the_white_flame_no_leader_is_used(variant):
    text = """
        anna  Siegemaster   hand: Ves
        ben   White Flame
    """
    table = laid_out(text, variant)
    assert table.anna.options == ["Ves to melee"]
    assert table.marker("cancelled", "Siegemaster") == ""
    assert table.marker("cancelled", "White Flame") is None


@pytest.mark.rule("GW-8.14", "GW-3.4")
def test_an_undone_leader_keeps_nobody_from_passing_unasked():
    table = gwent("""
        anna  Siegemaster   hand: nothing
        ben   White Flame   hand: Ves
    """)
    assert table.waits_for == ["ben: turn"]


@pytest.mark.rule("GW-8.14", "GW-8.21")
def test_against_the_white_flame_the_treacherous_doubles_nothing():
    stands("""
        anna  Treacherous   melee: Vattier 4 {by ben}
        ben   White Flame
    """)


@pytest.mark.rule("GW-8.14", "GW-8.28")
def test_against_the_white_flame_king_bran_halves_nothing():
    stands("""
        anna  King Bran     melee: Blueboy 1
        ben   White Flame
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-8.14", "GW-8.16")
def test_against_the_white_flame_the_invader_draws_no_lot():
    table = gwent("""
        anna  Invader       hand: Birna   discard: Ves, Zoltan
        ben   White Flame
    """)
    table.anna.plays("Birna")
    assert table.waits_for == ["anna: medic"]


ELVES = "Daisy, 5 Mahakaman, 3 Elven Skirmisher, 3 Dwarven, Milva, Iorveth"


def dealt(*decks):
    """How many cards each seat is dealt of these decks."""
    seats = ("anna", "ben")
    table = whole(decks={s: [deck] for s, deck in zip(seats, decks, strict=True)})
    return [len(table.anna.hand), len(table.ben.hand)]


@pytest.mark.rule("GW-8.14", "GW-8.24")
def test_against_the_white_flame_daisy_is_dealt_ten():
    flame = "White Flame, 4 Impera, 3 Nausicaa, 2 Black Infantry, Cynthia, Vanhemar"
    assert dealt(ELVES, flame) == [10, 10]


@pytest.mark.rule("GW-8.14")
def test_two_white_flames_undo_each_other_and_nothing_else():
    table = gwent("""
        anna  White Flame   hand: Ves
        ben   White Flame
    """)
    flames = [table.table.cards(LEADER[seat])[0] for seat in (0, 1)]
    assert [table.table.marker("cancelled", card) for card in flames] == ["", ""]
    assert table.anna.options == ["Ves to melee"]


# -- more ----------------------------------------------------------------------------


@pytest.mark.rule("GW-14.9", "GW-8.14")
@pytest.mark.note(84)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("flame", ["ben", "cleo"])
def test_the_white_flame_undoes_all_other_leaders_a_partners_too(mode, flame):
    others = {"ben": "cleo", "cleo": "ben"}
    table = laid_out(
        f"""
        anna  Siegemaster   hand: Ves
        {flame}  White Flame
        {others[flame]}  Red Riders   hand: Ves
        dan  The Beautiful
        """,
        mode,
    )
    undone = ("Siegemaster", "Red Riders", "The Beautiful")
    assert [table.marker("cancelled", one) for one in undone] == [""] * 3
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-14.9", "GW-8.14")
@pytest.mark.note(84)
@pytest.mark.parametrize("mode", MODES)
def test_two_white_flames_leave_no_leader_at_all(mode):
    table = laid_out(
        "anna  Siegemaster   hand: Ves\nben  White Flame\ncleo  White Flame\ndan", mode
    )
    assert table.marker("cancelled", "Siegemaster") == ""
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-14.9", "GW-8.21", "GW-8.28")
@pytest.mark.note(84)
def test_the_white_flame_undoes_passive_ones_of_partner_and_opponents():
    table = team("""
        anna  White Flame   melee: Vattier 1 {by ben}
        ben   Treacherous
        cleo  King Bran     melee: Vesemir 1
        weather: Biting Frost
    """)
    assert table.totals == [2, 0]


# -- alone ---------------------------------------------------------------------------


def led_by(face, text):
    """Solo, with this as the one leader that the automaton may turn up."""

    async def go_on(table):
        await table.build(AUTOMATON_LEADERS, [face])
        return await play.go_on(table)

    return laid_out(text, "solo-leaders", go_on)


@pytest.mark.rule("GW-8.14", "GW-16.15")
def test_against_the_seats_white_flame_the_automatons_leader_does_nothing():
    table = led_by(
        "foltest_siegemaster",
        """
        anna  White Flame   melee: Vesemir, Redanian
        automaton  Northern Realms   siege: Siege Tower
        """,
    )
    table.anna.passes()
    assert table.declared("automaton_leads") == [""]
    assert table.marker("cancelled", "Siegemaster") == ""
    assert table.gems == [2, 1]


@pytest.mark.rule("GW-8.14", "GW-16.16")
def test_the_automatons_white_flame_undoes_the_seats_leader_from_then_on():
    table = led_by(
        "emhyr_white_flame",
        """
        anna  King Bran   melee: 5 Mahakaman 3
        automaton  Nilfgaard   melee: Letho 10
        weather: Biting Frost
        """,
    )
    table.anna.passes()
    assert table.marker("cancelled", "King Bran") == ""
    assert table.gems == [1, 2]
