"""Every command against services that really run; what scripts read stays as it is."""

import asyncio
import json
import os
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import anpai
from clients.terminal.__main__ import app
from services.local import GAMES
from tests.terminal.conftest import all_ready, status_once, wait_until


@pytest.fixture
def run(stack):
    """Runs a command in the stack's directory; gives exit code, stdout and stderr."""

    def command(*arguments, directory=True):
        options = ("--dir", str(stack.folder)) if directory else ()
        result = CliRunner().invoke(app, [*arguments, *options])
        assert "Traceback" not in result.output
        return result

    return command


@pytest.fixture(scope="module")
def ended(stack, tmp_path_factory):
    """A table whose game is over, with what its seat heard of it."""
    record = tmp_path_factory.mktemp("heard") / "heard.jsonl"

    async def play():
        async with anpai.connect(stack.told()["matchmaking"]) as house:
            await house.sign_in("Anna")
            ticket = await house.enter("skirmish", seats=2, bots=1)
            seat = await ticket.seat()
            async with house.sit(seat, record=record) as table:
                answered = 0
                async for _ in table:
                    if table.question and answered < 3:
                        await table.answer(*table.question.options[:1])
                        answered += 1
                    elif table.question:
                        await table.concede()
            return seat

    seat = asyncio.run(play())
    return seat, record


@pytest.fixture
def table(ended):
    return ended[0].table_id


def last(result):
    return json.loads(result.stdout.splitlines()[-1])


def test_games_lists_skirmish_with_its_seats(run):
    told = last(run("games", "--json"))
    (skirmish,) = [game for game in told if game["game"] == "skirmish"]
    assert skirmish["seats"] == [2, 3, 4]
    assert [(one["name"], one["seats"]) for one in skirmish["variants"]] == [
        ("standard", [2, 3, 4])
    ]
    assert "士兵战" in run("games", "--lang", "zh").stdout


def test_cards_has_every_face_in_both_languages(run):
    told = last(run("cards", "skirmish", "--json", "--lang", "zh"))
    names = {card["id"]: card["name"] for card in told}
    assert names["skirmish/gamble"] == "燕双鹰的赌局"
    assert "Lurker" in run("cards", "skirmish", "--lang", "en").stdout


def test_cards_of_a_game_that_is_not_there_is_a_sentence(run):
    result = run("cards", "chess")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.strip().endswith(".")


def test_status_tells_parts_and_workers(stack):
    told = status_once(stack, all_ready)
    assert told["workers"] == 2
    assert {part["name"] for part in told["parts"]} >= {
        "store",
        "vault",
        "matchmaking",
        "bots",
    }


def test_a_finished_game_is_verified_against_what_was_heard(run, table, ended):
    seat, record = ended
    options = ("--commitment", seat.commitment, "--heard", str(record))
    result = run("verify", table, *options, "--lang", "en")
    assert result.exit_code == 0
    assert "It is the game that was played here" in result.stdout
    result = run("verify", table, "--json")
    assert result.exit_code == 0
    assert last(result)["verified"] is True


def test_what_was_heard_until_one_was_killed_is_compared(run, table, ended, tmp_path):
    _, record = ended
    torn = tmp_path / "torn.jsonl"
    torn.write_text(record.read_text() + '{"revi')
    result = run("verify", table, "--heard", str(torn), "--json")
    assert (result.exit_code, last(result)["heard"] > 0) == (0, True)
    torn.write_text(record.read_text() + '{"revi\n')
    assert run("verify", table, "--heard", str(torn)).exit_code == 1


def test_a_game_that_was_not_promised_is_not_verified(run, table):
    result = run("verify", table, "--commitment", "00" * 32, "--lang", "en")
    assert result.exit_code == 1
    assert result.stderr.startswith("NOT verified: ")


def test_an_exported_file_is_enough_without_any_service(run, table, tmp_path):
    file = tmp_path / "game.json"
    assert run("export", table, "-o", str(file)).exit_code == 0
    assert run("verify", str(file), directory=False).exit_code == 0
    told = json.loads(file.read_text())
    told["events"].pop()
    file.write_text(json.dumps(told))
    assert run("verify", str(file), directory=False).exit_code == 1


def test_a_game_is_read_again_with_every_hand_open(run, table):
    result = run("replay", table, "--lang", "en")
    assert result.exit_code == 0
    assert "Anna gives up." in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_a_finished_table_can_still_be_watched(run, table):
    result = run("watch", table, "--lang", "en")
    assert result.exit_code == 0
    assert "(you)" not in result.stdout
    assert "── Skirmish" in result.stdout
    assert result.stdout.count(" wins") == 1


async def a_late_table(server):
    """A room's table that is over, whose spectators were to be behind."""
    async with anpai.connect(server) as anna, anpai.connect(server) as ben:
        for house, name in ((anna, "Anna"), (ben, "Ben")):
            await house.sign_in(name)
        room = await anna.create_room("skirmish", seats=2, behind=30)
        tickets = [
            await house.enter("skirmish", seats=2, room=room.code)
            for house in (anna, ben)
        ]
        seats = [await ticket.seat() for ticket in tickets]
        async with anna.sit(seats[0]) as table, ben.sit(seats[1]):
            await table.concede()
            return table.id


def test_t07_whoever_looks_on_late_is_told_so(run, stack):
    table = asyncio.run(a_late_table(f"127.0.0.1:{stack.port}"))

    result = run("watch", table, "--lang", "en")

    assert result.exit_code == 0
    assert "Whoever looks on here is 30 events behind" in result.stdout


def test_a_table_that_is_not_there_is_a_sentence(run):
    for command in ("watch", "export", "verify", "replay"):
        result = run(command, "t-nowhere")
        assert result.exit_code == 1
        assert len(result.stderr.strip().splitlines()) == 1


def test_bots_play_their_own_tables_and_end_with_one_line_of_json(run):
    result = run("bot", "--tables", "1", "--json")
    assert result.exit_code == 0
    told = last(result)
    assert (told["game"], told["tables"], told["finished"]) == ("skirmish", 1, 1)
    assert told["answers"] > 10


def test_playouts_measure_games_and_answers_a_second():
    options = ["--game", "skirmish", "--seconds", "0.2", "--json"]
    told = last(CliRunner().invoke(app, ["bench", "playouts", *options]))
    assert told["game"] == "skirmish"
    assert told["games_per_s"] > 0
    assert told["answers_per_s"] > told["games_per_s"]


def test_a_variant_that_is_not_there_is_a_sentence(run):
    for command in ("bot", "demo --game skirmish", "bench playouts", "play skirmish"):
        words = command.split()
        where = command != "bench playouts"
        result = run(*words, "--variant", "blind", "--lang", "en", directory=where)
        assert result.exit_code == 1
        assert "no variant blind. There is: standard." in result.stderr


@pytest.mark.parametrize("command", [["bot", "--game", "gwent"], ["play", "gwent"]])
def test_a_number_of_seats_that_a_game_has_not_is_a_sentence(run, command):
    for language, said in (("en", "duel has 2 seats."), ("zh", "座位数：2")):
        result = run(*command, "--seats", "9", "--lang", language)
        assert (result.exit_code, result.stdout) == (1, "")
        assert said in result.stderr


def test_a_demo_plays_and_verifies_every_game(run):
    options = ("--game", "skirmish", "--tables", "3", "--json", "--lang", "en")
    result = run("demo", *options)
    told = last(result)
    assert result.exit_code == 0
    assert (told["finished"], told["verified"]) == (3, 3)
    assert [game["seats"] for game in told["games"]] == [2, 3, 4]
    assert {game["variant"] for game in told["games"]} == {"standard"}
    assert all(game["answers"] > 10 for game in told["games"])
    assert len(result.stdout.splitlines()) == 1
    assert "All 3 games ended and were verified" in result.stderr


def test_a_demo_plays_a_table_of_each_mode_of_all_games(run):
    result = run("demo", "--json", "--lang", "en")
    told = last(result)
    assert result.exit_code == 0, result.stderr
    assert [(one["game"], one["variant"], one["seats"]) for one in told["games"]] == [
        (name, variant.name, seats)
        for name in sorted(GAMES)
        for variant in GAMES[name].variants
        for seats in variant.seats
    ]
    assert told["verified"] == told["tables"] == len(told["games"])


def test_whoever_leaves_a_party_is_told_in_json_as_well(run):
    code = last(run("party", "new", "--json", "--name", "Leo"))["code"]
    result = run("party", "--leave", "--json", "--name", "Leo")
    assert last(result) == {"code": code, "left": True}
    again = run("party", "--leave", "--json", "--name", "Leo", "--lang", "en")
    assert (again.exit_code, again.stdout) == (1, "")
    assert again.stderr == "You are in no party.\n"


def test_what_the_server_refuses_is_told_in_the_players_language(run):
    result = run("verify", "t-0000", "--lang", "zh")
    assert (result.exit_code, result.stderr) == (1, "没有这张牌桌。\n")


# ---- where nothing runs --------------------------------------------------------------


def test_a_demo_needs_nothing_running_and_leaves_nothing(tmp_path):
    result = subprocess.run(
        [sys.executable, "-m", "clients.terminal", "demo", "--tables", "1", "--json"],
        env=os.environ | {"TMPDIR": str(tmp_path), "NO_COLOR": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["verified"] == 1
    assert "\x1b" not in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_demo_that_is_told_to_end_leaves_nothing(tmp_path, number):
    demo = subprocess.Popen(
        [sys.executable, "-m", "clients.terminal", "demo", "--tables", "99"],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: list(tmp_path.glob("anpai-*/stack.json")))
    demo.send_signal(number)
    _, said = demo.communicate(timeout=60)
    assert (demo.returncode, said) == (128 + number, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command", [["play", "skirmish"], ["games"], ["status"], ["watch", "t-1"]]
)
def test_without_a_stack_a_command_says_how_to_start_one(command, tmp_path):
    options = ["--dir", str(tmp_path / "none"), "--lang", "en"]
    result = CliRunner().invoke(app, [*command, *options])
    assert result.exit_code == 1
    assert result.stderr.strip().endswith(f"anpai up --dir {tmp_path}/none")


@pytest.mark.parametrize(
    ("server", "lang", "sentence"),
    [
        ("nowhere", "en", "must be host:port"),
        ("nowhere", "zh", "应为 host:port"),
        ("127.0.0.1:1", "en", "Nobody answers at"),
        ("127.0.0.1:1", "zh", "127.0.0.1:1 没有应答"),
    ],
)
def test_a_server_that_is_not_there_is_a_sentence(server, lang, sentence):
    result = CliRunner().invoke(app, ["games", "--server", server, "--lang", lang])
    assert result.exit_code == 1
    assert sentence in result.stderr


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_that_is_not_there_is_said_not_to_be(command, tmp_path):
    for name in ("game.json", str(tmp_path / "game")):
        result = CliRunner().invoke(app, [command, name, "--lang", "en"])
        assert result.exit_code == 1
        assert result.stderr == f"There is no file {name}.\n"


def test_a_record_that_is_not_there_is_said_not_to_be(tmp_path):
    game = tmp_path / "game.json"
    game.write_text("{}")
    told = ["verify", str(game), "--heard", "none.jsonl"]
    result = CliRunner().invoke(app, told)
    assert result.exit_code == 1
    assert result.stderr == "none.jsonl: No such file or directory.\n"


def test_a_server_can_be_named_instead_of_a_directory(stack):
    server = stack.told()["matchmaking"]
    result = CliRunner().invoke(app, ["games", "--server", server, "--json"])
    assert last(result)[0]["game"]
