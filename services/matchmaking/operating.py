"""Matchmaking's door for operators: how many look for a table."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from anpai.operator.v1 import queue_service_pb2 as pb
from anpai.operator.v1 import queue_service_pb2_grpc as rpc
from services.chassis.audit import audited
from services.matchmaking.tickets import Length, Tickets
from services.matchmaking.timings import wall_clock

NAME = "anpai.operator.v1.QueueService"


class Queue(NamedTuple):
    """What its tickets want; private rooms that want the same are one."""

    game: str
    variant: str
    seats: int
    bots: int
    private: bool


class QueueService(rpc.QueueServiceServicer):
    """Over the queues of all processes."""

    def __init__(self, tickets: Tickets) -> None:
        self._tickets = tickets

    async def ListQueues(
        self, request: pb.ListQueuesRequest, context: Any
    ) -> pb.ListQueuesResponse:
        audited("ListQueues")
        pools = list(await self._tickets.pools())
        lengths = await asyncio.gather(*map(self._tickets.length, pools))
        by_queue: dict[Queue, list[Length]] = defaultdict(list)
        for pool, length in zip(pools, lengths, strict=True):
            if length.tickets:
                by_queue[queue_of(pool)].append(length)
        now = wall_clock()
        lines = (line(queue, by_queue[queue], now) for queue in sorted(by_queue))
        return pb.ListQueuesResponse(queues=lines)


def queue_of(pool: str) -> Queue:
    """What the name of a pool says, but for the code of a room."""
    game, seats, bots, variant, _, room = pool.split("/")
    return Queue(game, variant, int(seats), int(bots), private=bool(room))


def line(queue: Queue, lengths: Iterable[Length], now: int) -> pb.QueueLine:
    known = list(lengths)
    since = min(one.since_ms or now for one in known)
    return pb.QueueLine(
        **queue._asdict(),
        tickets=sum(one.tickets for one in known),
        players=sum(one.players for one in known),
        oldest_ms=max(0, now - since),
    )
