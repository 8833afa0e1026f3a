"""`anpai up` for real: started, killed in every way, started again."""

import json
import os
import re
import signal
import stat
import sys
import tempfile
from pathlib import Path

import pytest
import redis
from typer.testing import CliRunner

from clients.terminal.__main__ import app
from clients.terminal.commands.status import page
from clients.terminal.numbers import Numbers
from clients.terminal.stack.folder import (
    Folder,
    StackError,
    set_long_logs_aside,
    take_folder,
)
from clients.terminal.stack.guard import Guard, stand_guard
from clients.terminal.stack.parts import ALLOCATOR, allocator, choose_ports
from clients.terminal.stack.secrets import make_secrets, passwords
from tests.groups import WORD, a_cluster, a_watched_group
from tests.ports import free_port
from tests.scale import scale
from tests.stores import kinds
from tests.terminal.conftest import Up, wait_until
from tests.terminal.pty import PROMPT, Terminal

PARTS = (
    "valkey-server",
    "services.vault",
    "services.engine",
    "services.matchmaking",
    "clients.bots.host",
)


def test_it_starts_every_part_says_how_to_play_and_leaves_nothing(fresh_up):
    fresh_up.start()
    lines = "\n".join(fresh_up.children().values())
    assert all(part in lines for part in PARTS)
    code, said = fresh_up.stop(signal.SIGINT)
    assert code == 0
    assert "anpai play skirmish" in said
    assert said.rstrip().endswith("stopped; all tables are kept")
    assert fresh_up.children() == {}
    assert not (fresh_up.folder / "stack.json").exists()


def test_finished_games_go_where_it_is_told_and_can_be_verified_there(
    fresh_up, tmp_path
):
    exports = tmp_path / "new" / "games"
    fresh_up.arguments += ("--exports", str(exports))
    fresh_up.start()
    arguments = ["bot", "--json", "--dir", str(fresh_up.folder)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    wait_until(lambda: list(exports.glob("*.json")), 60)
    code, said = fresh_up.stop()
    assert code == 0
    assert str(exports) in said
    (game,) = exports.glob("*.json")
    assert CliRunner().invoke(app, ["verify", str(game)]).exit_code == 0


def test_a_place_for_games_that_cannot_be_made_is_a_sentence(fresh_up, tmp_path):
    (tmp_path / "file").write_text("")
    fresh_up.arguments += ("--exports", str(tmp_path / "file" / "games"))
    fresh_up.spawn()
    said, _ = fresh_up.process.communicate(timeout=60)
    assert fresh_up.process.returncode == 1
    assert f"{tmp_path}/file/games: Not a directory." in said
    assert "Traceback" not in said


def test_no_child_outlives_a_killed_up_and_the_next_one_heals_by_itself(fresh_up):
    fresh_up.start()
    before = fresh_up.told()
    fresh_up.kill()
    assert fresh_up.told() is None  # the file is there, but nobody behind it
    wait_until(lambda: fresh_up.children() == {}, 40)
    fresh_up.start()
    assert fresh_up.told()["engines"] == before["engines"]  # where clients look


def test_what_is_typed_while_everything_is_dead_counts_once_it_is_back(fresh_up):
    fresh_up.start()
    options = ("--dir", str(fresh_up.folder), "--lang", "en", "--name", "Anna")
    with Terminal("play", "skirmish", *options) as terminal:
        terminal.reads(PROMPT)
        fresh_up.kill()
        terminal.types("1")
        terminal.reads("No reply yet")
        fresh_up.start()
        terminal.reads("Anna lays ")
        terminal.reads(PROMPT)
        assert terminal.shown.count("Anna lays ") == 1
        terminal.types("q")
        assert terminal.ends() == 0


def test_a_part_that_dies_is_started_again_and_said_so(fresh_up):
    fresh_up.start()
    engine = pid_of(fresh_up, "services.engine")
    os.kill(engine, signal.SIGKILL)
    wait_until(lambda: pid_of(fresh_up, "services.engine") not in (0, engine))
    address = fresh_up.folder / "addresses" / "engine-1.json"
    wait_until(address.exists)
    _, said = fresh_up.stop()
    assert "engine-1 has ended (killed by SIGKILL); starting it again" in said


def test_bots_play_on_at_once_when_everything_is_started_again(fresh_up):
    fresh_up.start()
    options = ("--dir", str(fresh_up.folder), "--lang", "en", "--name", "Anna")
    with Terminal("play", "skirmish", *options) as terminal:
        terminal.reads(PROMPT)
        terminal.types("q")
        assert terminal.ends() == 0
    fresh_up.stop()
    kept = fresh_up.folder / "bots.seats"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    fresh_up.start()
    wait_until(lambda: seats_played_by_bots(fresh_up) == 1, 30)


def seats_played_by_bots(up):
    address = up.told()["parts"]["bots"]["metrics"]
    told = Numbers(page(address, "metrics") or "")
    return told.total("anpai_bot_seats_playing")


def test_a_machine_behind_a_proxy_still_talks_to_itself(fresh_up, monkeypatch):
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    fresh_up.start()
    where = ("--json", "--dir", str(fresh_up.folder))
    for command in (["bot"], ["status"]):
        assert CliRunner().invoke(app, [*command, *where]).exit_code == 0


def pid_of(up, module):
    return next((pid for pid, line in up.children().items() if module in line), 0)


def test_a_second_up_in_the_same_directory_is_refused_in_one_sentence(stack):
    second = Up(stack.folder, free_port())
    second.spawn()
    said, _ = second.process.communicate(timeout=60)
    assert second.process.returncode == 1
    assert said.strip() == (
        f"A stack is already running in {stack.folder}, at 127.0.0.1:{stack.port}."
    )


def test_what_keeps_a_stack_from_starting_is_said_in_the_language_spoken(stack):
    for language, told in (
        ("zh", f"{stack.folder} 里已有服务在运行，地址 127.0.0.1:{stack.port}。\n"),
        (
            "en",
            f"A stack is already running in {stack.folder}, "
            f"at 127.0.0.1:{stack.port}.\n",
        ),
    ):
        arguments = ["up", "--dir", str(stack.folder), "--lang", language]
        result = CliRunner().invoke(app, arguments)
        assert (result.exit_code, result.stderr) == (1, told)


def test_a_port_that_is_taken_is_said_to_be(stack, tmp_path):
    second = Up(tmp_path / "other", stack.port)
    second.spawn()
    said, _ = second.process.communicate(timeout=60)
    assert second.process.returncode == 1
    assert f"Port {stack.port} is in use; choose another with --port." in said


def test_a_stop_while_it_starts_leaves_nothing(fresh_up):
    fresh_up.spawn()
    wait_until(lambda: pid_of(fresh_up, "services.vault"))
    code, _ = fresh_up.stop()
    assert code == 0
    assert fresh_up.children() == {}


def test_secrets_are_for_their_owner_alone_and_in_no_log(stack):
    folder = Folder(stack.folder)
    keys = [*folder.keys.iterdir(), folder.store / "valkey.conf"]
    assert {stat.S_IMODE(key.stat().st_mode) for key in keys} == {0o600}
    logs = "".join(log.read_text() for log in folder.logs.iterdir())
    assert not any(word in logs for word in passwords(folder).values())


def test_each_service_reaches_its_own_keys_only(stack):
    folder = Folder(stack.folder)
    for user in ("matchmaking", "engine", "vault"):
        with redis.Redis(
            unix_socket_path=str(folder.socket),
            username=user,
            password=passwords(folder)[user],
        ) as store:
            store.set(f"{user}:own", 1)
            for command in (
                ("GET", "engine:t" if user == "vault" else "vault:t"),
                ("EVAL", "return redis.call('GET', 'other:t')", 0),
                ("KEYS", "*"),
                ("SCAN", "0"),
                ("CONFIG", "GET", "*"),
                ("ACL", "LIST"),
                ("FLUSHALL",),
            ):
                with pytest.raises(redis.ResponseError, match=r"(?i)permission|acl"):
                    store.execute_command(*command)
    with (
        redis.Redis(unix_socket_path=str(folder.socket)) as stranger,
        pytest.raises(redis.AuthenticationError),
    ):
        stranger.get("engine:t")


def test_what_clients_are_told_holds_no_secret(stack):
    told = (stack.folder / "stack.json").read_text()
    assert set(json.loads(told)) == {
        "pid",
        "matchmaking",
        "engines",
        "audit",
        "parts",
        "started_at",
    }
    assert not any(word in told for word in passwords(Folder(stack.folder)).values())


def test_another_store_can_be_named(fresh_up, own_store):
    fresh_up.environ = {"ANPAI_REDIS_URL": own_store.url}
    fresh_up.start()
    programs = [line.partition(" ")[0] for line in fresh_up.children().values()]
    assert not any("valkey-server" in program for program in programs)
    _, said = fresh_up.stop()
    assert re.search(r"store: unix:\S+ \(\d\S*\), as ANPAI_REDIS_URL says", said)


@pytest.mark.parametrize(
    "a_group", [a_cluster, a_watched_group] if scale() else [a_watched_group]
)
def test_another_store_may_be_a_group(fresh_up, a_group):
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as folder,
        a_group(kinds()["valkey"], Path(folder)) as group,
    ):
        fresh_up.environ = {"ANPAI_REDIS_URL": group.url}
        fresh_up.start()
        _, said = fresh_up.stop()

    assert f"store: {group.scheme}://127.0.0.1:" in said
    assert WORD not in said


def test_a_store_that_is_not_there_is_one_sentence(fresh_up):
    fresh_up.environ = {"ANPAI_REDIS_URL": "redis://:secret@127.0.0.1:1/0"}
    fresh_up.spawn()
    said, _ = fresh_up.process.communicate(timeout=60)
    assert fresh_up.process.returncode == 1
    assert "ANPAI_REDIS_URL: redis://127.0.0.1:1/0: " in said
    assert "secret" not in said
    assert "Traceback" not in said


# ---- without processes ---------------------------------------------------------------


def quiet(key, **values):
    """For what needs to be said to nobody."""


def test_keys_are_made_once(tmp_path):
    folder = Folder(tmp_path)
    folder.make()
    make_secrets(folder)
    before = {path.name: path.read_bytes() for path in folder.keys.iterdir()}
    make_secrets(folder)
    assert {path.name: path.read_bytes() for path in folder.keys.iterdir()} == before


def test_ports_of_the_last_time_are_taken_again(tmp_path):
    folder = Folder(tmp_path)
    first = choose_ports(folder, free_port(), 2)
    assert choose_ports(folder, free_port(), 2).engines == first.engines
    assert choose_ports(folder, free_port(), 3).engines[:2] == first.engines


def test_ports_are_none_that_systems_lend_to_others(tmp_path):
    ports = choose_ports(Folder(tmp_path), free_port(), 8)
    assert max(ports.vault, *ports.engines) < 32_768  # Linux, elsewhere from higher on


def test_the_players_port_is_given_to_nobody_else(tmp_path):
    folder = Folder(tmp_path)
    players = choose_ports(folder, free_port(), 1).vault
    ports = choose_ports(folder, players, 1)
    assert len({players, ports.vault, *ports.engines}) == 3


def test_a_log_that_has_grown_long_is_set_aside(tmp_path, monkeypatch):
    folder = Folder(tmp_path)
    folder.make()
    monkeypatch.setattr("clients.terminal.stack.folder.LONGEST_LOG", 10)
    (folder.logs / "vault.log").write_text("12345678901")
    (folder.logs / "store.log").write_text("123")
    set_long_logs_aside(folder)
    names = {path.name for path in folder.logs.iterdir()}
    assert names == {"vault.log.old", "store.log"}


def test_a_deep_directory_still_gets_a_short_socket(tmp_path):
    folder = Folder(tmp_path / ("deep" * 20))
    folder.make()
    assert len(str(folder.socket)) <= 100
    assert folder.socket == Folder(folder.root).socket


def test_a_directory_that_cannot_be_made_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StackError, match="file"):
        take_folder(Folder(tmp_path / "file" / "stack"), quiet)


def test_the_guard_ends_those_it_was_told_of_and_not_taken_back():
    """What stands in for the kernel where a child is not told of its parent's death."""
    ended = []
    real, os.kill = os.kill, lambda pid, number: ended.append(pid)
    try:
        stand_guard(["11\n", "12\n", "-11\n", "13\n"])
    finally:
        os.kill = real
    assert sorted(ended) == [12, 13]


def test_a_guard_process_reads_to_the_end_of_its_pipe():
    guard = Guard(is_needed=True)
    guard.watch(2**22 + 1)  # nobody
    guard.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is given back")
def test_memory_is_had_as_in_the_images_unless_the_environment_says_otherwise(
    monkeypatch,
):
    for name in ALLOCATOR:
        monkeypatch.delenv(name, raising=False)
    assert allocator() == ALLOCATOR

    monkeypatch.setenv("PYTHONMALLOC", "pymalloc")
    assert allocator() == ALLOCATOR | {"PYTHONMALLOC": "pymalloc"}
