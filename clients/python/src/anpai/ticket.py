"""A ticket: the wish to play, and what becomes of it."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing

from anpai.calls import Listening
from anpai.faults import AnpaiCallError, TicketClosed
from anpai.matchmaking.v1 import ticket_pb2 as wire
from anpai.matchmaking.v1.matchmaking_service_pb2 import (
    CancelTicketRequest,
    CancelTicketResponse,
    WatchTicketRequest,
)
from anpai.services import Services
from anpai.wire import Backoff

# Then we look anew: on a dead wire the ticket would expire unnoticed.
WATCH_SECONDS = 30.0

_LAST = (wire.TICKET_STATE_ASSIGNED, wire.TICKET_STATE_CLOSED)


class Ticket:
    """Await `seat()`, or iterate for the ticket's states as they come.

    `state` is the last one seen: a `matchmaking.v1.Ticket` message. A ticket that
    nobody watches for a while expires.
    """

    def __init__(
        self,
        services: Services,
        state: wire.Ticket,
        assigned: Callable[[wire.Assignment], None],
    ) -> None:
        """`assigned` is told the seat as soon as it is known."""
        self.state = state
        self._services = services
        self._assigned = assigned

    @property
    def id(self) -> str:
        return self.state.id

    async def seat(self) -> wire.Assignment:
        """Wait for a seat. Raises TicketClosed if none comes."""
        async with aclosing(self._states()) as states:
            async for state in states:
                if state.state == wire.TICKET_STATE_ASSIGNED:
                    return state.assignment
        raise TicketClosed(self.state.closed_because)

    async def cancel(self) -> None:
        """Give the wish up. Raises NotNow when a seat has been assigned already."""
        request = CancelTicketRequest(ticket_id=self.id)
        reply = await self._services.ask_matchmaking(
            "CancelTicket", request, CancelTicketResponse
        )
        self.state = reply.ticket

    def __aiter__(self) -> AsyncIterator[wire.Ticket]:
        """The states from now on, resumed over broken streams; the last is final."""
        return self._states()

    async def _states(self) -> AsyncGenerator[wire.Ticket]:
        backoff = Backoff(self._services.wire.patience)
        while True:
            try:
                async with aclosing(self._once()) as states:
                    async for state in states:
                        backoff.reset()
                        self.state = state
                        if state.state == wire.TICKET_STATE_ASSIGNED:
                            self._assigned(state.assignment)
                        yield state
            except AnpaiCallError as trouble:
                if not trouble.may_be_repeated or backoff.is_over:
                    raise
                await self._services.matchmaking.turn()
                await backoff.pause(trouble.retry_after)
            if self.state.state in _LAST:
                return

    async def _once(self) -> AsyncGenerator[wire.Ticket]:
        services = self._services
        address = services.matchmaking.address
        watch = services.matchmaking_method("WatchTicket")(address)
        request = WatchTicketRequest(ticket_id=self.id)
        metadata = services.wire.metadata()
        call = watch(request, metadata=metadata, timeout=WATCH_SECONDS)
        async with Listening(call) as line:
            while (response := await line.read()) is not None:
                yield response.ticket
