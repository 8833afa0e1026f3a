"""A new master key while tables are in play: none is lost, and the old one can go."""

import base64
import os
import subprocess
import sys
from dataclasses import replace

import pytest
import redis
from redis.exceptions import ConnectionError as RedisConnectionError

from services.chassis.config import ConfigError, VaultConfig, load
from services.chassis.server import start
from services.chassis.stores import StoreUnavailable
from services.vault import __main__ as command
from services.vault.chain import next_head
from services.vault.rewrapping import Rewrapped, rewrap_all
from services.vault.sealing import HeldMasterKey, Seal
from services.vault.service import bind
from tests.one_store import store_process  # noqa: F401
from tests.services.vault.worker import BEGIN, BUILD, Worker, digest, draw

OLD, NEW = b"m" * 32, b"n" * 32


def told(config, key, *old):
    return replace(config, master_key=key, old_master_keys=old)


def text_of(*keys):
    return "\n".join(base64.b64encode(key).decode() for key in keys) + "\n"


class Vault:
    """A vault that is stopped and started with other master keys, and its one table."""

    def __init__(self, config, credential):
        self.config, self.credential = config, credential
        self.epoch = 0
        self.head = None

    async def with_keys(self, *keys):
        service = await start("vault", told(self.config, *keys), bind)
        try:
            async with Worker(service.address, self.credential) as worker:
                await worker.open("t")
                self.epoch += 1
                head = self.head or worker.commitment
                assert (await worker.take_over(self.epoch, head)).head_known
                first = (BEGIN, BUILD) if self.head is None else ()
                name = f"batch {self.epoch}"
                done = await worker.resolve(head, name, *first, draw(1, 0))
                assert done.refusal == ""
                self.head = next_head(head, digest(name))
                return await worker.ledger()
        finally:
            await service.stop()


async def test_tables_in_play_go_from_one_master_key_to_the_next(
    config, credential, valkey
):
    vault = Vault(config, credential)
    await vault.with_keys(OLD)
    await vault.with_keys(OLD, NEW)
    await vault.with_keys(NEW, OLD)
    with pytest.raises(ConfigError, match="ANPAI_MASTER_KEY"):
        await vault.with_keys(NEW)

    both = told(config, NEW, OLD)
    assert await rewrap_all(both) == Rewrapped(tables=1, anew=1, lost=0)
    assert await rewrap_all(both) == Rewrapped(tables=1, anew=0, lost=0)

    ledger = await vault.with_keys(NEW)
    assert len(ledger) == 3
    with pytest.raises(ConfigError, match="ANPAI_MASTER_KEY"):
        await vault.with_keys(OLD)


async def test_while_any_table_is_lost_the_old_key_is_not_let_go(
    config, credential, valkey
):
    vault = Vault(config, credential)
    await vault.with_keys(OLD)
    with redis.Redis.from_url(valkey) as client:
        client.copy("vault:{t}:about", "vault:{u}:about")

    assert (await rewrap_all(told(config, NEW, OLD))).lost == 1

    with pytest.raises(ConfigError, match="ANPAI_MASTER_KEY"):
        await vault.with_keys(NEW)
    assert len(await vault.with_keys(NEW, OLD)) == 1


async def test_what_names_no_key_opens_by_any_that_has_wrapped_it():
    """As the release before wrapped it."""
    unnamed = Seal(OLD).seal(b"d" * 32, "t", "key")

    assert await HeldMasterKey(NEW, OLD).unwrap("t", unnamed) == b"d" * 32
    assert not HeldMasterKey(OLD).is_present(unnamed)


def test_the_first_key_seals_and_the_others_open(tmp_path, keys_folder):
    path = tmp_path / "master.key"
    path.write_text(text_of(NEW, OLD))

    config = load(
        VaultConfig,
        {"ANPAI_KEYS": str(keys_folder), "ANPAI_MASTER_KEY_FILE": str(path)},
    )

    assert (config.master_key, config.old_master_keys) == (NEW, (OLD,))


def rewrapped(environ, *keys):
    return subprocess.run(
        [sys.executable, "-m", "services.vault", "--rewrap"],
        env=os.environ | environ | {"ANPAI_MASTER_KEY": text_of(*keys)},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    "trouble", [StoreUnavailable(), RedisConnectionError("Connection closed")]
)
def test_a_store_that_breaks_off_is_a_sentence_and_it_may_be_run_again(
    trouble, keys_folder, monkeypatch, capsys
):
    async def breaks_off(config):
        raise trouble

    monkeypatch.setattr(command, "rewrap_all", breaks_off)
    monkeypatch.setenv("ANPAI_KEYS", str(keys_folder))
    monkeypatch.setenv("ANPAI_MASTER_KEY", text_of(NEW, OLD))

    with pytest.raises(SystemExit) as ended:
        command.main(["--rewrap"])

    assert ended.value.code == 1
    assert "run it again" in capsys.readouterr().err


async def test_it_is_one_command(config, credential, valkey, keys_folder):
    await Vault(config, credential).with_keys(OLD)
    environ = {"ANPAI_REDIS_URL": valkey, "ANPAI_KEYS": str(keys_folder)}

    done = rewrapped(environ, NEW, OLD)
    assert (done.returncode, done.stdout) == (
        0,
        "tables 1, wrapped anew 1, lost 0\n",
    ), done.stderr
    stranger = rewrapped(environ, b"x" * 32)

    assert stranger.returncode == 1
    assert "lost 1" in stranger.stdout
    assert text_of(NEW).strip() not in done.stderr + stranger.stderr
