"""Resolve as a stream: many tables in a message, failing one by one."""

import asyncio

import grpc
import pytest

from anpai.vault.v1 import vault_service_pb2 as pb
from services.chassis.errors import AnpaiError
from services.chassis.server import start
from services.vault.chain import next_head
from services.vault.overlap import overlapping
from services.vault.service import bind
from tests.services.vault.worker import BEGIN, BUILD, ROLL, Worker, digest, draw


@pytest.fixture
async def tables(running, credential):
    """Fifty tables that one worker has taken over: id -> commitment."""
    async with Worker(running.address, credential) as worker:
        opened = {}
        for number in range(50):
            opened[f"t{number}"] = (await worker.open(f"t{number}")).commitment
            await worker.take_over(1, worker.commitment)
        yield worker, opened


async def test_many_tables_travel_together(tables):
    worker, opened = tables
    sent = [worker.batch(head, "a", BEGIN, ROLL, table=t) for t, head in opened.items()]

    replies = await worker.send(*sent)

    assert [reply.table_id for reply in replies] == list(opened)
    rolls = {tuple(reply.results[1].numbers) for reply in replies}
    assert len(rolls) == len(opened)


async def test_a_table_that_fails_leaves_the_others_alone(tables):
    worker, opened = tables
    good = worker.batch(opened["t0"], "a", BEGIN, ROLL, table="t0")
    no_head = worker.batch(opened["t0"], "a", BEGIN, ROLL, table="t1")
    unknown = worker.batch(opened["t2"], "a", BEGIN, ROLL, table="unknown")
    broken = worker.batch("not hex", "a", BEGIN, table="t3")
    empty = worker.batch(opened["t4"], "a", type(BEGIN)(), table="t4")

    replies = await worker.send(good, no_head, unknown, broken, empty)

    refusals = [reply.refusal for reply in replies]
    assert refusals == [
        *("", "HEAD_REFUSED", "TABLE_NOT_FOUND", "HEAD_REFUSED", "OPERATION_REFUSED")
    ]


async def test_messages_need_not_wait_for_one_another(tables):
    worker, opened = tables
    for table, head in opened.items():
        await worker.post(worker.batch(head, "a", BEGIN, ROLL, table=table))

    replies = [await worker.hear() for _ in opened]

    assert sorted(one.table_id for reply in replies for one in reply) == sorted(opened)
    assert not any(one.refusal for reply in replies for one in reply)


async def test_after_a_broken_stream_the_same_batch_gives_the_same(worker):
    first = await worker.resolve(worker.commitment, "a", BEGIN, BUILD, draw(5, 0))
    worker.hang_up()

    again = await worker.resolve(worker.commitment, "a", BEGIN, BUILD, draw(5, 0))

    assert again == first


async def test_a_vault_that_was_restarted_goes_on(running, config, worker, credential):
    heads = await worker.play("a", "b")
    again = await start("vault", config, bind)
    async with Worker(again.address, credential) as same:
        await same.open("t")
        same.epoch = worker.epoch
        resolved = await same.resolve(heads[1], "c", draw(3, 0))
    await again.stop()

    here = await worker.resolve(heads[1], "c", draw(3, 0))
    assert here.results == resolved.results
    assert resolved.refusal == ""


async def test_the_same_batch_twice_at_once_is_recorded_once(worker, rival):
    await worker.play("a")
    head = next_head(worker.commitment, digest("a"))
    batch = worker.batch(head, "b", draw(5, 0), ROLL)

    one, two = await worker.send(batch, batch)

    assert one == two
    await rival.take_over(2, one.head)
    assert len(await rival.ledger()) == 1


async def test_two_workers_racing_for_a_table_never_mix(running, credential, worker):
    """Whoever holds the higher epoch at the end has a ledger that chains."""
    rivals = [Worker(running.address, credential, token=f"w{n}") for n in range(4)]

    async def play(rival, number):
        await rival.open("t")
        head = rival.commitment
        try:
            await rival.take_over(number, head)
            for name in "abcdef":
                first = (BEGIN, BUILD) if name == "a" else ()
                reply = await rival.resolve(head, name, *first, ROLL)
                if reply.refusal:
                    return
                head = next_head(head, digest(name))
        finally:
            rival.hang_up()

    await asyncio.gather(
        *(play(rival, n) for n, rival in enumerate(rivals, 2)), return_exceptions=True
    )
    last = await worker.take_over(9, worker.commitment)
    assert last.length == 0
    heads = await worker.play(*"abcdef")
    assert [one.head for one in await ledger_at(worker, 10, heads[-1])] == heads
    for rival in rivals:
        await rival.__aexit__()


async def ledger_at(worker, number, head):
    await worker.take_over(number, head)
    return await worker.ledger()


@pytest.mark.parametrize(
    "table", ["", "a}b", "x" * 65, "ein tisch", "..", ".t", "a.b", "-t"]
)
async def test_a_table_without_a_proper_name_is_not_opened(worker, table):
    """It becomes part of a key, and the name of a file."""
    with pytest.raises(AnpaiError) as refused:
        await worker.open(table)

    assert refused.value.reason == "INVALID_FIELD"


async def test_a_long_ledger_comes_in_several_messages(worker):
    faces = [f"skirmish/{'x' * 90}-{number}" for number in range(2000)]
    head = worker.commitment
    for number in range(5):
        build = pb.Operation(build=pb.Build(deck=f"deck-{number}", faces=faces))
        first = (BEGIN,) if number == 0 else ()
        assert not (await worker.resolve(head, f"{number}", *first, build)).refusal
        head = next_head(head, digest(f"{number}"))

    await worker.take_over(2, head)
    pages = await worker.pages()

    assert [len(page.batches) for page in pages] == [2, 2, 1]


async def test_bytes_that_are_no_message_end_the_stream_only(worker, running):
    channel = grpc.aio.insecure_channel(running.address)
    call = channel.stream_stream("/anpai.vault.v1.VaultService/Resolve")(
        iter([b"\xff\xff"]), metadata=worker._credential.metadata()
    )
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call.read()
    await channel.close()

    assert refused.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert (await worker.resolve(worker.commitment, "a", BEGIN)).refusal == ""


async def test_what_is_resolved_is_counted(worker, running):
    await worker.resolve(worker.commitment, "a", BEGIN, BUILD, draw(1, 0), ROLL)
    await worker.resolve("0" * 64, "b", ROLL)

    def value(name, **labels):
        return running.metrics.registry.get_sample_value(name, labels)

    assert value("anpai_vault_batches_total") == 1
    assert value("anpai_vault_operations_total", verb="roll") == 1
    assert value("anpai_vault_refusals_total", reason="HEAD_REFUSED") == 1


async def test_only_what_was_played_before_is_made_anew(
    running, config, worker, credential
):
    def rebuilt(vault):
        return vault.metrics.registry.get_sample_value("anpai_vault_rebuilt_total")

    heads = await worker.play("a", "b")
    again = await start("vault", config, bind)
    async with Worker(again.address, credential) as same:
        await same.open("t")
        same.epoch = worker.epoch
        await same.resolve(heads[1], "c", ROLL)

    assert (rebuilt(running), rebuilt(again)) == (0, 1)
    await again.stop()


async def test_what_is_under_way_has_ended_before_an_error_is_told():
    """Two that speak on one stream at once break it."""
    ended = []

    async def requests():
        yield 1
        await asyncio.sleep(0)
        raise ValueError("enough")

    async def work(request):
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            ended.append(request)

    with pytest.raises(ValueError, match="enough"):
        await overlapping(requests(), work)

    assert ended == [1]
