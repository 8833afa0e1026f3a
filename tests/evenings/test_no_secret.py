"""Whatever happens, no secret stands where operators look, or in what callers are told.

Errors, log lines, metrics and traces of a whole stack, and the keys of those services
that may know no face: searched for every secret there is, in every form it might take.
"""

import asyncio
import random
import re
import uuid
from contextlib import AsyncExitStack

import grpc
import pytest
import redis

from services.local import disclosure
from tests.contract.contract import methods
from tests.evenings.canary import canaries_in, forms_of
from tests.evenings.players import Seating, games_of
from tests.evenings.processes import Process
from tests.evenings.town import a_town
from tests.evenings.watched import a_collector, soon_gives_up
from tests.services.callers import everybody
from tests.services.mutating import Mutator
from tests.services.raw import end_of_many, path_of
from tests.services.test_access import target_of
from tests.services.test_malformed import caller_for

pytestmark = pytest.mark.timeout(180)

PASSWORD = "hush-" + uuid.uuid4().hex
MASTER_KEY = b"m" * 32  # the town's


def guard(store):
    """The store's user of this evening, known by a password alone."""
    with redis.Redis.from_url(store.url) as client:
        client.acl_setuser(
            "keeper",
            enabled=True,
            passwords=[f"+{PASSWORD}"],
            keys=["*"],
            channels=["*"],
            categories=["+@all"],
        )
    return store.url.replace("unix://", f"unix://keeper:{PASSWORD}@")


def break_every_connection(store):
    with redis.Redis.from_url(store.url) as client:
        client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")


async def told_to_strangers(town, keys_folder, table):
    """What everybody is told who calls everything with nonsense."""
    values = {"table_id": [table, "t-unknown"], "game": ["skirmish", "chess"]}
    mutator = Mutator(random.Random(5), values)
    addresses = {
        "engine": town.engines[0].address,
        "matchmaking": town.matchmaking.address,
        "vault": town.vault.address,
    }
    calls = []
    async with AsyncExitStack() as stack:
        channels = {
            name: await stack.enter_async_context(grpc.aio.insecure_channel(address))
            for name, address in addresses.items()
        }
        for method in methods():
            path = path_of(method)
            target = target_of(path)
            known = everybody(keys_folder, target)
            right = caller_for(path, known)
            strangers = [known[who] for who in ("nobody", "garbage", "a guest")]
            calls += [
                end_of_many(
                    channels[target],
                    method,
                    [mutator.raw(method.input_type)],
                    (*who.metadata, ("x-request-id", "looking-for-secrets")),
                    0.3,
                )
                for who in (right, right, *strangers)
            ]
        ends = await asyncio.gather(*calls)
    return "\n".join(end.told for end in ends)


async def cannot_start(town, folder):
    """What a worker says that has a wrong password, and one without its keys."""
    wrong = town.store.url.replace("unix://", f"unix://keeper:wrong-{PASSWORD}@")
    said = []
    for number, told in enumerate([{"ANPAI_REDIS_URL": wrong}, {"ANPAI_KEYS": "/"}]):
        usual = {"ANPAI_VAULT": town.vault.address, "ANPAI_KEYS": folder / "none"}
        worker = Process(f"lost-{number}", "services.engine", folder, **usual | told)
        with pytest.raises(AssertionError):
            await worker.start()
        said.append(worker.log.read_text())
    return "\n".join(said)


def secrets_of(town, keys_folder, games):
    """Every secret of the evening, by what it is."""
    papers = [disclosure.read(game.text) for game in games]
    tokens = {
        sent.message.token
        for game in games
        for one in game.played
        for sent in one.tap.sent
        if sent.path.endswith("/SignIn")
    }
    private = [
        "".join(path.read_text().splitlines()[1:-1])
        for path in keys_folder.glob("*.key")
    ]
    found = {
        "the store's password": {PASSWORD},
        "the master key": forms_of(MASTER_KEY),
        "private keys": {text[16:60] for text in private},
        "signatures of tokens": {token.rpartition(".")[2] for token in tokens},
        "seeds": {form for one in papers for form in forms_of(one.seed)},
    }
    assert all(found.values())
    return found


def nonces_of(games):
    """What seats have added to chance: the journal has them, operators need not."""
    told = "\n".join(game.text.decode() for game in games)
    return set(re.findall(r'"nonce": ?"([0-9a-f]{64})"', told))


async def test_no_secret_is_told_to_operators_or_in_errors(
    own_store, keys_folder, tmp_path
):
    url = guard(own_store)
    async with a_collector() as collector:
        told = {
            "ANPAI_REDIS_URL": url,
            "ANPAI_LOG_LEVEL": "debug",
            "ANPAI_OTLP_ENDPOINT": f"http://{collector.address}",
            "OTEL_BSP_SCHEDULE_DELAY": 100,
        }
        async with a_town(own_store, keys_folder, tmp_path, bots=True, **told) as town:
            seating = Seating(town.server, town.folder)
            bots = [
                bot
                for way in ((2,), (2, "gwent", "duel"))
                for bot in await town.open_table(*way)
            ]
            playing = asyncio.gather(
                soon_gives_up(seating), *(seating.play(bot) for bot in bots)
            )
            for _ in range(30):
                await asyncio.sleep(0.05)
                break_every_connection(own_store)
            played = await playing
            games = await games_of(town.server, played)
            errors = await told_to_strangers(town, keys_folder, played[0].table_id)
            errors += await cannot_start(town, tmp_path)
            metrics = [await one.metrics() for one in town.services]
            store = town.keyspace("engine", "matchmaking")
            for one in reversed(town.processes):
                await one.stop()
            places = {
                "errors": errors,
                "logs": town.logs(),
                "metrics": "\n".join(metrics),
                "traces": "\n".join(str(export) for export in collector.exports),
                "keys of engine and matchmaking": store,
            }
            secrets = secrets_of(town, keys_folder, games)
            nonces = nonces_of(games)

    assert all(len(text) > 2000 for text in places.values())
    assert "store lost" in places["logs"]
    assert len(nonces) >= 4
    for place, text in places.items():
        for what, known in secrets.items():
            assert [one for one in known if one in text] == [], (what, place)
        assert "Bearer" not in text, place
        assert canaries_in(text) == set(), place
        if "keys" not in place:
            assert [one for one in nonces if one in text] == [], place
