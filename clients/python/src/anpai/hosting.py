"""Hosting bots: calls for seats arrive; each is taken on or left to another host."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from anpai.calls import Duplex
from anpai.faults import AnpaiCallError
from anpai.matchmaking.v1.matchmaking_service_pb2 import (
    BotCall,
    CallTaken,
    HostBotsRequest,
    Offer,
)
from anpai.services import Services
from anpai.wire import Backoff


class Hosting:
    """Iterate for calls; `take` each one that is played, `release` its seat after.

    It goes on for ever: a broken stream is opened again, and offers what is free then.
    Needs a bot host's credential as the house's token.
    """

    def __init__(self, services: Services, games: Sequence[str], capacity: int) -> None:
        self.free = capacity
        self.is_connected = False
        self._services = services
        self._games = tuple(games)
        self._line: Duplex | None = None

    def take(self, call: BotCall) -> bool:
        """Confirm a call within a few seconds, or it goes to another host.

        False where that cannot be done: it is not ours then.
        """
        if self._line is None or self.free <= 0:
            return False
        # The offer first, so that no seat is counted as free that is not.
        self.hold()
        taken = CallTaken(call_id=call.call_id)
        self._line.send(HostBotsRequest(taken=taken))
        return True

    def hold(self) -> None:
        """One seat is not free: it was taken on before."""
        self.free -= 1
        self._tell()

    def release(self) -> None:
        """A seat taken on is played to the end: another may come."""
        self.free += 1
        self._tell()

    async def __aiter__(self) -> AsyncGenerator[BotCall]:
        backoff = Backoff(float("inf"))
        while True:
            try:
                async with aclosing(self._once()) as calls:
                    async for call in calls:
                        backoff.reset()
                        yield call
            except AnpaiCallError as trouble:
                if not trouble.may_be_repeated:
                    raise
                await backoff.pause(trouble.retry_after)
            else:
                await backoff.pause()

    async def _once(self) -> AsyncGenerator[BotCall]:
        method = self._services.matchmaking_method("HostBots")
        host, wire = method(self._services.matchmaking.address), self._services.wire
        call = wire.channels.keep(host(metadata=wire.metadata()))
        line = Duplex(call, self._offer())
        async with line:
            self._line = line
            try:
                self.is_connected = True
                while (response := await line.read()) is not None:
                    yield response.call
            finally:
                self._line, self.is_connected = None, False

    def _tell(self) -> None:
        if self._line is not None:
            self._line.send(self._offer())

    def _offer(self) -> HostBotsRequest:
        free = max(0, self.free)
        return HostBotsRequest(offer=Offer(games=self._games, capacity=free))
