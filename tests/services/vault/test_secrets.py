"""Secrets at rest, and on the way: a dump of the store or a log tells nobody a card."""

import stat

import pytest
import redis

from services.chassis.config import ConfigError, VaultConfig
from services.chassis.errors import AnpaiError
from services.chassis.server import start
from services.vault.chain import veil_of
from services.vault.sealing import Broken, HeldMasterKey, Seal, make_master_key
from services.vault.service import bind
from tests.services.vault.played import Played
from tests.services.vault.worker import BEGIN, BUILD, FACES, ROLL, draw


def dump(url):
    """Every byte that the store keeps, key by key."""
    with redis.Redis.from_url(url) as client:
        keys = client.keys("*")
        return b"".join(key + everything(client, key) for key in keys)


def everything(client, key):
    kind = client.type(key)
    if kind == b"hash":
        return b"".join(part for pair in client.hgetall(key).items() for part in pair)
    if kind == b"list":
        return b"".join(client.lrange(key, 0, -1))
    return client.get(key)


async def test_the_store_keeps_no_face_and_no_handle_in_the_clear(worker, valkey):
    await worker.resolve(worker.commitment, "a", BEGIN, BUILD, draw(9, 0), draw(9, -1))

    kept = dump(valkey)

    assert len(kept) > 1000
    assert not [face for face in FACES if face.encode() in kept]
    assert b"face" not in kept


async def test_a_whole_game_leaves_no_secret_in_the_store(worker, valkey):
    game = Played(worker, (await worker.open("t")).veil)
    await game.to_the_end()
    before = dump(valkey)

    await game.disclose()

    after = dump(valkey)
    seed = (await worker.audit("GetDisclosure")).split(b'"seed":"')[1][:64]
    words = {b"scout_1", b"gamble", b'"draw"', seed, bytes.fromhex(seed.decode())}
    words |= {veil_of(bytes.fromhex(seed.decode())), b"m" * 32}
    assert not [word for word in words if word in before]
    assert seed in after


async def test_a_vault_with_another_master_key_does_not_start(running, config):
    fields = {name: getattr(config, name) for name in config.__slots__}
    other = VaultConfig(**(vars_of(config) | fields | {"master_key": b"x" * 32}))

    with pytest.raises(ConfigError, match="ANPAI_MASTER_KEY"):
        await start("vault", other, bind)


def vars_of(config):
    kinds = type(config).__mro__[1:-1]
    names = [name for kind in kinds for name in getattr(kind, "__slots__", ())]
    return {name: getattr(config, name) for name in names}


async def test_a_record_moved_to_another_place_does_not_open(worker, rival, valkey):
    heads = await worker.play("a", "b")
    with redis.Redis.from_url(valkey) as client:
        first, second = client.lrange("vault:{t}:ledger", 0, -1)
        client.lset("vault:{t}:ledger", 1, second[:128] + first[128:])
    await rival.take_over(2, heads[1])

    with pytest.raises(AnpaiError) as refused:
        await rival.ledger()

    assert refused.value.reason == "LEDGER_LOST"


async def test_a_seed_moved_to_another_table_does_not_open(worker, valkey):
    with redis.Redis.from_url(valkey) as client:
        client.copy("vault:{t}:about", "vault:{u}:about")

    with pytest.raises(AnpaiError) as refused:
        await worker.open("u")

    assert refused.value.reason == "LEDGER_LOST"


async def test_a_ledger_that_lost_its_end_is_flagged(worker, rival, valkey):
    heads = await worker.play("a", "b")
    with redis.Redis.from_url(valkey) as client:
        client.rpop("vault:{t}:ledger")

    with pytest.raises(AnpaiError) as refused:
        await rival.take_over(2, heads[1])

    assert refused.value.reason == "LEDGER_LOST"


def test_what_is_sealed_opens_in_its_place_alone():
    seal = Seal(b"k" * 32)
    sealed = seal.seal(b"plain", "t", "ledger", 3)

    assert seal.open(sealed, "t", "ledger", 3) == b"plain"
    for place in (("u", "ledger", 3), ("t", "ledger", 4), ("t", "seed", 3)):
        with pytest.raises(Broken):
            seal.open(sealed, *place)


@pytest.mark.parametrize("sealed", [b"", b"short", b"x" * 40])
def test_what_was_never_sealed_does_not_open(sealed):
    with pytest.raises(Broken):
        Seal(b"k" * 32).open(sealed, "t")


async def test_a_wrapped_key_opens_for_its_table_alone():
    master = HeldMasterKey(b"m" * 32)
    wrapped = await master.wrap("t", b"d" * 32)

    assert await master.unwrap("t", wrapped) == b"d" * 32
    with pytest.raises(Broken):
        await master.unwrap("u", wrapped)


def test_a_new_master_key_is_its_owners_alone_and_is_kept(tmp_path):
    path = tmp_path / "master.key"
    make_master_key(path)
    first = path.read_text()

    make_master_key(path)

    assert path.read_text() == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_refused_operation_gives_nothing(worker):
    reply = await worker.resolve(worker.commitment, "a", BEGIN, BUILD, draw(99, 0))

    assert reply.refusal == "OPERATION_REFUSED"
    assert not reply.results


async def test_after_a_refused_operation_the_table_stands_where_it_stood(worker):
    await worker.resolve(worker.commitment, "bad", BEGIN, BUILD, draw(99, 0))

    good = await worker.resolve(worker.commitment, "good", BEGIN, BUILD, draw(40, 0))

    assert len(good.results[2].cards) == 40


async def test_a_worker_without_the_table_hears_so_before_anything_else(worker, rival):
    await rival.take_over(2, worker.commitment)

    reply = await worker.resolve(worker.commitment, "a", ROLL)

    assert reply.refusal == "EPOCH_REFUSED"
