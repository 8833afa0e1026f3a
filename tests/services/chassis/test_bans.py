"""What operators do to players is in the log, however it ends."""

import json
import time

import pytest

from anpai.operator.v1 import ban_service_pb2 as pb
from services.chassis.bans import BanService
from services.chassis.revoked import Revocations
from services.chassis.stores import StoreUnavailable, open_store
from services.chassis.telemetry import fresh_metrics


@pytest.fixture
async def bans(own_store):
    store = await open_store(own_store.url, fresh_metrics())
    yield BanService(Revocations(store, "engine"))
    await store.close()


async def test_a_ban_that_nobody_can_tell_the_end_of_is_in_the_log(
    bans, own_store, logged
):
    """It may be in force."""
    own_store.kill()
    until = int(time.time() * 1000) + 60_000
    ban = pb.BanPlayerRequest(player_id="p-1", until_ms=until, reason="a test")

    with pytest.raises(StoreUnavailable):
        await bans.BanPlayer(ban, None)
    with pytest.raises(StoreUnavailable):
        await bans.LiftBan(pb.LiftBanRequest(player_id="p-1"), None)

    told = [json.loads(line) for line in logged()]
    done = [(one["did"], one["player"]) for one in told if one["event"] == "operator"]
    assert done == [("BanPlayer", "p-1"), ("LiftBan", "p-1")]


async def test_a_ban_ends_at_the_millisecond_that_was_named(bans, monkeypatch):
    """However long the log takes."""
    monkeypatch.setattr(
        "services.chassis.bans.audited", lambda *_, **__: time.sleep(0.005)
    )
    first = int(time.time() * 1000) + 60_000
    named = list(range(first, first + 20))
    for until in named:
        ban = {"player_id": f"p-{until}", "until_ms": until, "reason": "a test"}
        await bans.BanPlayer(pb.BanPlayerRequest(**ban), None)

    told = (await bans.ListBans(pb.ListBansRequest(), None)).bans
    assert [one.until_ms for one in told] == named
