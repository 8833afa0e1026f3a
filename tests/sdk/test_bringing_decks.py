"""Decks from the ticket to the table to the disclosure, by the real services."""

import asyncio

import pytest

import anpai
from services.local.verify import verify
from tests.one_store import store_process  # noqa: F401
from tests.services.menagerie import ANIMALS, ids, opened_to_visitors
from tests.stores import keyspace

HERD = ids("okapi", "takin", "saola")
FLOCK = ids("vicuna", "vicuna", "vicuna")


@pytest.fixture(autouse=True)
def menagerie(monkeypatch):
    with opened_to_visitors(monkeypatch):
        yield


@pytest.fixture
async def players(house):
    async with anpai.connect(house.matchmaking.address) as desk:
        players = [desk.as_player(None) for _ in range(2)]
        for number, player in enumerate(players):
            await player.sign_in(f"Keeper {number}", bot=True)
        yield players


async def played(player, seat, **more):
    """To the end; every face that was seen in one's own hand or row."""
    seen = set()
    async with player.sit(seat, **more) as table:
        async for _ in table:
            for name in ("hand", "row"):
                cards = anpai.cards_in(table.view, name, table.seat)
                seen |= {card.face for card in cards}
            if table.question:
                await table.answer(table.question.options[0])
    return seen


async def test_the_decks_of_the_ticket_come_to_the_table_by_themselves(players):
    anna, ben = players
    mine = await anna.enter("menagerie", seats=2, decks=[FLOCK])
    theirs = await ben.enter("menagerie", seats=2)
    seats = await asyncio.gather(mine.seat(), theirs.seat())

    seen = await asyncio.gather(played(anna, seats[0]), played(ben, seats[1]))

    assert seen == [set(ids("vicuna")), set(ids("quagga"))]


async def test_a_ticket_that_is_iterated_brings_its_decks_too(players):
    anna, _ = players
    ticket = await anna.enter("menagerie", variant="alone", seats=1, decks=[FLOCK])
    async for state in ticket:
        seat = state.assignment

    assert await played(anna, seat) == set(ids("vicuna"))


async def test_decks_can_be_named_when_sitting_down(players):
    anna, _ = players
    ticket = await anna.enter("menagerie", variant="alone", seats=1, decks=[HERD])

    seen = await played(anna, await ticket.seat(), decks=[FLOCK])

    assert seen == set(ids("vicuna"))


async def test_t14_a_deck_that_may_not_be_played_gets_no_ticket_and_no_seat(players):
    anna, _ = players
    bad = ids("okapi", "dodo", "takin")

    with pytest.raises(anpai.DeckIllegal) as refused:
        await anna.enter("menagerie", seats=2, decks=[bad])
    ticket = await anna.enter("menagerie", variant="alone", seats=1)
    seat = await ticket.seat()
    with pytest.raises(anpai.DeckIllegal) as again:
        await played(anna, seat, decks=[bad])

    assert refused.value.message == "There is no such animal."
    assert refused.value.violations == (
        anpai.Violation("decks[0].faces[1]", "There is no such animal."),
    )
    assert again.value.violations == refused.value.violations
    assert await played(anna, seat, decks=[FLOCK]) == set(ids("vicuna"))


async def test_decks_can_be_checked_before_anything_else(players):
    anna, _ = players

    assert await anna.check_decks("menagerie", [HERD]) == []
    (fault,) = await anna.check_decks(
        "menagerie", [HERD, FLOCK], variant="cup", locale="zh-CN"
    )

    assert (fault.deck, fault.message) == (2, "锦标赛需要3套牌组。")


async def test_friends_bring_each_his_own_decks_to_a_room(players):
    anna, ben = players
    room = await anna.create_room("menagerie", seats=2)
    tickets = [
        await player.enter("menagerie", seats=2, room=room.code, decks=[deck])
        for player, deck in ((anna, FLOCK), (ben, HERD))
    ]
    seats = [await ticket.seat() for ticket in tickets]

    seen = await asyncio.gather(played(anna, seats[0]), played(ben, seats[1]))

    assert [seat.seat for seat in seats] == [0, 1]
    assert seen[0] == set(ids("vicuna"))
    assert seen[1] < set(HERD)


async def test_decks_are_disclosed_after_the_game_and_nowhere_before(
    house, players, valkey, capfd, tmp_path
):
    anna, _ = players
    record = tmp_path / "heard.jsonl"
    ticket = await anna.enter("menagerie", variant="alone", seats=1, decks=[FLOCK])
    seat = await ticket.seat()
    with pytest.raises(anpai.DeckIllegal):
        await played(anna, seat, decks=[ids("okapi", "dodo")])
    async with anna.sit(seat, record=record) as table:
        kept, said = (
            keyspace(valkey, "engine", "matchmaking", "vault"),
            capfd.readouterr(),
        )
        await table.answer(table.question.options[0])

    disclosure = await anna.disclosure(seat.table_id)
    report = verify(disclosure, commitment=seat.commitment)

    assert report.problem == ""
    assert b'["vicuna vicuna vicuna"]' in disclosure
    measured = {
        text
        for service in house.all
        for metric in service.metrics.registry.collect()
        for sample in metric.samples
        for text in sample.labels.values()
    }
    assert '"decks":1' in kept
    told = f"{kept} {said.out} {said.err} {measured}"
    assert [name for name in ANIMALS if name in told] == []
