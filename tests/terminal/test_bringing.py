"""Decks from files, brought to tables by `play`, `bot` and `demo`."""

import asyncio
import json

import pytest
from typer.testing import CliRunner

from clients.terminal.__main__ import app
from clients.terminal.installed import catalog_of
from tests.services.menagerie import opened_to_visitors

HERD = "takin\n中南大羚\n1 okapi\n"
ALONE = ("--variant", "alone")


@pytest.fixture(autouse=True)
def menagerie(monkeypatch):
    with opened_to_visitors(monkeypatch):
        yield
    catalog_of.cache_clear()


@pytest.fixture
def run(house, tmp_path, monkeypatch):
    """Runs a command against services in this very process."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)

    async def command(*arguments):
        where = ("--server", house.matchmaking.address, "--lang", "en")
        invoke = CliRunner().invoke
        result = await asyncio.to_thread(invoke, app, [*arguments, *where])
        assert "fault of anpai's own" not in result.output
        return result

    return command


@pytest.fixture
def file(tmp_path):
    def write(text, name="mine.deck"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


async def test_a_demo_is_played_with_the_decks_it_is_given(run, file, tmp_path):
    options = ("--game", "menagerie", *ALONE, "--tables", "1", "--json")

    result = await run("demo", *options, "--deck", file(HERD))

    told = json.loads(result.stdout.splitlines()[-1])
    assert (result.exit_code, told["verified"]) == (0, 1)
    (game,) = told["games"]
    await run("export", game["table"], "-o", str(tmp_path / "game.json"))
    assert "okapi saola takin" in (tmp_path / "game.json").read_text()


async def test_bots_of_ones_own_bring_the_decks_they_are_given(run, file):
    options = ("--game", "menagerie", "--variant", "cup", "--json")
    decks = [file(HERD, f"{name}.deck") for name in "abc"]
    given = [part for deck in decks for part in ("--deck", deck)]

    result = await run("bot", *options, "--strategy", "random", *given)

    told = json.loads(result.stdout.splitlines()[-1])
    assert (told["variant"], told["seats"], told["finished"]) == ("cup", 2, 1)


async def test_what_is_wrong_with_a_deck_is_told_by_file_and_line(run, file):
    deck = file("2 okapi\ntakin\nvicuna\n")

    result = await run("play", "menagerie", *ALONE, "--deck", deck)

    assert result.exit_code == 1
    assert result.stderr.strip() == "mine.deck: 4 animals, not 3."


async def test_more_decks_than_a_seat_may_bring_are_refused(run, file):
    deck = file(HERD)

    result = await run("play", "menagerie", "--deck", deck, "--deck", deck)

    assert result.exit_code == 1
    assert "At pair of menagerie nobody brings more decks than 1." in result.stderr


async def test_a_deck_that_cannot_be_read_says_so_before_anything_else(run, file):
    result = await run("play", "menagerie", "--deck", file("2 dodos\n"))

    assert result.exit_code == 2
    assert "mine.deck:1: there is no card “dodos”." in result.stdout


async def test_decks_want_a_game_to_be_read_for(run, file):
    result = await run("play", "--room", "QXRTAC", "--deck", file(HERD))

    assert result.exit_code == 1
    assert result.stderr.strip() == "Name the game that the decks are for."


async def test_a_deck_is_brought_to_a_room(run, file):
    told = await run("play", "menagerie", "--room", "QXRTAC", "--deck", file(HERD))

    assert told.exit_code == 1
    assert "No open room has this code." in told.stderr
