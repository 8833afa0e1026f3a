"""Random takeovers, batches and late copies of both, held against a model.

The model is the ledger as the contract tells it, in a few lines; the vault is the real
one, on a real store. It may tell nothing but what the model tells.
"""

import asyncio
from dataclasses import dataclass, field

import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry

from services.chassis.errors import AnpaiError
from services.chassis.stores import open_store
from services.chassis.telemetry import fresh_metrics
from services.vault.chain import commitment_of, next_head
from services.vault.counts import Counts
from services.vault.faces import Batch, Epoch, Faces
from services.vault.resolving import Resolver
from services.vault.sealing import HeldMasterKey
from tests.services.vault.worker import digest

LOST = digest("a head nobody has")


@dataclass
class Model:
    """What the contract says of one table; heads are known by the names before them."""

    commitment: str
    epoch: Epoch = field(default_factory=lambda: Epoch(0, ""))
    ledger: list[str] = field(default_factory=list)
    named: int = 0
    taken: tuple[bool, int] = (True, 0)

    def head(self, length):
        head = self.commitment
        for name in self.ledger[:length]:
            head = next_head(head, digest(name))
        return head

    def length_of(self, head):
        lengths = range(len(self.ledger) + 1)
        return next((one for one in lengths if self.head(one) == head), None)

    def take_over(self, epoch, head):
        if epoch == self.epoch:
            return self.taken
        if epoch.number <= self.epoch.number:
            return "EPOCH_REFUSED"
        length = self.length_of(head)
        if length is not None and length < self.named:
            return "JOURNAL_LOST"
        self.epoch = epoch
        self.taken = (length is not None, self.named if length is None else length)
        del self.ledger[self.taken[1] :]
        return self.taken

    def resolve(self, epoch, head, name, committed):
        if epoch != self.epoch or epoch.number == 0:
            return "EPOCH_REFUSED"
        length = self.length_of(head)
        if length is None or [*self.ledger, name][length] != name:
            return "HEAD_REFUSED"
        past = (*self.ledger[:length], name)
        if length == len(self.ledger):
            self.ledger.append(name)
        self.named = max(self.named, self.length_of(committed) or 0)
        return past


class Vault:
    """The vault itself, answering as the model does."""

    def __init__(self, faces):
        self.faces = faces
        self.resolver = Resolver(faces, Counts(CollectorRegistry()), most=1)
        self.chance = {}
        self.commitment = ""

    async def take_over(self, epoch, head):
        try:
            taken = await self.faces.take_over("t", epoch, head)
        except AnpaiError as error:
            return error.reason
        self.resolver.forget("t")
        return taken.head_known, taken.length

    async def resolve(self, epoch, head, name, committed, past):
        operations = [(("",), "begin")] if head == self.commitment else []
        operations.append((10**6, 2, "roll"))
        batch = Batch("t", epoch, head, digest(name), committed, operations)
        try:
            results = await self.resolver.resolve(batch)
        except AnpaiError as error:
            return error.reason
        assert self.chance.setdefault(past, results) == results
        return past


# A head: so far back from the tip, or one of all there ever were, or one nobody has.
HEADS = st.one_of(
    st.tuples(st.just("back"), st.integers(0, 3)),
    st.tuples(st.just("once"), st.integers(0, 9)),
    st.just(("lost", 0)),
)
TIP = st.just(("back", 0))
NAMES = st.sampled_from("abc")

STEPS = st.one_of(
    st.tuples(st.just("resolve"), TIP, NAMES, TIP),
    st.tuples(st.just("resolve"), TIP, NAMES, HEADS),
    st.tuples(st.just("resolve"), HEADS, NAMES, HEADS),
    st.tuples(st.just("take"), st.integers(-1, 2), st.sampled_from("xy"), HEADS),
    st.tuples(st.just("again"), st.integers(1, 6)),
    st.tuples(st.just("forget")),
)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(script=st.lists(STEPS, min_size=5, max_size=30))
def test_the_vault_does_what_the_contract_says(valkey, script):
    with redis.Redis.from_url(valkey) as client:
        client.flushall()
    asyncio.run(follow(valkey, script))


async def follow(url, script):
    store = await open_store(url, fresh_metrics())
    try:
        faces = Faces(store, HeldMasterKey(b"m" * 32))
        vault = Vault(faces)
        vault.commitment = commitment_of((await faces.open("t", "skirmish")).seed)
        await play(vault, Model(vault.commitment), script)
    finally:
        await store.close()


async def play(vault, model, script):
    sent, once = [], [model.commitment]
    for step in script:
        match step:
            case ("take", ahead, token, head):
                epoch = Epoch(max(1, model.epoch.number + ahead), token)
                sent.append(("take", epoch, where(model, once, head)))
            case ("resolve", head, name, committed):
                behind = where(model, once, head)
                named = where(model, once, committed)
                sent.append(("resolve", model.epoch, behind, name, named))
            case ("again", late) if len(sent) >= late:
                sent.append(sent[-late])
            case _:
                vault.resolver.forget("t")
                continue
        await compare(vault, model, sent[-1])
        once.append(model.head(len(model.ledger)))


def where(model, once, head):
    match head:
        case ("back", steps):
            return model.head(max(0, len(model.ledger) - steps))
        case ("once", index):
            return once[-1 - index % len(once)]
    return LOST


async def compare(vault, model, request):
    kind, *told = request
    if kind == "take":
        expected = model.take_over(*told)
        assert await vault.take_over(*told) == expected
    else:
        expected = model.resolve(*told)
        assert await vault.resolve(*told, expected) == expected
