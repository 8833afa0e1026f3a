"""Opens tables as matchmaking does, with its key; but without clocks, which no ticket
asks for: a table with clocks does not stay as it is left."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import uuid4

import grpc

from anpai import Assignment
from anpai.engine.internal.v1.engine_internal_service_pb2 import (
    Assigned,
    OpenTableRequest,
)
from anpai.engine.internal.v1.engine_internal_service_pb2_grpc import (
    EngineInternalServiceStub,
)
from clients.bots.credential import Credential

SECONDS = 30.0


class Opening:
    """Tables for these players, at each engine in turn; `async with` it."""

    def __init__(self, engines: Sequence[str], keys: Path) -> None:
        self._credential = Credential(keys, "matchmaking", "engine")
        self._channels = [grpc.aio.insecure_channel(address) for address in engines]
        self._stubs = cycle(map(EngineInternalServiceStub, self._channels))

    async def table(
        self, game: str, variant: str, players: Sequence[str]
    ) -> list[Assignment]:
        """A new one, a seat for each player in this order."""
        request = OpenTableRequest(
            request_id=uuid4().hex,
            game=game,
            variant=variant,
            seats=[Assigned(player_id=one, name="Bench", bot=True) for one in players],
        )
        metadata = (("authorization", f"Bearer {self._credential()}"),)
        opened = await next(self._stubs).OpenTable(
            request, metadata=metadata, timeout=SECONDS
        )
        told = Assignment(
            table_id=opened.table_id,
            engine_address=opened.address,
            commitment=opened.commitment,
            game=game,
            variant=variant,
            seats=len(players),
        )
        return [in_seat(told, seat) for seat in range(len(players))]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for channel in self._channels:
            await channel.close()


def in_seat(told: Assignment, seat: int) -> Assignment:
    own = Assignment()
    own.CopyFrom(told)
    own.seat = seat
    return own
