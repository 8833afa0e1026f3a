"""Who may call and import what, and where a face may be written."""

import re

from google.protobuf.descriptor import FieldDescriptor

from anpai.access.v1 import access_pb2
from tests.contract.contract import PUBLIC, access_of, methods, ours, reachable

FOR_PLAYERS = (access_pb2.ACCESS_ANYONE, access_pb2.ACCESS_PLAYER)

# By hand, so that opening one of them by mistake is noticed here.
BETWEEN_SERVICES = {
    "anpai.engine.internal.v1.EngineInternalService.OpenTable",
    "anpai.engine.internal.v1.EngineInternalService.StandIn",
    "anpai.engine.internal.v1.EngineInternalService.WatchNews",
    "anpai.vault.v1.VaultService.OpenTable",
    "anpai.vault.v1.VaultService.TakeOver",
    "anpai.vault.v1.VaultService.ReadLedger",
    "anpai.vault.v1.VaultService.Resolve",
    "anpai.vault.v1.VaultService.Disclose",
    "anpai.vault.v1.VaultService.DiscloseInParts",
    "anpai.vault.v1.VaultService.StopTable",
    "anpai.matchmaking.v1.MatchmakingService.HostBots",
    "anpai.operator.v1.TableService.ListTables",
    "anpai.operator.v1.TableService.InspectTable",
    "anpai.operator.v1.TableService.EndTable",
    "anpai.operator.v1.TableService.ReadJournal",
    "anpai.operator.v1.TableService.Drain",
    "anpai.operator.v1.BanService.BanPlayer",
    "anpai.operator.v1.BanService.LiftBan",
    "anpai.operator.v1.BanService.ListBans",
    "anpai.operator.v1.QueueService.ListQueues",
}

# A face is `game/id`. These fields alone may hold one in what a viewer is sent.
MAY_HOLD_A_FACE = {
    "anpai.engine.v1.Card.face",
    "anpai.engine.v1.CardMove.face",
    "anpai.engine.v1.CardShown.face",
    # Says something all see, such as the face somebody has named aloud.
    "anpai.engine.v1.Marker.value",
}

# Every other text a viewer is sent. A new one must be thought about and listed.
NEVER_A_FACE = {
    "anpai.engine.v1.Card.handle",
    "anpai.engine.v1.CardMove.old_handle",
    "anpai.engine.v1.CardOption.handle",
    "anpai.engine.v1.CardOption.id",
    "anpai.engine.v1.CardShown.handle",
    "anpai.engine.v1.CardsMixed.handles",
    "anpai.engine.v1.Counter.name",
    "anpai.engine.v1.Declared.cards",
    "anpai.engine.v1.Declared.name",
    "anpai.engine.v1.Declared.words",
    "anpai.engine.v1.Marker.name",
    "anpai.engine.v1.Marker.on",
    "anpai.engine.v1.MarkerTaken.name",
    "anpai.engine.v1.MarkerTaken.on",
    "anpai.engine.v1.MoveOption.handle",
    "anpai.engine.v1.MoveOption.id",
    "anpai.engine.v1.MoveOption.place",
    "anpai.engine.v1.Outcome.reason",
    "anpai.engine.v1.Place.name",
    "anpai.engine.v1.PlaceOption.id",
    "anpai.engine.v1.PlaceOption.place",
    "anpai.engine.v1.Question.default_option",
    "anpai.engine.v1.Question.id",
    "anpai.engine.v1.Question.name",
    "anpai.engine.v1.Question.rule_path",
    "anpai.engine.v1.Rolled.name",
    "anpai.engine.v1.Said.text",
    "anpai.engine.v1.Seat.name",
    "anpai.engine.v1.Seat.nonce",
    "anpai.engine.v1.Seat.stand_in",
    "anpai.engine.v1.SeatOption.id",
    "anpai.engine.v1.StoodIn.name",
    "anpai.engine.v1.TableUpdate.past",
    "anpai.engine.v1.View.commitment",
    "anpai.engine.v1.View.game",
    "anpai.engine.v1.View.rules_version",
    "anpai.engine.v1.View.table_id",
    "anpai.engine.v1.View.variant",
    "anpai.engine.v1.WordOption.id",
}

TEXTUAL = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)


def test_every_method_says_who_may_call_it():
    silent = [m.full_name for m in methods() if not access_of(m)]

    assert silent == []


def test_what_is_between_services_is_closed_to_players():
    closed = {m.full_name for m in methods() if access_of(m) not in FOR_PLAYERS}

    assert closed == BETWEEN_SERVICES


# What a request has no place for: who sees what follows from the seat table on the
# server alone.
CLAIM = re.compile(
    r"role|viewer|spectat|see|seen|sight|visible|reveal|know|face_up|admin|operator|"
    r"owner|behalf|as_|impersonat|look|peek"
)
# By hand: what sounds like a claim, and is how a room's table is opened for everybody.
SETTLED_BEFOREHAND = {
    "anpai.matchmaking.v1.Wish.spectating",
    "anpai.matchmaking.v1.Wish.spectators_behind",
}
# By hand: fields of requests that name somebody or a seat, and why they may.
NAMES_SOMEBODY = {
    # Whose rating: anybody's is public.
    "anpai.matchmaking.v1.GetRatingRequest.player_id",
}


def test_t12_no_request_can_claim_to_know_or_to_be_somebody():
    requests = [
        m.input_type.full_name for m in methods() if access_of(m) in FOR_PLAYERS
    ]
    fields = list(reachable(*requests))
    claims = {field.full_name for field in fields if CLAIM.search(field.name)}
    people = {
        field.full_name
        for field in fields
        if re.search(r"player|seat$|person|caller", field.name)
    }

    assert claims == SETTLED_BEFOREHAND
    assert people == NAMES_SOMEBODY


def test_public_packages_do_not_know_what_is_internal():
    for file in ours():
        if file.package in PUBLIC:
            internal = [path for path in file.dependency if is_internal(path)]
            assert internal == [], file.name


def is_internal(path: str) -> bool:
    hidden = ("anpai/vault/", "anpai/engine/internal/", "anpai/operator/")
    return path.startswith(hidden)


def test_t02_only_fields_that_are_listed_can_hold_a_face():
    texts = {
        field.full_name
        for field in reachable("anpai.engine.v1.TableUpdate")
        if field.type in TEXTUAL
    }

    assert texts == MAY_HOLD_A_FACE | NEVER_A_FACE


def test_a_face_is_absent_rather_than_blank():
    faces = [
        field
        for field in reachable("anpai.engine.v1.TableUpdate")
        if field.name == "face"
    ]

    assert len(faces) == 3
    assert all(field.has_presence for field in faces)
