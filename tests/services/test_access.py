"""Who may call what: every method of the contract with every kind of caller."""

from collections.abc import AsyncIterator

import grpc
import pytest

from anpai.access.v1 import access_pb2
from services.__main__ import House
from tests.contract.contract import access_of, methods
from tests.one_store import store_process  # noqa: F401
from tests.services.callers import Caller, everybody
from tests.services.raw import A_MOMENT, SECONDS, end_of, path_of, server_of

METHODS = {path_of(method): method for method in methods()}

# By hand, from the design, so that a method opened by mistake is noticed: path -> the
# one service whose credential opens it.
BETWEEN_SERVICES = {
    "/anpai.engine.internal.v1.EngineInternalService/OpenTable": "matchmaking",
    "/anpai.engine.internal.v1.EngineInternalService/StandIn": "matchmaking",
    "/anpai.engine.internal.v1.EngineInternalService/WatchNews": "matchmaking",
    "/anpai.vault.v1.VaultService/OpenTable": "engine",
    "/anpai.vault.v1.VaultService/TakeOver": "engine",
    "/anpai.vault.v1.VaultService/ReadLedger": "engine",
    "/anpai.vault.v1.VaultService/Resolve": "engine",
    "/anpai.vault.v1.VaultService/Disclose": "engine",
    "/anpai.vault.v1.VaultService/DiscloseInParts": "engine",
    "/anpai.vault.v1.VaultService/StopTable": "engine",
}
# What a person with the operators' key may do; no service may.
FOR_OPERATORS = {
    "/anpai.operator.v1.TableService/ListTables",
    "/anpai.operator.v1.TableService/InspectTable",
    "/anpai.operator.v1.TableService/EndTable",
    "/anpai.operator.v1.TableService/ReadJournal",
    "/anpai.operator.v1.TableService/Drain",
    "/anpai.operator.v1.BanService/BanPlayer",
    "/anpai.operator.v1.BanService/LiftBan",
    "/anpai.operator.v1.BanService/ListBans",
    "/anpai.operator.v1.QueueService/ListQueues",
}
BETWEEN_SERVICES |= dict.fromkeys(sorted(FOR_OPERATORS), "operator")
FOR_BOT_HOSTS = {"/anpai.matchmaking.v1.MatchmakingService/HostBots"}
FOR_ANYBODY = {
    "/anpai.matchmaking.v1.MatchmakingService/SignIn",
    "/anpai.matchmaking.v1.MatchmakingService/GetDirectory",
    "/anpai.engine.v1.EngineService/ListGames",
    "/anpai.engine.v1.EngineService/GetCatalog",
    "/anpai.engine.v1.EngineService/CheckDecks",
    "/anpai.engine.v1.EngineService/GetServerInfo",
    "/anpai.audit.v1.AuditService/GetCommitment",
    "/anpai.audit.v1.AuditService/GetLedgerHead",
    "/anpai.audit.v1.AuditService/GetDisclosure",
}

OPENED_BY: dict[int, str] = {
    access_pb2.ACCESS_MATCHMAKING: "matchmaking",
    access_pb2.ACCESS_ENGINE: "engine",
    access_pb2.ACCESS_BOTS: "bots",
    access_pb2.ACCESS_OPERATOR: "operator",
}
TELL_NOTHING = {
    access_pb2.ACCESS_MATCHMAKING,
    access_pb2.ACCESS_ENGINE,
    access_pb2.ACCESS_OPERATOR,
}


def refusal_due(access: int, caller: Caller) -> str:
    """The reason with which the contract says this caller is refused; "" for none."""
    if access in TELL_NOTHING:
        return "" if caller.service == OPENED_BY[access] else "NOT_ALLOWED"
    if caller.wrong or access == access_pb2.ACCESS_ANYONE:
        return caller.wrong
    if caller.authorization is None:
        return "TOKEN_MISSING"
    may = caller.player if access == access_pb2.ACCESS_PLAYER else False
    return "" if may or caller.service == OPENED_BY.get(access, "-") else "NOT_ALLOWED"


REFUSALS = ("NOT_ALLOWED", "TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED")


@pytest.fixture
async def channels(house: House) -> AsyncIterator[dict[str, grpc.aio.Channel]]:
    """To each method's server."""
    addresses = {service.address for service in house.all}
    open_ = {address: grpc.aio.insecure_channel(address) for address in addresses}
    yield {path: open_[server_of(house, method)] for path, method in METHODS.items()}
    for channel in open_.values():
        await channel.close()


def target_of(path: str) -> str:
    """The name under which the server of a method knows itself."""
    package = path.split(".")[1]
    if package == "operator":
        return "matchmaking" if ".QueueService/" in path else "engine"
    return "vault" if package == "audit" else package


@pytest.mark.parametrize("path", METHODS)
async def test_a_method_opens_to_its_callers_and_to_nobody_else(
    path, channels, keys_folder
):
    method, met = METHODS[path], {}
    callers = everybody(keys_folder, target_of(path))

    due = {name: refusal_due(access_of(method), who) for name, who in callers.items()}
    for name, caller in callers.items():
        patience = SECONDS if due[name] else A_MOMENT
        end = await end_of(channels[path], method, b"", caller.metadata, patience)
        met[name] = end.reason if end.reason in REFUSALS else ""

    assert met == due
    assert "" in due.values(), "somebody must be let in"


@pytest.mark.parametrize("path", BETWEEN_SERVICES)
async def test_a_door_between_services_is_denied_to_everybody_but_one(
    path, channels, keys_folder
):
    for name, caller in everybody(keys_folder, target_of(path)).items():
        may = caller.service == BETWEEN_SERVICES[path]
        patience = A_MOMENT if may else SECONDS
        end = await end_of(
            channels[path], METHODS[path], b"", caller.metadata, patience
        )

        if may:
            assert end.code is not grpc.StatusCode.PERMISSION_DENIED
        else:
            assert end.code is grpc.StatusCode.PERMISSION_DENIED, name


async def test_a_stranger_s_bytes_are_not_even_read_between_services(channels):
    for path in BETWEEN_SERVICES:
        end = await end_of(channels[path], METHODS[path], b"\xff\xff\xff")

        assert end.code is grpc.StatusCode.PERMISSION_DENIED, path


def test_what_is_not_for_players_is_what_the_design_says():
    players = {access_pb2.ACCESS_PLAYER}
    listed = BETWEEN_SERVICES.keys() | FOR_BOT_HOSTS | FOR_ANYBODY

    assert {p for p, m in METHODS.items() if access_of(m) not in players} == listed


async def test_t04_there_is_no_reading_all(house):
    channel = grpc.aio.insecure_channel(house.vault.address)
    call = channel.unary_unary("/anpai.vault.v1.VaultService/ReadAll")(b"")

    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call

    assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
    await channel.close()
