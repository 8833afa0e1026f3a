"""A bot host takes the seats it is called for, plays them out, and stops cleanly."""

import asyncio
import json
import os
import random
import re
import signal
import sys

import grpc
import pytest

import anpai
from anpai import Assignment, BotCall, TooMany
from clients.bots.config import Config, config_from
from clients.bots.host import Host
from clients.bots.mind import Mind
from clients.bots.notebook import Notebook
from clients.bots.playing import Tally, play_seat
from clients.bots.strategies import STRATEGIES
from clients.bots.strategy import faces_of, plainest
from tests.bots.hosting import a_bot_host
from tests.evenings.processes import read
from tests.one_store import store_process  # noqa: F401
from tests.sdk.waiting import until


async def a_game(player, seats=2, strategy=""):
    """Play one game with bots at all other seats; the outcome."""
    ticket = await player.enter(
        "skirmish", seats=seats, bots=seats - 1, strategy=strategy
    )
    return await play_on(player, await ticket.seat())


async def play_on(player, seat):
    faces = faces_of(await player.catalog("skirmish"))
    mind = Mind(STRATEGIES["random"], faces, random.Random(1))
    return await play_seat(player, seat, mind, Tally())


async def test_a_person_plays_with_bots_at_all_other_seats(
    house, anna, keys_folder, quick_windows
):
    async with a_bot_host(house.matchmaking.address, keys_folder) as host:
        outcome = await a_game(anna, seats=4)
        await until(lambda: host.playing == 0)

    assert outcome.reason == "played"
    assert host.tally.errors == {}


async def test_bots_play_as_they_were_wished(
    house, anna, keys_folder, quick_windows, monkeypatch
):
    asked = []

    def timid(view, question, faces, chance):
        asked.append(question.name)
        return plainest(question)

    monkeypatch.setitem(STRATEGIES, "timid", timid)
    async with a_bot_host(house.matchmaking.address, keys_folder):
        await a_game(anna, strategy="timid")

    assert "place" in asked


async def test_a_host_tells_operators_its_numbers(
    house, anna, keys_folder, tmp_path, quick_windows, monkeypatch
):
    def stubborn(view, question, faces, chance):
        raise KeyError("skirmish/gamble")

    monkeypatch.setitem(STRATEGIES, "stubborn", stubborn)
    told = tmp_path / "bots.json"
    more = {"metrics_listen": "127.0.0.1:0", "address_file": told}
    async with a_bot_host(house.matchmaking.address, keys_folder, **more) as host:
        await a_game(anna, strategy="stubborn")
        await until(lambda: host.playing == 0)
        address = json.loads(told.read_text())["metrics"]
        page = await asyncio.to_thread(read, f"http://{address}/metrics")

        assert await asyncio.to_thread(read, f"http://{address}/healthz") == "ok\n"
    numbers = dict(re.findall(r"^anpai_bot_(\w+) (\S+)$", page, re.MULTILINE))
    assert numbers["seats_playing"] == "0.0"
    assert float(numbers["fallbacks_total"]) > 0
    assert numbers["answers_total"] == numbers["fallbacks_total"]
    assert float(numbers["think_seconds_count"]) >= float(numbers["answers_total"])


async def test_a_host_whose_loop_stands_does_not_live(monkeypatch, keys_folder):
    monkeypatch.setattr("clients.bots.host.STANDS_AFTER", 0.0)

    assert not Host(Config("nowhere:1", keys_folder), None).lives


async def test_beyond_its_capacity_a_call_waits_for_a_free_seat(
    house, anna, keys_folder, quick_windows
):
    async with a_bot_host(house.matchmaking.address, keys_folder, capacity=1) as host:
        games = [asyncio.create_task(a_game(anna)) for _ in range(3)]
        while not all(game.done() for game in games):
            assert host.playing <= 1
            await asyncio.sleep(0.01)

    assert [game.result().reason for game in games] == ["played"] * 3


async def test_a_host_that_starts_again_plays_its_seats_on(
    house, anna, keys_folder, tmp_path, quick_windows
):
    address, kept = house.matchmaking.address, tmp_path / "seats.json"
    ticket = await anna.enter("skirmish", seats=2, bots=1)
    async with a_bot_host(address, keys_folder, seats_file=kept) as host:
        seat = await ticket.seat()
        await until(lambda: host.playing == 1)

    async with a_bot_host(address, keys_folder, seats_file=kept) as host:
        outcome = await play_on(anna, seat)
        await until(lambda: host.playing == 0)

    assert outcome.reason == "played"
    assert json.loads(kept.read_text()) == {}
    assert kept.stat().st_mode & 0o777 == 0o600


async def test_a_seat_is_taken_later_where_too_many_calls_were_made(
    house, anna, keys_folder, quick_windows, monkeypatch
):
    refusals = [TooMany(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY", "Slowly.")]

    async def play(*told):
        if refusals:
            raise refusals.pop()
        return await play_seat(*told)

    monkeypatch.setattr("clients.bots.host.play_seat", play)
    monkeypatch.setattr("clients.bots.host.PAUSE", 0.01)
    async with a_bot_host(house.matchmaking.address, keys_folder) as host:
        outcome = await asyncio.wait_for(a_game(anna), 60)

    assert outcome.reason == "played"
    assert host.tally.errors == {}


async def test_a_call_that_comes_again_is_confirmed_and_played_once(
    house, tmp_path, keys_folder, monkeypatch
):
    played = asyncio.Event()
    monkeypatch.setattr("clients.bots.host.play_seat", lambda *told: played.wait())
    address = house.matchmaking.address
    call = BotCall(call_id="c-1", assignment=Assignment(table_id="t-1"))
    async with anpai.connect(address) as player:
        host = Host(Config(address, keys_folder, seats_file=tmp_path / "seats"), player)
        host._faces[""] = {}
        desk = player.host(["skirmish"], capacity=5)
        for _ in range(2):
            desk.hold()
            host._begin(desk, call)
        await asyncio.sleep(0)
        assert (host.playing, desk.free) == (1, 4)
        played.set()
        await until(lambda: host.playing == 0)

    assert desk.free == 5
    assert Notebook(tmp_path / "seats").read() == []


def test_seats_that_cannot_be_read_are_named(tmp_path):
    kept = tmp_path / "seats.json"
    for damaged in ("", "[]", '{"c-1": "?"}'):
        kept.write_text(damaged)
        with pytest.raises(ValueError, match=r"seats\.json is damaged"):
            Notebook(kept).read()


async def test_the_process_offers_seats_and_stops_when_asked(
    house, anna, keys_folder, tmp_path, quick_windows
):
    told = tmp_path / "bots.json"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "clients.bots.host"),
        env=os.environ
        | {
            "ANPAI_SERVER": house.matchmaking.address,
            "ANPAI_KEYS": str(keys_folder),
            "ANPAI_ADDRESS_FILE": str(told),
        },
        stderr=asyncio.subprocess.PIPE,
    )
    outcome = await a_game(anna)
    process.send_signal(signal.SIGTERM)
    _, log = await asyncio.wait_for(process.communicate(), 60)

    assert outcome.reason == "played"
    assert process.returncode == 0
    assert json.loads(told.read_text())["games"]
    assert "Traceback" not in log.decode()
    assert [json.loads(line)["event"] for line in log.splitlines()][-1] == "stopped"


@pytest.mark.parametrize(
    ("environ", "complaint"),
    [
        ({}, "ANPAI_KEYS is not set"),
        ({"ANPAI_KEYS": "k", "ANPAI_CAPACITY": "many"}, "ANPAI_CAPACITY must be"),
        ({"ANPAI_KEYS": "k", "ANPAI_METRICS_LISTEN": "here"}, "must be host:port"),
        ({"ANPAI_KEYS": "k", "ANPAI_TLS_CERT": "c"}, "belong together"),
    ],
)
def test_a_bad_setting_is_one_sentence(environ, complaint):
    with pytest.raises(ValueError, match=complaint):
        config_from(environ)
