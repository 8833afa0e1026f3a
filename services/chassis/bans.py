"""Turning players away, for operators: the same at every service that has players."""

import time
from typing import Any

from anpai.operator.v1 import ban_service_pb2 as pb
from anpai.operator.v1 import ban_service_pb2_grpc as rpc
from services.chassis.audit import audited, reason_in
from services.chassis.errors import invalid
from services.chassis.revoked import Revocations, Revoked, player_named

NAME = "anpai.operator.v1.BanService"
LONGEST_ID = 128
PLAYER = player_named("")


class BanService(rpc.BanServiceServicer):
    """Over one service's list of those who are turned away."""

    def __init__(self, revocations: Revocations) -> None:
        self._revocations = revocations

    async def BanPlayer(
        self, request: pb.BanPlayerRequest, context: Any
    ) -> pb.BanPlayerResponse:
        player, reason = player_in(request.player_id), reason_in(request.reason)
        until = request.until_ms / 1000
        if until <= time.time():
            raise invalid("until_ms", "later than now")
        audited("BanPlayer", player=player, until_ms=request.until_ms, reason=reason)
        await self._revocations.revoke_player_until(player, until)
        return pb.BanPlayerResponse()

    async def LiftBan(
        self, request: pb.LiftBanRequest, context: Any
    ) -> pb.LiftBanResponse:
        player = player_in(request.player_id)
        audited("LiftBan", player=player)
        await self._revocations.let_in(player_named(player))
        return pb.LiftBanResponse()

    async def ListBans(
        self, request: pb.ListBansRequest, context: Any
    ) -> pb.ListBansResponse:
        audited("ListBans")
        await self._revocations.look()
        banned = [
            one for one in self._revocations.everybody() if one.whom.startswith(PLAYER)
        ]
        return pb.ListBansResponse(bans=map(ban, sorted(banned, key=whom)))


def player_in(text: str) -> str:
    if not 0 < len(text) <= LONGEST_ID or not text.isprintable():
        raise invalid("player_id", f"1-{LONGEST_ID} printable characters")
    return text


def whom(one: Revoked) -> str:
    return one.whom


def ban(one: Revoked) -> pb.Ban:
    player = one.whom.removeprefix(PLAYER)
    return pb.Ban(player_id=player, until_ms=round(one.until * 1000))
