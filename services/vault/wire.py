"""The vault's own values, to and from the messages of its contract."""

import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any

from anpai.vault.v1 import vault_service_pb2 as pb
from services.chassis.errors import AnpaiError, invalid
from services.vault.chain import canonical, veil_of
from services.vault.faces import Batch, Epoch, EpochRefused, Taken
from services.vault.holdings import Operation, Result, Results
from services.vault.ledger import Recorded

PAGE_BYTES = 256 * 1024
TABLE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")

# Verb -> the items of its operation, in the order of the canonical form.
_ITEMS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "begin": lambda it: (tuple(it.nonces),),
    "build": lambda it: (it.deck, tuple(it.faces)),
    "draw": lambda it: (it.deck, it.number, tuple(it.seats)),
    "find": lambda it: (it.deck, tuple(it.faces), it.number, tuple(it.seats)),
    "shuffle": lambda it: (it.deck, tuple(it.cards)),
    "stack": lambda it: (it.deck, tuple(it.cards), it.under),
    "show": lambda it: (tuple(it.cards), tuple(it.seats)),
    "conceal": lambda it: (tuple(it.cards), tuple(it.seats)),
    "mix": lambda it: (tuple(it.cards), tuple(it.seats)),
    "roll": lambda it: (it.sides, it.dice),
    "pick": lambda it: (it.total, it.number),
    "seal": lambda it: (it.seat, tuple(it.choice)),
}


def operation_of(message: pb.Operation) -> Operation:
    """The tuple that ends with its verb; one that says nothing has no known verb."""
    verb = message.WhichOneof("operation")
    if verb is None:
        return ("",)
    return (*_ITEMS[verb](getattr(message, verb)), verb)


def epoch_of(message: pb.Epoch) -> Epoch:
    return Epoch(message.number, message.token)


def new_table_of(message: pb.OpenTableRequest) -> str:
    """A name for a table that is safe in a key, and as that of a file."""
    if not TABLE_ID.fullmatch(message.table_id):
        raise invalid("table_id", "1-64 letters, digits, - or _")
    return message.table_id


def new_epoch_of(message: pb.Epoch) -> Epoch:
    """One that can be taken: 0 is that of a table nobody has taken yet."""
    if message.number < 1:
        raise invalid("epoch.number", "1 or more")
    return epoch_of(message)


def batch_of(message: pb.Batch) -> Batch:
    return Batch(
        message.table_id,
        epoch_of(message.epoch),
        message.head,
        message.digest,
        message.committed_head,
        tuple(operation_of(one) for one in message.operations),
    )


def resolved(batch: pb.Batch, results: Results) -> pb.Resolved:
    """The reply to a batch; it names the batch it belongs to (F4)."""
    reply = _echo(batch)
    reply.results.extend(map(_result, results))
    return reply


def refused(batch: pb.Batch, error: AnpaiError) -> pb.Resolved:
    reply = _echo(batch)
    reply.refusal = error.reason
    if isinstance(error, EpochRefused):
        reply.epoch_in_force.number, reply.epoch_in_force.token = error.in_force
    return reply


def taken(told: Taken) -> pb.TakeOverResponse:
    return pb.TakeOverResponse(
        veil=veil_of(told.seed),
        commitment=told.commitment,
        head_known=told.head_known,
        known_head=told.head,
        length=told.length,
    )


def pages(ledger: Iterable[Recorded]) -> Iterator[pb.ReadLedgerResponse]:
    """The ledger in messages that are not too long."""
    page, size = pb.ReadLedgerResponse(), 0
    for record in ledger:
        page.batches.append(_recorded(record))
        size += page.batches[-1].ByteSize()
        if size > PAGE_BYTES:
            yield page
            page, size = pb.ReadLedgerResponse(), 0
    if size:
        yield page


async def joined(
    parts: AsyncIterator[pb.DiscloseInPartsRequest],
) -> pb.DiscloseRequest:
    """What was told in parts, as if it had been told at once."""
    whole = pb.DiscloseRequest()
    async for part in parts:
        if not whole.table_id:
            whole.table_id, whole.head = part.table_id, part.head
            whole.epoch.CopyFrom(part.epoch)
        whole.journal.extend(part.journal)
        whole.events.extend(part.events)
    return whole


def _recorded(record: Recorded) -> pb.Recorded:
    return pb.Recorded(
        digest=record.digest,
        head=record.head,
        operations=canonical(record.operations),
        results=map(_result, record.results),
    )


def _echo(batch: pb.Batch) -> pb.Resolved:
    return pb.Resolved(
        table_id=batch.table_id,
        epoch=batch.epoch,
        head=batch.head,
        digest=batch.digest,
    )


def _result(result: Result) -> pb.Result:
    cards = [pb.Dealt(handle=handle, face=face) for handle, face in result.cards]
    return pb.Result(cards=cards, numbers=result.numbers)
