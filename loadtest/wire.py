"""gRPC's sync stubs under gevent: calls that wait let other players go on.

Generated stubs and nothing else of ours: a client like any that strangers write.
"""

import grpc.experimental.gevent
import locust  # noqa: F401  (it makes the standard library wait like gevent)

# Before any channel: a call would stop the whole process otherwise.
grpc.experimental.gevent.init_gevent()

from functools import cache  # noqa: E402
from typing import Any  # noqa: E402
from urllib.parse import urlsplit  # noqa: E402

import grpc  # noqa: E402

from anpai.engine.v1.engine_service_pb2_grpc import EngineServiceStub  # noqa: E402
from anpai.matchmaking.v1.matchmaking_service_pb2_grpc import (  # noqa: E402
    MatchmakingServiceStub,
)

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class NotLoopback(Exception):
    """A sentence for whoever typed the command."""


def stay_at_home(server: str) -> str:
    """The address, where it is on this machine: nobody else is loaded."""
    if urlsplit(f"//{server}").hostname not in LOOPBACK:
        raise NotLoopback(f"{server} is not on this machine; a crowd stays at home.")
    return server


@cache
def channel(address: str) -> grpc.Channel:
    """One for each address, for all players of this process."""
    return grpc.insecure_channel(stay_at_home(address))


def matchmaking(address: str) -> Any:
    return MatchmakingServiceStub(channel(address))


def engine(address: str) -> Any:
    return EngineServiceStub(channel(address))
