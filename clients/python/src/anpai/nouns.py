"""The messages of the contract that a player meets, under their plain names.

They are protobuf messages: `protos/` has a sentence for each field.
"""

from anpai.engine.v1.catalog_pb2 import Catalog, DeckFault, Face, GameInfo, Variant
from anpai.engine.v1.engine_service_pb2 import CHANNEL_TEAM, Said, TableUpdate
from anpai.engine.v1.engine_service_pb2 import GetServerInfoResponse as ServerInfo
from anpai.engine.v1.event_pb2 import CardMove, Event
from anpai.engine.v1.table_pb2 import (
    Asked,
    Card,
    Counter,
    Marker,
    Outcome,
    Place,
    PlaceView,
    Seat,
    View,
)
from anpai.matchmaking.v1.matchmaking_service_pb2 import BotCall
from anpai.matchmaking.v1.matchmaking_service_pb2 import (
    ListLeaderboardResponse as Leaderboard,
)
from anpai.matchmaking.v1.party_pb2 import Member
from anpai.matchmaking.v1.rating_pb2 import Rating
from anpai.matchmaking.v1.ticket_pb2 import Assignment, ReadyCheck, Room, Wish
from anpai.matchmaking.v1.ticket_pb2 import Ticket as TicketState

__all__ = [
    "CHANNEL_TEAM",
    "Asked",
    "Assignment",
    "BotCall",
    "Card",
    "CardMove",
    "Catalog",
    "Counter",
    "DeckFault",
    "Event",
    "Face",
    "GameInfo",
    "Leaderboard",
    "Marker",
    "Member",
    "Outcome",
    "Place",
    "PlaceView",
    "Rating",
    "ReadyCheck",
    "Room",
    "Said",
    "Seat",
    "ServerInfo",
    "TableUpdate",
    "TicketState",
    "Variant",
    "View",
    "Wish",
]
