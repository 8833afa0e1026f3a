"""Only an engine worker may call the vault; anybody may audit it."""

import grpc
import pytest

from anpai.audit.v1 import audit_service_pb2 as audit
from anpai.vault.v1 import vault_service_pb2 as pb
from services.chassis.keys import load_keys
from services.chassis.tokens import Credential, Kind, player_token
from tests.services.raw import A_MOMENT, SECONDS, end_of

VAULT = pb.DESCRIPTOR.services_by_name["VaultService"].methods[:]
AUDIT = audit.DESCRIPTOR.services_by_name["AuditService"].methods[:]


def callers(folder):
    """Everybody there is, and what each brings along."""
    matchmaking = load_keys(folder, "matchmaking")
    yield "nobody", ()
    for kind in (Kind.GUEST, Kind.MEMBER, Kind.BOT):
        token = player_token(matchmaking, "p", "Anna", kind, 60)
        yield kind.value, (("authorization", f"Bearer {token}"),)
    for service in ("matchmaking", "bots", "vault", "engine"):
        yield service, Credential(load_keys(folder, service), "vault").metadata()


async def answer(address, method, metadata, patience=SECONDS):
    """The status code that a call with an empty request ends with."""
    async with grpc.aio.insecure_channel(address) as channel:
        return (await end_of(channel, method, b"", metadata, patience)).code


@pytest.mark.parametrize("method", VAULT, ids=lambda method: method.name)
async def test_only_the_engine_may_call(running, keys_folder, method):
    for name, metadata in callers(keys_folder):
        patience = A_MOMENT if name == "engine" else SECONDS
        code = await answer(running.address, method, metadata, patience)

        denied = code == grpc.StatusCode.PERMISSION_DENIED
        assert denied == (name != "engine"), (name, code)


@pytest.mark.parametrize("method", AUDIT, ids=lambda method: method.name)
async def test_anybody_may_audit(running, keys_folder, method):
    for name, metadata in callers(keys_folder):
        code = await answer(running.address, method, metadata)

        assert code == grpc.StatusCode.NOT_FOUND, name


async def test_a_credential_for_another_service_is_none_here(running, keys_folder):
    metadata = Credential(load_keys(keys_folder, "engine"), "matchmaking").metadata()

    code = await answer(running.address, VAULT[0], metadata)

    assert code == grpc.StatusCode.PERMISSION_DENIED
