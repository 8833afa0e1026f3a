"""Who may call which method, as its proto says.

Access is denied by default: an RPC whose proto does not say who may call it is refused.
"""

from collections.abc import Callable
from typing import Any

from google.protobuf import descriptor_pool

from anpai.access.v1 import access_pb2
from services.chassis.tokens import Caller, Kind

OPEN_SERVICES = frozenset(
    {
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
    }
)


def anyone(_caller: Caller) -> bool:
    return True


def a_player(caller: Caller) -> bool:
    return caller.is_player


def an_operator(caller: Caller) -> bool:
    return caller.kind is Kind.OPERATOR


def service(name: str) -> Callable[[Caller], bool]:
    return lambda caller: caller.kind is Kind.SERVICE and caller.id == name


MAY_CALL: dict[int, Callable[[Caller], bool]] = {
    access_pb2.ACCESS_ANYONE: anyone,
    access_pb2.ACCESS_PLAYER: a_player,
    access_pb2.ACCESS_MATCHMAKING: service("matchmaking"),
    access_pb2.ACCESS_ENGINE: service("engine"),
    access_pb2.ACCESS_BOTS: service("bots"),
    access_pb2.ACCESS_OPERATOR: an_operator,
}

# Doors that tell nothing to whoever has no key to them.
BETWEEN_SERVICES = frozenset(
    {
        access_pb2.ACCESS_MATCHMAKING,
        access_pb2.ACCESS_ENGINE,
        access_pb2.ACCESS_OPERATOR,
    }
)


def access_of(method: str) -> int:
    """What the proto says of `/package.Service/Method`; unspecified if it is silent."""
    if method.split("/")[1] in OPEN_SERVICES:
        return access_pb2.ACCESS_ANYONE
    return said_of(method, access_pb2.access)


def is_heavy(method: str) -> bool:
    """Whether a call of it costs more than most."""
    return said_of(method, access_pb2.weight) == access_pb2.WEIGHT_HEAVY


def said_of(method: str, option: Any) -> int:
    """What the proto says beside the method; 0 if it is silent."""
    _, full_name, name = method.split("/")
    try:
        described = descriptor_pool.Default().FindServiceByName(full_name)
        rpc = described.methods_by_name[name]
    except KeyError:
        return 0
    return int(rpc.GetOptions().Extensions[option])
