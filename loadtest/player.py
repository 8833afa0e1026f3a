"""One player over sync stubs: signs in, finds a seat, sits and answers at random."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

import gevent
import grpc

from anpai.engine.v1 import engine_service_pb2 as engine_pb
from anpai.matchmaking.v1 import matchmaking_service_pb2 as pb
from anpai.matchmaking.v1 import ticket_pb2 as ticket
from loadtest import wire

R = TypeVar("R")
# (what was done, how long it took in seconds, what went wrong).
Measure = Callable[[str, float, Exception | None], None]
Metadata = tuple[tuple[str, str], ...]

CALL_SECONDS = 20.0
PATIENCE = 60.0
AGAIN_SECONDS = 0.25


class Closed(Exception):
    """A ticket came to nothing."""


class Player:
    """`server` is matchmaking's address; `measure` hears of all that was done."""

    def __init__(self, server: str, measure: Measure, seed: int) -> None:
        self.dice = random.Random(seed)
        self.measure = measure
        self.metadata: Metadata = ()
        self._matchmaking = wire.matchmaking(server)

    @contextmanager
    def measured(self, name: str) -> Iterator[None]:
        """What is done meanwhile counts under this name; its errors go on."""
        began = monotonic()
        try:
            yield
        except Exception as error:
            self.measure(name, monotonic() - began, error)
            raise
        self.measure(name, monotonic() - began, None)

    def sign_in(self, name: str) -> None:
        with self.measured("sign in"):
            request = pb.SignInRequest(name=name, bot=True)
            told = self._matchmaking.SignIn(request, timeout=CALL_SECONDS)
        self.metadata = (("authorization", f"Bearer {told.token}"),)

    def find_seat(self, wish: ticket.Wish, party: str = "") -> ticket.Assignment:
        """In the open queue, until there is one. Raises Closed."""
        with self.measured("find a seat"):
            request = pb.CreateTicketRequest(request_id=uuid4().hex, wish=wish)
            if party:
                request.party_code = party
            made = self._ask("CreateTicket", request).ticket
            return self._patiently(lambda: self._seat_of(made.id))

    def _seat_of(self, ticket_id: str) -> ticket.Assignment:
        """Watch a ticket until it has a seat. Raises Closed."""
        request = pb.WatchTicketRequest(ticket_id=ticket_id)
        call = self._matchmaking.WatchTicket(request, metadata=self.metadata)
        try:
            for told in call:
                if told.ticket.state == ticket.TICKET_STATE_ASSIGNED:
                    found: ticket.Assignment = told.ticket.assignment
                    return found
                if told.ticket.state == ticket.TICKET_STATE_CLOSED:
                    raise Closed(told.ticket.closed_because)
        finally:
            call.cancel()
        raise Closed("the stream ended")

    # -- with friends -------------------------------------------------------------

    def make_party(self) -> str:
        """Its code."""
        with self.measured("make a party"):
            request = pb.CreatePartyRequest(request_id=uuid4().hex)
            return str(self._ask("CreateParty", request).party.code)

    def join_party(self, code: str) -> None:
        with self.measured("join a party"):
            self._ask("JoinParty", pb.JoinPartyRequest(code=code))

    def leave_party(self, code: str) -> None:
        self._ask("LeaveParty", pb.LeavePartyRequest(code=code))

    def find_seat_of_party(self, code: str) -> ticket.Assignment:
        """One's own at the table that the party's leader found, or finds."""
        party = self._ask("GetParty", pb.GetPartyRequest(code=code)).party
        return self._patiently(lambda: self._seat_of(party.ticket_id))

    def _ask(self, name: str, request: Any) -> Any:
        call = getattr(self._matchmaking, name)
        return self._patiently(
            lambda: call(request, metadata=self.metadata, timeout=CALL_SECONDS)
        )

    # -- at a table ---------------------------------------------------------------

    def take(self, seat: ticket.Assignment) -> None:
        request = engine_pb.TakeSeatRequest(table_id=seat.table_id)
        stub = wire.engine(seat.engine_address)

        def take() -> None:
            stub.TakeSeat(request, metadata=self.metadata, timeout=CALL_SECONDS)

        with self.measured("take the seat"):
            self._patiently(take)

    @staticmethod
    def _patiently(do: Callable[[], R]) -> R:
        """Again while nobody answers; all of it may be repeated."""
        until = monotonic() + PATIENCE
        while True:
            try:
                return do()
            except grpc.RpcError as error:
                if not is_passing(error) or monotonic() > until:
                    raise
            gevent.sleep(AGAIN_SECONDS)


def is_passing(error: Exception) -> bool:
    """Whether the same may succeed a moment later."""
    code = error.code() if isinstance(error, grpc.Call) else None
    return code is grpc.StatusCode.UNAVAILABLE
