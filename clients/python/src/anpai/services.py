"""The three services, as one client reaches them: by method name, at any address."""

from collections.abc import Sequence
from typing import Any, TypeVar

from anpai.audit.v1.audit_service_pb2_grpc import AuditServiceStub
from anpai.engine.v1.engine_service_pb2_grpc import EngineServiceStub
from anpai.faults import AnpaiCallError
from anpai.matchmaking.v1 import matchmaking_service_pb2 as matchmaking
from anpai.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from anpai.wire import Method, Route, Wire

R = TypeVar("R")


class Services:
    """Matchmaking is at `server`; its directory says where the others are.

    Whoever lives behind the edge may know where `engines` are: then it is not asked.
    """

    def __init__(self, server: str, wire: Wire, engines: Sequence[str] = ()) -> None:
        self.server = server
        self.wire = wire
        self.engines = engines
        self.matchmaking = Route([server])
        self._directory: matchmaking.GetDirectoryResponse | None = None
        self._engines: Route | None = None

    async def ask_matchmaking(
        self, name: str, request: Any, reply: type[R], **how: bool
    ) -> R:
        """`how` is as in `Wire.ask`."""
        method = self.matchmaking_method(name)
        return await self.wire.ask(self.matchmaking, method, request, reply, **how)

    async def ask_engine(
        self, name: str, request: Any, reply: type[R], route: Route | None = None
    ) -> R:
        """Any worker takes any call, `route` knows which is nearest."""
        if route is None:
            route = self._engines = self._engines or await self.route()
        return await self.wire.ask(route, self.engine_method(name), request, reply)

    async def ask_audit(self, name: str, request: Any, reply: type[R]) -> R:
        route = await self.audit()
        return await self.wire.ask(route, self.audit_method(name), request, reply)

    async def route(self, first: str = "") -> Route:
        """A way to the engine: this address first, then any worker."""
        if self.engines:
            return Route(self.engines)
        known = [first] if first else list((await self._where()).engines)
        return Route(known, self._look)

    async def audit(self) -> Route:
        """A way to the audit service."""
        return Route([(await self._where()).audit])

    def matchmaking_method(self, name: str) -> Method:
        """A method of matchmaking, by address."""
        return self._method(MatchmakingServiceStub, name)

    def engine_method(self, name: str) -> Method:
        """A method of the engine, by address."""
        return self._method(EngineServiceStub, name)

    def audit_method(self, name: str) -> Method:
        """A method of the audit service, by address."""
        return self._method(AuditServiceStub, name)

    def _method(self, service: type[Any], name: str) -> Method:
        channels = self.wire.channels
        return lambda address: getattr(channels.stub(service, address, name), name)

    async def _look(self) -> Sequence[str]:
        """The workers there are now; none, if nobody can say."""
        self._directory = None
        try:
            return (await self._where(repeat=False)).engines
        except AnpaiCallError:
            return ()

    async def _where(self, repeat: bool = True) -> matchmaking.GetDirectoryResponse:
        if self._directory is None:
            self._directory = await self.ask_matchmaking(
                "GetDirectory",
                matchmaking.GetDirectoryRequest(),
                matchmaking.GetDirectoryResponse,
                repeat=repeat,
            )
        return self._directory
