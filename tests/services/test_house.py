"""All services in one process, as `python -m services` runs them."""

import base64
import json
import os
import signal
import subprocess
import sys

import anpai


async def test_players_find_each_other_and_a_table(house):
    async with anpai.connect(house.matchmaking.address) as anna:
        await anna.sign_in("Anna")
        ticket = await anna.enter("skirmish", seats=2)
        async with anpai.connect(house.matchmaking.address) as ben:
            await ben.sign_in("Ben")
            theirs = await (await ben.enter("skirmish", seats=2)).seat()
        ours = await ticket.seat()

        assert (ours.table_id, ours.commitment) == (theirs.table_id, theirs.commitment)
        assert ours.engine_address in {engine.address for engine in house.engines}
        assert await anna.commitment(ours.table_id) == ours.commitment


def test_the_process_says_where_everything_is_and_ends_with_0(valkey, keys_folder):
    told = {
        "ANPAI_REDIS_URL": valkey,
        "ANPAI_KEYS": str(keys_folder),
        "ANPAI_MASTER_KEY": base64.b64encode(b"m" * 32).decode(),
    }
    command = [sys.executable, "-m", "services"]
    with subprocess.Popen(
        command, env=os.environ | told, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        where = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0

    assert len(where["engines"]) == 2
    assert len(where["metrics"]) == 4


def test_a_missing_setting_is_named():
    environ = {k: v for k, v in os.environ.items() if not k.startswith("ANPAI_")}
    ended = subprocess.run(
        [sys.executable, "-m", "services"],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 2
    assert ended.stderr.startswith("anpai: ANPAI_KEYS is not set")
