"""`anpai admin`, against a stack that really runs."""

import asyncio
import json
import shutil

import pytest
import redis
from typer.testing import CliRunner

import anpai
from clients.terminal.__main__ import app
from clients.terminal.stack.folder import Folder
from clients.terminal.stack.secrets import passwords
from tests.terminal.conftest import status_once


@pytest.fixture
def run(stack):
    return running(stack)


def running(stack):
    def command(*arguments, directory=True):
        options = ("--dir", str(stack.folder)) if directory else ()
        result = CliRunner().invoke(app, ["admin", *arguments, *options])
        assert "Traceback" not in result.output
        return result

    return command


def last(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout.splitlines()[-1])


@pytest.fixture
def seat(stack):
    """Anna's, at a table where a bot waits for her."""
    return asyncio.run(seated(stack.told()["matchmaking"]))


async def seated(server):
    async with anpai.connect(server) as house:
        await house.sign_in("Anna")
        ticket = await house.enter("skirmish", seats=2, bots=1)
        seat = await ticket.seat()
        async with asyncio.timeout(60):
            while not await is_awaited(house, seat):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        return seat


async def is_awaited(house, seat):
    view = await house.view(seat.table_id)
    return any(one.taken for one in view.seats)


def test_a_table_is_found_looked_at_and_ended(run, seat):
    (line,) = [
        one for one in last(run("tables", "--json")) if one["table_id"] == seat.table_id
    ]
    assert (line["game"], line["state"]) == ("skirmish", "gathering")
    assert seat.table_id in run("tables", "--state", "gathering").stdout
    seen = last(run("table", seat.table_id, "--json"))
    assert [one["name"] for one in seen["seats"]].count("Anna") == 1
    assert "viewer" not in seen["view"]
    assert "Anna (p-" in run("table", seat.table_id, "--lang", "en").stdout

    ended = last(run("end", seat.table_id, "--yes", "--json"))

    assert ended == {"table_id": seat.table_id, "reason": "abandoned"}
    assert "已结束" in run("end", seat.table_id, "--yes", "--lang", "zh").stdout


def test_the_journal_of_a_stopped_table_is_printed_an_entry_a_line(run, stack, seat):
    refused = run("journal", seat.table_id, "--lang", "en")
    assert refused.exit_code == 1
    assert "There is no such table." in refused.stderr
    state = f"engine:{{{seat.table_id}}}:state"
    with store_of(stack, "engine") as store:
        store.hset(state, "flag", "LEDGER_LOST")

    (line,) = last(run("tables", "--state", "stopped", "--json"))
    lines = run("journal", seat.table_id).stdout.splitlines()

    assert (line["table_id"], line["stopped"]) == (seat.table_id, "LEDGER_LOST")
    assert len(lines) == line["entries"] > 0
    entries = [json.loads(one) for one in lines]
    assert entries == last(run("journal", seat.table_id, "--json"))


def store_of(stack, service):
    folder = Folder(stack.folder)
    return redis.Redis(
        unix_socket_path=str(folder.socket),
        username=service,
        password=passwords(folder)[service],
    )


def test_what_cannot_be_undone_is_asked_about_first(run, seat):
    for asked in (("end", seat.table_id), ("ban", "p-1"), ("drain", "engine-1")):
        refused = run(*asked, "--lang", "en")
        assert refused.exit_code == 1
        assert "--yes" in refused.stderr

    assert seat.table_id in run("tables", "--state", "gathering").stdout


def test_a_player_is_banned_from_everything_and_let_in_again(run, stack, seat):
    seen = last(run("table", seat.table_id, "--json"))
    (anna,) = [one["player_id"] for one in seen["seats"] if one["name"] == "Anna"]

    banned = last(run("ban", anna, "--for", "2h", "--yes", "--json"))

    assert banned["player_id"] == anna
    assert last(run("bans", "--json")) == [banned]
    assert anna in run("bans").stdout
    assert run("unban", anna).exit_code == 0
    assert last(run("bans", "--json")) == []
    assert "Nobody is turned away." in run("bans", "--lang", "en").stdout


def test_who_is_banned_is_turned_away_by_matchmaking_and_engine(run, stack):
    async def refusals(ban):
        async with anpai.connect(stack.told()["matchmaking"]) as house:
            await house.sign_in("Anna")
            ticket = await house.enter("skirmish", seats=2, bots=1)
            seat = await ticket.seat()
            await asyncio.to_thread(ban, house.player_id)
            return [
                await refusal(house.my_seats),
                await refusal(lambda: house.view(seat.table_id)),
            ]

    async def refusal(call):
        async with asyncio.timeout(60):
            while True:
                try:
                    await call()
                except anpai.AnpaiCallError as error:
                    return error.reason
                await asyncio.sleep(0.05)

    def ban(player):
        assert run("ban", player, "--yes").exit_code == 0

    assert asyncio.run(refusals(ban)) == ["TOKEN_REVOKED", "TOKEN_REVOKED"]


@pytest.mark.parametrize("how_long", ["soon", "0d", "7w", "-1h"])
def test_how_long_a_ban_lasts_is_a_time(run, how_long):
    refused = run("ban", "p-1", f"--for={how_long}", "--yes")

    assert refused.exit_code == 1
    assert "30m, 12h or 7d" in refused.stderr


def test_queues_are_listed_while_somebody_waits(run, stack):
    server = stack.told()["matchmaking"]

    async def while_waiting(look):
        async with anpai.connect(server) as house:
            await house.sign_in("Anna")
            ticket = await house.enter("gwent", seats=2, variant="tournament")
            found = await asyncio.to_thread(look)
            await ticket.cancel()
            return found

    told = asyncio.run(while_waiting(lambda: last(run("queue", "--json"))))

    (line,) = [one for one in told if one["game"] == "gwent"]
    assert (line["variant"], line["players"]) == ("tournament", 1)


def test_without_the_key_nothing_is_told(run, stack, tmp_path):
    refused = run("tables", "--keys", str(tmp_path), "--lang", "en")
    assert refused.exit_code == 1
    assert "operator.key" in refused.stderr

    keys = tmp_path / "keys"
    keys.mkdir()
    shutil.copy(stack.folder / "keys" / "bots.key", keys / "operator.key")
    refused = run("tables", "--keys", str(keys), "--lang", "en")
    assert refused.exit_code == 1
    assert refused.stdout == ""


def test_a_server_may_be_named_with_a_key_from_elsewhere(run, stack, seat, tmp_path):
    shutil.copy(stack.folder / "keys" / "operator.key", tmp_path / "operator.key")
    where = ("--server", stack.told()["matchmaking"], "--keys", str(tmp_path))

    told = last(run("tables", "--json", *where, directory=False))

    assert seat.table_id in {one["table_id"] for one in told}


def not_ready(status):
    return {part["name"] for part in status["parts"] if not part["ready"]}


def test_a_drained_engine_is_ready_no_more_and_play_goes_on_at_another(fresh_up):
    fresh_up.arguments = ("--workers", "2")
    run = running(fresh_up.start())
    seat = asyncio.run(seated(fresh_up.told()["matchmaking"]))
    assert run("drain", "engine-9", "--yes").exit_code == 1

    drained = last(run("drain", "engine-1", "--yes", "--json"))

    assert drained["worker"] == "engine-1"
    assert last(run("table", seat.table_id, "--json"))["table"]["worker"] != "engine-1"
    status_once(fresh_up, lambda told: not_ready(told) == {"engine-1"})
    arguments = ["bot", "--json", "--dir", str(fresh_up.folder)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
