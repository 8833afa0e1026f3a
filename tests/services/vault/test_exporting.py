"""Finished games become files before they may leave the store."""

import os
import time
from dataclasses import replace

import pytest
import redis

from services.chassis.errors import AnpaiError
from services.chassis.server import start
from services.local.verify import verify
from services.vault import exporting
from services.vault.service import bind
from tests.services.vault.played import Played
from tests.services.vault.worker import Worker

KINDS = ("about", "heads", "ledger", "disclosure")
DAY = 24 * 3600


@pytest.fixture
def config(config, tmp_path):
    """The vault's, with a directory for exports."""
    folder = tmp_path / "exports"
    folder.mkdir()
    return replace(config, exports=folder)


@pytest.fixture
def folder(config):
    return config.exports


@pytest.fixture
async def played(worker):
    """A game that a worker has played to its end, not disclosed yet."""
    opened = await worker.open("t")
    game = Played(worker, opened.veil)
    await game.to_the_end()
    return game


def lifetimes(valkey):
    with redis.Redis.from_url(valkey) as store:
        return [store.ttl(f"vault:{{t}}:{kind}") for kind in KINDS]


def is_kept_a_month(valkey):
    return all(29 * DAY < seconds <= 30 * DAY for seconds in lifetimes(valkey))


async def test_a_finished_game_is_a_file_that_anybody_can_verify(
    worker, played, folder, valkey
):
    await played.disclose()

    (path,) = folder.iterdir()
    assert path.name == "t.json"
    assert path.read_bytes() == await worker.audit("GetDisclosure")
    report = verify(path.read_bytes(), commitment=worker.commitment)
    assert report.problem == ""
    assert is_kept_a_month(valkey)


async def test_what_cannot_be_written_stays_and_is_written_later(
    worker, folder, valkey, running, monkeypatch
):
    """The disk is full for a while: the table is disclosed, and does not go away."""
    heads = await worker.play("a")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(exporting.os, "fsync", full)
    with pytest.raises(AnpaiError) as refused:
        await worker.disclose(heads[0])
    assert refused.value.reason == "PART_UNAVAILABLE"
    assert list(folder.iterdir()) == []
    assert set(lifetimes(valkey)) == {-1}
    assert await worker.audit("GetDisclosure")
    assert counted(running) == {"failed": 1, "written": 0}

    monkeypatch.undo()
    await worker.disclose(heads[0])

    assert [path.name for path in folder.iterdir()] == ["t.json"]
    assert is_kept_a_month(valkey)
    assert counted(running) == {"failed": 1, "written": 1}


def counted(vault):
    value = vault.metrics.registry.get_sample_value
    return {
        outcome: value("anpai_vault_exports_total", {"outcome": outcome})
        for outcome in ("failed", "written")
    }


async def test_a_game_is_exported_once_in_effect(worker, folder, valkey):
    heads = await worker.play("a")
    await worker.disclose(heads[0], journal=["[1]"])
    first = (folder / "t.json").read_bytes()
    with redis.Redis.from_url(valkey) as store:
        for kind in KINDS:
            store.expire(f"vault:{{t}}:{kind}", 5 * DAY)

    await worker.disclose(heads[0], journal=["[2]"])

    assert (folder / "t.json").read_bytes() == first
    assert [path.name for path in folder.iterdir()] == ["t.json"]
    assert max(lifetimes(valkey)) <= 5 * DAY, "a repeat must not keep it longer"


async def test_nothing_is_exported_that_is_not_over(worker, rival, folder):
    heads = await worker.play("a")

    with pytest.raises(AnpaiError):
        await rival.disclose(heads[0])

    assert list(folder.iterdir()) == []


async def test_a_vault_that_died_over_it_leaves_no_draft_for_ever(config, folder):
    for name, age in (("old", 2), ("young", 0)):
        draft = folder / f".{name}.json.00ff.draft"
        draft.write_text("{")
        then = time.time() - age * 3600
        os.utime(draft, (then, then))
    (folder / "t.json").write_text("{}")
    (folder / ".gone.draft").symlink_to(folder / "swept by another just now")

    vault = await start("vault", config, bind)
    await vault.stop()

    assert {path.name for path in folder.iterdir()} == {
        "t.json",
        ".young.json.00ff.draft",
        ".gone.draft",
    }


async def test_a_vault_that_was_killed_between_the_two_is_repeated_to(
    config, running, credential, folder, valkey, monkeypatch
):
    """Disclosed, not yet written: another vault goes on where it stopped."""

    async def dies(*_):
        raise AnpaiError("PART_UNAVAILABLE", "gone")

    async with Worker(running.address, credential) as worker:
        opened = await worker.open("t")
        await worker.take_over(1, opened.commitment)
        heads = await worker.play("a")
        with monkeypatch.context() as patch:
            patch.setattr(exporting.Exports, "export", dies)
            with pytest.raises(AnpaiError):
                await worker.disclose(heads[0])
    await running.stop()
    again = await start("vault", config, bind)
    async with Worker(again.address, credential) as later:
        later.table, later.epoch = worker.table, worker.epoch
        await later.disclose(heads[0])

    assert (folder / "t.json").exists()
    assert is_kept_a_month(valkey)
    await again.stop()
