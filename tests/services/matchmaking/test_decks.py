"""Decks at the ticket: judged by the engine, and forgotten."""

from uuid import uuid4

from tests.services.matchmaking.players import refused, state_of, wish
from tests.stores import keyspace

GWENT = wish("gwent", bots=1)
ACES = ["gwent/ace", "gwent/ace"]


async def test_decks_that_may_be_played_make_a_ticket(house, engines):
    anna = await house.sign_in()

    ticket = await anna.ticket(GWENT, decks=[ACES])

    assert state_of(ticket) == "QUEUED"
    (asked,) = [one for engine in engines for one in engine.checked]
    assert (asked.game, asked.variant) == ("gwent", "usual")
    assert [list(deck.faces) for deck in asked.decks] == [ACES]


async def test_t14_decks_that_may_not_be_played_make_none(house):
    anna = await house.sign_in()

    with refused("DECK_ILLEGAL") as error:
        await anna.ticket(GWENT, decks=[[*ACES, "gwent/deuce"], ["gwent/trey"]])

    assert error.value.message == "Deck 1: No deuce. Deck 2: No trey."
    assert error.value.metadata == {"game": "gwent", "variant": "usual"}
    assert error.value.violations == (
        ("decks[0].faces[2]", "Deck 1: No deuce."),
        ("decks[1].faces[0]", "Deck 2: No trey."),
    )
    assert (await anna.ticket(GWENT)).waiting == 1


async def test_in_a_room_decks_are_judged_for_what_is_played_there(house, engines):
    anna, ben = await house.players(2)
    room = await anna.room(wish("gwent", variant="team", seats=4))
    inside = wish("skirmish", room_code=room.code)

    await ben.ticket(inside, decks=[ACES])
    with refused("DECK_ILLEGAL"):
        await anna.ticket(inside, decks=[["gwent/deuce"]])

    asked = [one for engine in engines for one in engine.checked]
    assert {(one.game, one.variant) for one in asked} == {("gwent", "team")}


async def test_a_repeated_request_gets_its_ticket_whatever_it_brings(house):
    anna = await house.sign_in()
    request = str(uuid4())
    made = await anna.ticket(wish("gwent"), request, decks=[ACES])

    again = await anna.ticket(wish("gwent"), request, decks=[["gwent/deuce"]])

    assert again == made


async def test_while_no_engine_knows_no_ticket_is_made(house, engines):
    anna = await house.sign_in()
    await anna.ticket(wish("gwent"))
    for engine in engines:
        engine.is_down = True

    with refused("PART_UNAVAILABLE"):
        await anna.ticket(wish("gwent"), decks=[ACES])


async def test_matchmaking_keeps_nothing_of_decks(house, valkey, capfd):
    anna = await house.sign_in()

    await anna.ticket(wish("gwent"), decks=[ACES])
    with refused("DECK_ILLEGAL"):
        await anna.ticket(wish("gwent"), decks=[["gwent/deuce"]])

    kept, said = keyspace(valkey, "matchmaking"), capfd.readouterr()
    assert '"game":"gwent"' in kept
    for face in ("gwent/ace", "gwent/deuce"):
        assert face not in kept + said.out + said.err
