"""The examples of docs/clients.md, run as they stand against the real services."""

import asyncio
import json
import re
from pathlib import Path

import pytest

import anpai
from services.local.decks import ready_decks
from services.local.verify import verify
from tests.bots.hosting import a_bot_host
from tests.one_store import store_process  # noqa: F401

DOC = Path(__file__).parents[2] / "docs" / "clients.md"


@pytest.fixture(scope="module")
def example():
    """The functions of the page, by name."""
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", DOC.read_text(), re.DOTALL):
        exec(block, names)
    return names


@pytest.fixture
async def server(house, keys_folder, quick_windows):
    address = house.matchmaking.address
    async with a_bot_host(address, keys_folder):
        yield address


@pytest.fixture
async def anna(server):
    async with anpai.connect(server) as anna:
        await anna.sign_in("Anna")
        yield anna


async def seat_beside_a_bot(anna):
    return await (await anna.enter("skirmish", seats=2, bots=1)).seat()


async def test_a_whole_game(example, server):
    outcome = await example["play"](server)

    assert outcome.reason == "played"


async def test_what_there_is(example, server, capsys):
    await example["what_there_is"](server)

    assert "skirmish standard seats 2 3 4 decks 0" in capsys.readouterr().out


async def test_bots_after_a_while(example, server):
    assert (await example["patient"](server)).seats == 4


async def test_a_party_sits_together(example, server):
    first, second = await example["together"](server)

    assert first.table_id == second.table_id
    assert first.seat != second.seat


async def test_strangers_are_asked_whether_they_are_there(server):
    asked = []

    async def is_there(check):
        asked.append((check.players, check.is_confirmed))
        return True

    async def play(name):
        async with anpai.connect(server) as house:
            await house.sign_in(name)
            ticket = await house.enter("skirmish", seats=2, ready_check=True)
            return await ticket.seat(ready=is_there)

    first, second = await asyncio.gather(play("Anna"), play("Ben"))

    assert first.table_id == second.table_id
    assert asked == [(2, False), (2, False)]


async def test_a_party_ends_for_whoever_leaves_it(anna):
    assert await anna.my_party() is None
    party = await anna.create_party()
    seen = []
    async for state in party:
        seen.append(state.version)
        await party.leave()

    assert seen == [1]
    assert await anna.my_party() is None


async def test_bringing_a_deck(example, server, capsys):
    deck = ready_decks("gwent", "duel")["northern_realms"]
    text = "\n".join(f"gwent/{face}" for face in deck)

    assert await example["bring"](server, text + "\ngwent/geralt" * 2) is None
    outcome = await example["bring"](server, text)

    told = capsys.readouterr().out
    assert "gwent/geralt - " in told
    assert "not with these: decks[0].faces[" in told
    assert outcome.reason == "played"


async def test_telling_and_answering(example, anna, capsys):
    async with anna.sit(await seat_beside_a_bot(anna)) as table:
        telling = asyncio.create_task(example["tell"](table))
        while not telling.done():
            await example["answer"](table)
            await asyncio.sleep(0.001)

    told = capsys.readouterr().out
    assert " goes to " in told
    assert "kept for good at revision" in told


async def test_coming_back_and_watching(example, server, anna, capsys):
    token = await anna.sign_in("Anna")
    seat = await seat_beside_a_bot(anna)

    await example["come_back"](server, token)
    await example["watch"](server, seat.table_id)

    told = capsys.readouterr().out
    assert f"seat {seat.seat} again" in told
    assert "2 play" in told


async def test_staying_the_same_player(example, server, anna):
    before = anna._services.wire.token
    after = await example["stay"](server, before)

    assert after != before
    seat = await seat_beside_a_bot(anna)
    async with anpai.connect(server, token=after) as again:
        assert [one.table_id for one in await again.my_seats()] == [seat.table_id]


async def test_inviting(example, server, capsys):
    code = await example["invite"](server)

    assert code in capsys.readouterr().out


async def test_what_comes_after_a_game(example, server, capsys):
    async with anpai.connect(server) as anna, anpai.connect(server) as ben:
        for one, name in ((anna, "Anna"), (ben, "Ben")):
            await one.sign_in(name)
        tickets = [await one.enter("skirmish", seats=2) for one in (anna, ben)]
        seats = await asyncio.gather(*(ticket.seat() for ticket in tickets))
        async with ben.sit(seats[1]) as table:
            await table.concede()

        again = await asyncio.gather(
            *(
                example["afterwards"](one, seat)
                for one, seat in zip((anna, ben), seats, strict=True)
            )
        )
        await example["best"](anna, "skirmish")

    assert again[0].table_id == again[1].table_id != seats[0].table_id
    told = capsys.readouterr().out
    assert "(+" in told
    assert "(-" in told
    assert "1 Anna " in told
    assert "0 of 1" in told


async def test_words(example, server, capsys):
    await example["words"](server)

    assert "士兵战" in capsys.readouterr().out


async def test_keeping_what_was_heard(example, server, anna, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    token = await anna.sign_in("Anna")
    seat = await seat_beside_a_bot(anna)

    await example["keep"](server, seat, token)

    heard = (tmp_path / "heard.jsonl").read_text().splitlines()
    disclosure = (tmp_path / "disclosure.json").read_bytes()
    report = verify(disclosure, commitment=seat.commitment, heard=heard)
    assert report.problem == ""
    first, *_, last = map(json.loads, heard[1:])
    assert report.heard == 1 + last["revision"] - first["revision"]
