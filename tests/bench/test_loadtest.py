"""Locust's evenings: what visitors did is counted, and they leave when told to."""

import asyncio
import json
import os
import random
import subprocess
import sys
from time import monotonic

import pytest

import anpai
from clients.bench.asking import chosen
from clients.bench.machine import machine
from clients.bots.mind import Mind
from clients.bots.playing import Tally, play_seat
from clients.bots.strategy import faces_of
from loadtest.__main__ import EVENINGS, MOST_USERS
from tests.scale import scaled

THINK = 0.2
SHORT = "gwent"  # games at random: of many the mean is steady


def loadtest(*arguments):
    """As `make loadtest` runs it."""
    return subprocess.run(
        [sys.executable, "-m", "loadtest", *arguments, "--json"],
        capture_output=True,
        text=True,
    )


def evening(name, folder, *options):
    result = loadtest(name, "--dir", str(folder.root), *options)
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    rows = json.loads(result.stdout)["evenings"][name]
    return {row["name"]: row for row in rows}


def test_t52_many_streams_stop_cleanly_and_all_they_did_is_counted(folder, tmp_path):
    users, seconds = scaled(6, 500), scaled(5, 60)
    crowd = ("--users", str(users), "--spawn-rate", str(users))
    pace = ("--seconds", str(seconds), "--think", "0.05")

    did = evening("reconnect-storm", folder, *crowd, *pace, "--html", str(tmp_path))

    assert {"sign in", "find a seat", "take the seat", "sit", "answer"} <= set(did)
    assert did["sign in"]["times"] == users
    assert did["answer"]["times"] > users
    assert did["answer"]["mean_ms"] > 0
    report = (tmp_path / "reconnect-storm.html").read_text()
    assert "take the seat" in report


@pytest.mark.skipif(scaled(0, 1) == 0, reason="two minutes: with ANPAI_SCALE=full")
async def test_t52_sync_stubs_under_gevent_measure_what_asyncio_measures(folder, stack):
    crowd = ("--users", "100", "--spawn-rate", "100", "--seconds", "60")
    pace = ("--game", SHORT, "--think", str(THINK))
    did = await asyncio.to_thread(evening, "first-game", folder, *crowd, *pace)

    taken = await seconds_of_games(stack.server, tables=50, games=6)

    mean = 1000 * sum(taken) / len(taken)
    assert did["game"]["mean_ms"] == pytest.approx(mean, rel=0.1)


def crowdlike(view, question, faces, dice):
    """As the crowd does: who declines more often has shorter games."""
    return chosen(question.message, dice)


async def seconds_of_games(server, tables, games):
    """Of each seat and game, played by the SDK at the same pace."""
    async with anpai.connect(server) as house:
        faces = faces_of(await house.catalog(SHORT))

        async def table():
            players = [house.as_player(None) for _ in range(2)]
            for player in players:
                await player.sign_in("Bench", bot=True)
            for _ in range(games):
                room = await players[0].create_room(SHORT, seats=2)
                await asyncio.gather(*(game(player, room.code) for player in players))

        async def game(player, code):
            ticket = await player.enter(SHORT, seats=2, room=code)
            seat, mind = await ticket.seat(), Mind(crowdlike, faces, random.Random())
            began = monotonic()
            await play_seat(player, seat, mind, Tally(), THINK)
            taken.append(monotonic() - began)

        taken = []
        await asyncio.gather(*(table() for _ in range(tables)))
        return taken


def test_an_evening_nobody_named_is_refused_and_so_is_a_crowd_too_large():
    assert "invalid choice" in loadtest("masquerade").stderr
    result = loadtest("first-game", "--users", str(MOST_USERS + 1))
    assert result.returncode == 2
    assert result.stderr.startswith(f"loadtest: {MOST_USERS} users and ")


def test_a_crowd_goes_nowhere_but_to_this_machine():
    command = ("locust", "-f", "loadtest/evenings.py", "FirstGame", "--headless")
    result = subprocess.run(
        [sys.executable, "-m", *command, "--host", "10.1.2.3:7410", "--run-time", "1s"],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1
    assert "loadtest: 10.1.2.3:7410 is not on this machine" in result.stderr


def test_each_evening_says_what_it_is_about():
    names = {"first-game", "party", "reconnect-storm", "rolling-restart", "spectators"}
    assert set(EVENINGS) == names
    assert all(evening.about for evening in EVENINGS.values())


def test_the_machine_is_named_with_what_ran_on_it():
    told = machine()
    assert told["cores"] == os.cpu_count()
    assert {"cpu", "python", "grpcio", "anpai"} <= set(told)
