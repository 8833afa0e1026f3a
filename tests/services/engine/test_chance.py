"""How the engine speaks to the vault: on one stream, matched, again when it broke."""

import asyncio
import json
from contextlib import suppress

import grpc
import pytest

from anpai.audit.v1 import audit_service_pb2 as audit
from anpai.audit.v1 import audit_service_pb2_grpc as audit_rpc
from anpai.vault.v1 import vault_service_pb2 as pb
from anpai.vault.v1 import vault_service_pb2_grpc as rpc
from services.chassis.client import MESSAGE_BYTES, Peer
from services.chassis.errors import AnpaiError
from services.chassis.keys import load_keys
from services.chassis.telemetry import fresh_metrics
from services.chassis.tokens import Credential
from services.engine import chance as spoken
from services.engine.chance import VaultChance
from services.engine.journal import Epoch
from services.engine.kernel import chance
from services.engine.kernel.budget import Budget
from services.engine.kernel.chance import ALL_SEATS, Result, Roll
from services.engine.kernel.entry import next_head
from services.engine.kernel.play import Batch
from services.local.verify import verify
from tests.services.engine.protocol.network import ChancePort
from tests.services.engine.protocol.world import WorkerTwin, World

HEAD, DIGEST, OTHER = "a" * 64, "b" * 64, "c" * 64
FIRST, SECOND = Epoch(1, "one"), Epoch(2, "two")


def batch(head, digest, *operations):
    return Batch(head, digest, operations, next_head(head, digest))


DICE = batch(HEAD, DIGEST, Roll(6, 2))


def refused(reason):
    return pytest.raises(AnpaiError, check=lambda error: error.reason == reason)


# ---- a vault that does as it is told -------------------------------------------------


class Obedient(rpc.VaultServiceServicer):
    """Notes the messages; `replies` makes the answer to each, or breaks the stream."""

    def __init__(self):
        self.messages = []
        self.replies = lambda batches: [gives(batch) for batch in batches]

    async def Resolve(self, requests, context):
        async for request in requests:
            self.messages.append(list(request.batches))
            resolved = self.replies(request.batches)
            if resolved is None:
                await context.abort(grpc.StatusCode.UNAVAILABLE, "going away")
            yield pb.ResolveResponse(resolved=resolved)


def gives(batch, numbers=(3, 4), **other):
    """A reply to a batch, or one that differs from it."""
    told = {
        "table_id": batch.table_id,
        "epoch": batch.epoch,
        "head": batch.head,
        "digest": batch.digest,
        "results": [pb.Result(numbers=numbers)],
    }
    return pb.Resolved(**(told | other))


@pytest.fixture
async def obedient():
    server, servicer = grpc.aio.server(), Obedient()
    rpc.add_VaultServiceServicer_to_server(servicer, server)
    servicer.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    yield servicer
    await server.stop(0)


@pytest.fixture
async def engine_side(obedient):
    """Makes the engine's side of the stream."""
    closing = []

    def connect(kind=VaultChance, patience=5.0):
        peer = Peer(obedient.address)
        made = kind(peer, fresh_metrics(), patience)
        closing.extend((made, peer))
        return made

    yield connect
    for one in closing:
        await one.close()


async def test_batches_of_one_turn_travel_in_one_message(engine_side, obedient):
    asked = engine_side()
    tables = [f"t-{number}" for number in range(20)]
    calls = [asked.resolve(table, FIRST, DICE, HEAD) for table in tables]

    assert await asyncio.gather(*calls) == [(Result(numbers=(3, 4)),)] * 20
    assert [len(message) for message in obedient.messages] == [20]


async def test_f4_the_reply_to_another_attempt_is_dropped(engine_side, obedient):
    obedient.replies = strangers_first
    results = await engine_side().resolve("t-1", SECOND, DICE, HEAD)
    assert results == (Result(numbers=(3, 4)),)


async def test_f4_matched_by_table_alone_the_wrong_reply_would_be_taken(
    engine_side, obedient
):
    obedient.replies = strangers_first
    results = await engine_side(ByTableAlone).resolve("t-1", SECOND, DICE, HEAD)
    assert results != (Result(numbers=(3, 4)),)


def strangers_first(batches):
    """Replies to a former epoch, another head, another digest; then the right one."""
    (batch,) = batches
    former = pb.Epoch(number=1, token="one")
    return [
        gives(batch, (1,), epoch=former),
        gives(batch, (1,), head=OTHER),
        gives(batch, (1,), digest=OTHER),
        gives(batch, (1,), table_id="t-2"),
        gives(batch),
    ]


class ByTableAlone(VaultChance):
    """What simpler code would do."""

    def _hear(self, resolved):
        for key in self._waiting:
            if key.table_id == resolved.table_id:
                resolved.epoch.number, resolved.epoch.token = key.number, key.token
                resolved.head, resolved.digest = key.head, key.digest
        super()._hear(resolved)


async def test_after_a_broken_stream_the_same_batch_is_sent_again(
    engine_side, obedient
):
    def breaks_once(batches):
        return None if len(obedient.messages) == 1 else [gives(one) for one in batches]

    obedient.replies = breaks_once
    await engine_side().resolve("t-1", FIRST, DICE, HEAD)

    first, again = obedient.messages
    assert first == again


async def test_a_batch_that_was_given_up_is_not_sent_again(engine_side, obedient):
    obedient.replies = lambda batches: None
    asked = engine_side(patience=0.2)
    with refused("PART_UNAVAILABLE"):
        await asked.resolve("t-1", FIRST, DICE, HEAD)
    obedient.messages.clear()
    obedient.replies = lambda batches: [gives(one) for one in batches]
    await asked.resolve("t-2", FIRST, DICE, HEAD)
    assert [one.table_id for one in obedient.messages[-1]] == ["t-2"]


async def test_a_caller_that_goes_away_leaves_nothing_behind(engine_side, obedient):
    obedient.replies = lambda batches: []
    asked = engine_side()
    call = asyncio.create_task(asked.resolve("t-1", FIRST, DICE, HEAD))
    await asyncio.sleep(0.05)
    call.cancel()
    with suppress(asyncio.CancelledError):
        await call
    assert not asked._waiting


async def test_a_refusal_names_the_epoch_in_force(engine_side, obedient):
    def in_force(batches):
        epoch = pb.Epoch(number=7, token="seven")
        refusal = {"refusal": "EPOCH_REFUSED", "epoch_in_force": epoch, "results": []}
        return [gives(one, **refusal) for one in batches]

    obedient.replies = in_force
    with refused("EPOCH_REFUSED") as error:
        await engine_side().resolve("t-1", FIRST, DICE, HEAD)
    assert error.value.metadata["epoch"] == "7"


async def test_a_batch_that_fails_leaves_the_others_alone(engine_side, obedient):
    def one_fails(batches):
        bad, good = batches
        return [gives(bad, refusal="HEAD_REFUSED", results=[]), gives(good)]

    obedient.replies = one_fails
    asked = engine_side()
    calls = [asked.resolve(table, FIRST, DICE, HEAD) for table in ("t-1", "t-2")]
    bad, good = await asyncio.gather(*calls, return_exceptions=True)
    assert bad.reason == "HEAD_REFUSED"
    assert good == (Result(numbers=(3, 4)),)


async def test_a_closed_stream_tells_whoever_waits(engine_side, obedient):
    obedient.replies = lambda batches: []
    asked = engine_side()
    call = asyncio.create_task(asked.resolve("t-1", FIRST, DICE, HEAD))
    await asyncio.sleep(0.05)
    await asked.close()
    with refused("PART_UNAVAILABLE"):
        await call


OPERATIONS = [
    chance.Begin(("aa", "")),
    chance.Build("deck", ("x", "y")),
    chance.Draw("deck", 2, (0, 1)),
    chance.Shuffle("deck", ("h1",)),
    chance.Stack("deck", ("h1", "h2"), True),
    chance.Show(("h1",), ALL_SEATS),
    chance.Conceal(("h1",), (1,)),
    chance.Mix(("h1",), ()),
    chance.Roll(6, 2),
    chance.Pick(5, 2),
    chance.Seal(1, ("high",)),
]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.verb)
def test_every_operation_is_said_in_full(operation):
    message = spoken._spoken(operation)
    said = getattr(message, message.WhichOneof("operation"))
    items = operation._asdict()
    assert message.WhichOneof("operation") == items.pop("verb")
    for name, value in items.items():
        told = getattr(said, name)
        assert (tuple(told) if isinstance(value, tuple) else told) == value


# ---- the real vault, and the twin that stands for it ---------------------------------


@pytest.fixture
async def asked_of_vault(vault, keys_folder):
    peer = Peer(vault.address, Credential(load_keys(keys_folder, "engine"), "vault"))
    made = VaultChance(peer, fresh_metrics())
    yield made
    await made.close()
    await peer.close()


@pytest.fixture(params=["vault", "twin"])
def asked(request, asked_of_vault):
    """Both must keep the same promises."""
    if request.param == "vault":
        return asked_of_vault
    world = World()
    world.network.calm = True
    worker = WorkerTwin(world, "anna")
    world.check.ledger_reaches_journal = lambda table_id: None
    world.check.disclosed = lambda table_id, head: None
    return ChancePort(worker, world.vault)


class Told:
    """A table in the vault, and the heads of what was resolved there."""

    def __init__(self, asked, opened):
        self.asked = asked
        self.heads = [opened.commitment]

    async def resolves(self, epoch, behind=-1, digest="", operations=None):
        head = self.heads[behind]
        digest = digest or f"{len(self.heads):064x}"
        begin = (chance.Begin(("", "")),) if head == self.heads[0] else ()
        asked = batch(head, digest, *(operations or (*begin, Roll(1000, 3))))
        results = await self.asked.resolve("t-1", epoch, asked, self.heads[0])
        self.heads.append(next_head(head, digest))
        return results

    async def takes(self, epoch, head=-1):
        name = head if isinstance(head, str) else self.heads[head]
        return await self.asked.take_over("t-1", epoch, name)

    async def ledger(self, epoch):
        return [one.head for one in await self.asked.read_ledger("t-1", epoch)]


@pytest.fixture
async def told(asked):
    return Told(asked, await asked.open_table("t-1", "toy"))


async def test_a_seed_is_never_drawn_again(asked, told):
    again = await asked.open_table("t-1", "toy")
    assert again.commitment == told.heads[0]
    taken = await told.takes(FIRST)
    assert (taken.commitment, taken.veil) == (again.commitment, again.veil)


async def test_the_same_batch_gives_the_same_again(told):
    await told.takes(FIRST)
    first = await told.resolves(FIRST)
    assert await told.resolves(FIRST, behind=0, digest=f"{1:064x}") == first


async def test_behind_a_known_head_another_batch_is_refused(told):
    await told.takes(FIRST)
    await told.resolves(FIRST)
    with refused("HEAD_REFUSED"):
        await told.resolves(FIRST, behind=0, digest=OTHER)


async def test_an_unknown_head_is_refused(told):
    await told.takes(FIRST)
    told.heads.append(OTHER)
    with refused("HEAD_REFUSED"):
        await told.resolves(FIRST)


async def test_a_takeover_cuts_and_an_equal_epoch_does_not(told):
    await told.takes(FIRST)
    await told.resolves(FIRST)
    again = await told.takes(FIRST, head=0)
    assert (again.head_known, again.length) == (True, 0)
    await told.resolves(FIRST)
    taken = await told.takes(SECOND, head=1)
    assert (taken.known_head, taken.length) == (told.heads[1], 1)
    assert await told.ledger(SECOND) == told.heads[1:2]


async def test_lower_epochs_and_other_tokens_are_refused_and_told_the_one_in_force(
    told,
):
    await told.takes(SECOND)
    for epoch in (FIRST, Epoch(2, "another")):
        with refused("EPOCH_REFUSED") as error:
            await told.takes(epoch)
        assert error.value.metadata["epoch"] == "2"
        with refused("EPOCH_REFUSED"):
            await told.resolves(epoch)
        with refused("EPOCH_REFUSED"):
            await told.ledger(epoch)


async def test_where_a_head_is_unknown_the_last_committed_one_is_named(told):
    await told.takes(FIRST)
    await told.resolves(FIRST)
    taken = await told.takes(SECOND, head=OTHER)
    assert (taken.head_known, taken.known_head, taken.length) == (
        False,
        told.heads[0],
        0,
    )


async def test_a_head_before_a_committed_one_means_a_lost_journal(told):
    await told.takes(FIRST)
    await told.resolves(FIRST)
    told.heads.reverse()  # the next batch names the first one's head as committed
    asked = batch(told.heads[0], OTHER, Roll(6, 1))
    await told.asked.resolve("t-1", FIRST, asked, told.heads[0])
    with refused("JOURNAL_LOST"):
        await told.takes(SECOND, head=told.heads[1])


async def test_nothing_is_resolved_after_the_disclosure(told):
    await told.takes(FIRST)
    await told.resolves(FIRST)
    with refused("HEAD_REFUSED"):
        await told.asked.disclose("t-1", FIRST, told.heads[0], ["[]"], [])
    for _ in range(2):
        await told.asked.disclose("t-1", FIRST, told.heads[-1], ["[]"], [])
    with refused("DISCLOSED_ALREADY"):
        await told.resolves(FIRST)


async def test_a_stopped_table_may_be_called_stopped_again_and_by_whoever_meets_it(
    asked_of_vault, vault
):
    told = Told(asked_of_vault, await asked_of_vault.open_table("t-1", "toy"))
    await told.takes(FIRST)
    for table in ("t-1", "t-1", "t-none"):
        await asked_of_vault.stop_table(table)


# ---- tables that are too long for one message ----------------------------------------


def test_a_disclosure_goes_out_in_parts_that_are_not_too_long(monkeypatch):
    monkeypatch.setattr(spoken, "MESSAGE_BYTES", 10)
    journal, events = ["[1]", "[22]", "[333]"], ["暗" * 5, "[4]", "[5]"]

    parts = [*spoken.in_parts(journal, events)]

    assert [text for part in parts for text in part.journal] == journal
    assert [text for part in parts for text in part.events] == events
    assert [(len(part.journal), len(part.events)) for part in parts] == [
        *((3, 0), (0, 1), (0, 2))
    ]
    assert [*spoken.in_parts([], [])] == [([], [])]


async def disclosed(vault, table):
    async with grpc.aio.insecure_channel(vault.address) as channel:
        stub = audit_rpc.AuditServiceStub(channel)
        request = audit.GetDisclosureRequest(table_id=table)
        return b"".join([part.data async for part in stub.GetDisclosure(request)])


async def test_a_table_at_the_end_of_its_budget_is_disclosed_whole(
    asked_of_vault, vault
):
    told = Told(asked_of_vault, await asked_of_vault.open_table("t-1", "toy"))
    await told.takes(FIRST)
    await told.resolves(FIRST)
    event = json.dumps(["Moved", "hand-0", "row-0", "h" * 250])
    events = [event] * Budget().events
    assert len("".join(events)) > MESSAGE_BYTES, "more than gRPC lets through at once"

    await told.asked.disclose("t-1", FIRST, told.heads[-1], ["[]"], events)

    paper = json.loads(await disclosed(vault, "t-1"))
    assert paper["journal"] == [[]]
    assert paper["events"] == [json.loads(event)] * len(events)


async def test_a_game_that_is_disclosed_in_parts_can_be_verified(
    vault, opened, player, monkeypatch
):
    monkeypatch.setattr(spoken, "MESSAGE_BYTES", 200)
    table = await opened("anna", "ben")
    for name in ("anna", "ben"):
        await player(name).takes_seat(table)
    await player("anna").concedes(table)

    async with asyncio.timeout(30):
        while (paper := await told_of(vault, table)) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.05)

    assert verify(paper).problem == ""


async def told_of(vault, table):
    with suppress(grpc.aio.AioRpcError):
        return await disclosed(vault, table)


async def test_a_table_nobody_opened_is_not_found(asked):
    with refused("TABLE_NOT_FOUND"):
        await asked.take_over("t-none", FIRST, HEAD)


async def test_an_operation_that_can_not_be_done_is_refused_and_leaves_no_trace(told):
    await told.takes(FIRST)
    await told.resolves(FIRST)
    with refused("OPERATION_REFUSED"):
        await told.resolves(FIRST, operations=(chance.Show(("none",), ALL_SEATS),))
    await told.resolves(FIRST)
