"""Searching a deck, many markers at once, decks that seats bring, teams."""

from services.engine.kernel import Catalog, Game, Place, Text, Variant, ranked, team
from services.engine.kernel.event import CardsMoved, Ended, MarkersPut
from services.engine.projection import view_for
from services.local.table import LocalTable
from tests.services.engine.kernel.small import DECK, DISCARD, HAND, last, table_of


def test_a_deck_gives_the_cards_looked_for_from_its_top_and_keeps_the_rest():
    lots = {}

    async def rule(table):
        wanted = {f"face-{number}": DISCARD for number in range(15)}
        lots["all"] = table.count(DECK)
        lots["two"] = await table.find(DECK, wanted, 2)
        lots["rest"] = await table.find(DECK, wanted)

    table_of(rule)

    assert len(lots["two"]) == 2
    assert len(lots["two"]) + len(lots["rest"]) == lots["all"]
    assert all(card.face_up and card.face for card in lots["rest"])


def test_cards_found_go_each_to_its_faces_place_as_one_event():
    other = Place("discard", 1)

    async def rule(table):
        left, right = range(0, 15, 2), range(1, 15, 2)
        places = {f"face-{n}": DISCARD for n in left}
        await table.find(DECK, places | {f"face-{n}": other for n in right})

    moves = last(table_of(rule), CardsMoved).cards

    assert {move.to for move in moves} == {DISCARD, other}
    assert all(int(m.face[5:]) % 2 == (m.to == other) for m in moves)


def test_a_search_that_finds_nothing_is_no_event():
    async def rule(table):
        before = len(table.events)
        assert await table.find(DECK, {"face-99": DISCARD}) == []
        assert len(table.events) == before

    table_of(rule)


def test_markers_of_many_cards_are_one_event_of_what_is_new():
    async def rule(table):
        one, two = await table.draw(DECK, 2, DISCARD)
        table.mark_all("strength", {one: "3", two: "4"})
        table.mark_all("strength", {one: "3", two: "5"})
        table.mark_all("strength", {one: "3", two: "5"})

    told = [e for e in table_of(rule).events if isinstance(e, MarkersPut)]

    assert [len(event.marks) for event in told] == [2, 1]
    assert told[1].marks[0][1] == "5"


def paired(rule):
    """Four seats in two teams; each seat may bring a deck."""

    async def game(table):
        await table.build(DECK, [f"face-{number}" for number in range(8)])
        await table.deal(DECK, {Place("hand", seat): 2 for seat in table.seats})
        await rule(table)
        return ranked((0,) * 4)

    pairs = Variant("pairs", (4,), Text("", ""), decks=1, teams=(0, 1, 0, 1))
    sight = {"hand": team}
    return Game("small", Text("", ""), (pairs,), game, sight, Catalog({}, {}), "1")


async def wait(table):
    await table.ask(0, "wait", table.cards(HAND[0]))


def test_partners_see_one_anothers_hands_and_nobody_elses():
    table = LocalTable(paired(wait), 4, seed=1)

    for viewer, seen in ((0, {0, 2}), (3, {1, 3}), (None, set())):
        lying = view_for(table.play, viewer).places
        hands = [one for one in lying if one.place.name == "hand"]
        assert {one.place.seat for one in hands if one.cards} == seen


def test_a_game_ends_when_only_one_team_is_left():
    table = LocalTable(paired(wait), 4, seed=1)

    table.concede(1)
    assert table.outcome is None
    table.concede(3)

    assert isinstance(table.events[-1], Ended)


def test_a_deck_brought_is_sealed_and_the_rules_have_it():
    heard = {}

    async def rule(table):
        heard.update(table.brought)
        await wait(table)

    table = LocalTable(paired(rule), 4, seed=1, decks={2: [("b", "a")]})

    assert heard == {2: (("a", "b"),)}
    assert table.entries[3].is_sealed
    assert '"a b"' not in table.entries[3].text()
    assert table.ledger[0].operations == ((2, ("a b",), "seal"),)
    table.abandon()
    assert '"a b"' in table.disclosure()


def test_partners_share_what_their_team_has_where_a_game_ends_early():
    async def rule(table):
        table.set_counter("total", 5, 0)
        table.set_counter("total", 3, 1)
        await wait(table)

    table = LocalTable(paired(rule), 4, seed=1)

    table.concede(1)
    table.concede(3)

    assert table.outcome.scores == (5, 3, 5, 3)
    assert table.outcome.ranks == (1, 4, 1, 3)
