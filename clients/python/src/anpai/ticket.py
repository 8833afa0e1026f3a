"""A ticket: the wish to play, and what becomes of it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from types import TracebackType
from typing import Self

from anpai.calls import Listening
from anpai.faults import AnpaiCallError, NotFound, NotNow, TicketClosed
from anpai.matchmaking.v1 import ticket_pb2 as wire
from anpai.matchmaking.v1.matchmaking_service_pb2 import (
    CancelTicketRequest,
    CancelTicketResponse,
    ConfirmReadyRequest,
    ConfirmReadyResponse,
    WatchTicketRequest,
)
from anpai.services import Services
from anpai.wire import Backoff

# Then we look anew: on a dead wire the ticket would expire unnoticed.
WATCH_SECONDS = 30.0

_LAST = (wire.TICKET_STATE_ASSIGNED, wire.TICKET_STATE_CLOSED)


Ready = Callable[[wire.ReadyCheck], Awaitable[bool]]
"""Is the player there?"""


Seen = Callable[[wire.Ticket], None]


def unnoticed(state: wire.Ticket) -> None:
    """Nothing is done about it."""


async def at_once(check: wire.ReadyCheck) -> bool:
    """Whoever waits for a seat is there."""
    return True


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

    async def seat(
        self, *, ready: Ready = at_once, seen: Seen = unnoticed
    ) -> wire.Assignment:
        """Wait for a seat. Raises TicketClosed if none comes.

        In a ready check `ready` says whether the player is there; if it takes longer
        than the check, the ticket is closed. `seen` is told each state.
        """
        with Attending(self, ready) as attending:
            async with aclosing(self._states()) as states:
                async for state in states:
                    seen(state)
                    attending.see(state)
                    if state.state == wire.TICKET_STATE_ASSIGNED:
                        return state.assignment
        raise TicketClosed(self.state.closed_because)

    async def confirm(self, check: wire.ReadyCheck) -> None:
        """Say that the player is there. Raises NotNow when the check is over."""
        request = ConfirmReadyRequest(ticket_id=self.id, check_id=check.id)
        await self._services.ask_matchmaking(
            "ConfirmReady", request, ConfirmReadyResponse
        )

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
                wait = trouble.retry_after
                if not (trouble.may_be_repeated and backoff.allows(wait)):
                    raise
                await self._services.matchmaking.turn()
                await backoff.pause(wait)
            if self.state.state in _LAST:
                return

    async def _once(self) -> AsyncGenerator[wire.Ticket]:
        services = self._services
        address = services.matchmaking.address
        watch = services.matchmaking_method("WatchTicket")(address)
        request = WatchTicketRequest(ticket_id=self.id)
        metadata = services.wire.metadata()
        call = watch(request, metadata=metadata, timeout=WATCH_SECONDS)
        async with Listening(services.wire.channels.keep(call)) as line:
            while (response := await line.read()) is not None:
                yield response.ticket


class Attending:
    """Asks the player in each ready check, once, while the ticket is watched on."""

    def __init__(self, ticket: Ticket, ready: Ready) -> None:
        self._ticket = ticket
        self._ready = ready
        self._check = ""
        self._asking: asyncio.Task[None] | None = None

    def see(self, state: wire.Ticket) -> None:
        """Raises what went wrong while the player was asked."""
        if self._asking is not None and self._asking.done():
            self._asking.result()
        check = state.ready_check
        if check.id == self._check:
            return
        self._check = check.id
        self._dismiss()
        if check.id and not check.is_confirmed:
            self._asking = asyncio.create_task(self._ask(check))

    async def _ask(self, check: wire.ReadyCheck) -> None:
        if await self._ready(check):
            with suppress(NotNow, NotFound):  # what comes of it the watch tells
                await self._ticket.confirm(check)

    def _dismiss(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._dismiss()
