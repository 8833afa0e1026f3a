"""What anybody may ask about a game to check it: its commitment, ledger, disclosure."""

from collections.abc import AsyncIterator

from anpai.audit.v1 import audit_service_pb2 as audit
from anpai.calls import Listening
from anpai.faults import NotNow, Unavailable
from anpai.services import Services
from anpai.wire import Backoff

DISCLOSURE_SECONDS = 60.0


class Checking:
    """What a house asks the vault's audit."""

    _services: Services

    async def commitment(self, table_id: str) -> str:
        """What was published before play: SHA-256 of the seed, in hex."""
        request = audit.GetCommitmentRequest(table_id=table_id)
        reply = await self._services.ask_audit(
            "GetCommitment", request, audit.GetCommitmentResponse
        )
        return reply.commitment

    async def ledger_head(self, table_id: str) -> tuple[str, int]:
        """The ledger's head that the last answer stands on, and its length."""
        request = audit.GetLedgerHeadRequest(table_id=table_id)
        reply = await self._services.ask_audit(
            "GetLedgerHead", request, audit.GetLedgerHeadResponse
        )
        return reply.head, reply.length

    async def disclosure(self, table_id: str, *, within: float = 10.0) -> bytes:
        """Everything, once the game is over: the file that `anpai verify` reads.

        It follows the outcome a moment later: for so many seconds it is asked for
        again. Raises NotNow if there is none by then.
        """
        backoff = Backoff(within)
        while True:
            try:
                return b"".join([piece async for piece in self._pieces(table_id)])
            except (NotNow, Unavailable):
                if backoff.is_over:
                    raise
                await backoff.pause()

    async def _pieces(self, table_id: str) -> AsyncIterator[bytes]:
        route, wire = await self._services.audit(), self._services.wire
        request = audit.GetDisclosureRequest(table_id=table_id)
        method = self._services.audit_method("GetDisclosure")(route.address)
        call = method(request, metadata=wire.metadata(), timeout=DISCLOSURE_SECONDS)
        async with Listening(wire.channels.keep(call)) as line:
            while (piece := await line.read()) is not None:
                yield piece.data
