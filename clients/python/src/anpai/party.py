"""A party: players who look for tables together and are never split."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from anpai.calls import Listening
from anpai.faults import AnpaiCallError, NotFound
from anpai.matchmaking.v1 import party_pb2 as wire
from anpai.matchmaking.v1.matchmaking_service_pb2 import (
    LeavePartyRequest,
    LeavePartyResponse,
    WatchPartyRequest,
)
from anpai.services import Services
from anpai.wire import Backoff

# Then we look anew: on a dead wire we would not hear of anything any more.
WATCH_SECONDS = 300.0


class Party:
    """Iterate for its states as they come: it ends when one is not in it any more.

    `state` is the last one seen: a `matchmaking.v1.Party` message. Its `ticket_id` is
    for `House.ticket`: every member finds its own seat there.
    """

    def __init__(self, services: Services, state: wire.Party) -> None:
        self.state = state
        self._services = services

    @property
    def code(self) -> str:
        """The invitation: whoever has it may join."""
        return self.state.code

    @property
    def leader(self) -> wire.Member:
        """Makes the party's tickets."""
        return self.state.members[0]

    async def leave(self) -> None:
        """A ticket that waits is closed; a seat that is assigned stays."""
        await self._services.ask_matchmaking(
            "LeaveParty", LeavePartyRequest(code=self.code), LeavePartyResponse
        )

    def __aiter__(self) -> AsyncIterator[wire.Party]:
        """The states from now on, resumed over broken streams."""
        return self._states()

    async def _states(self) -> AsyncGenerator[wire.Party]:
        backoff = Backoff(self._services.wire.patience)
        shown = 0
        while True:
            try:
                async with aclosing(self._once()) as states:
                    async for state in states:
                        backoff.reset()
                        if state.version > shown:
                            shown, self.state = state.version, state
                            yield state
                return
            except NotFound:
                return
            except AnpaiCallError as trouble:
                wait = trouble.retry_after
                if not (trouble.may_be_repeated and backoff.allows(wait)):
                    raise
                await self._services.matchmaking.turn()
                await backoff.pause(wait)

    async def _once(self) -> AsyncGenerator[wire.Party]:
        services = self._services
        watch = services.matchmaking_method("WatchParty")(services.matchmaking.address)
        metadata = services.wire.metadata()
        request = WatchPartyRequest(code=self.code)
        call = watch(request, metadata=metadata, timeout=WATCH_SECONDS)
        async with Listening(services.wire.channels.keep(call)) as line:
            while (response := await line.read()) is not None:
                yield response.party
