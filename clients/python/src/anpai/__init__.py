"""Anpai for Python: connect, sit, watch, answer.

async with anpai.connect("127.0.0.1:8400") as house:
    await house.sign_in("Anna")
    ticket = await house.enter("skirmish", seats=2, bots=1)
    async with house.sit(await ticket.seat()) as table:
        async for event in table:
            if table.question:
                await table.answer(table.question.options[0])
"""

from anpai.answers import Answer, AnswerState
from anpai.asking import Option, Question, question_of
from anpai.decks import (
    Deck,
    DeckText,
    DeckUnreadable,
    LineFault,
    LineTrouble,
    read_deck,
    read_decks,
    written,
)
from anpai.faults import (
    AnpaiCallError,
    AnpaiError,
    AnswerIllegal,
    BadRequest,
    CommitmentChanged,
    NotAllowed,
    NotAsked,
    NotFound,
    NotNow,
    NotSignedIn,
    QuestionStale,
    RevisionAhead,
    ServerFault,
    TableEnded,
    TableStopped,
    TicketClosed,
    TooMany,
    Unavailable,
)
from anpai.fold import fold, fold_update
from anpai.hosting import Hosting
from anpai.house import House, connect
from anpai.looking import (
    card_in,
    cards_in,
    counter_in,
    markers_on,
    place_in,
    place_of,
    variant_in,
)
from anpai.nouns import (
    Asked,
    Assignment,
    BotCall,
    Card,
    CardMove,
    Catalog,
    Counter,
    Event,
    Face,
    GameInfo,
    Marker,
    Outcome,
    Place,
    PlaceView,
    Room,
    Seat,
    ServerInfo,
    TableUpdate,
    Variant,
    View,
    Wish,
)
from anpai.table import Table
from anpai.ticket import Ticket

__all__ = [
    "AnpaiCallError",
    "AnpaiError",
    "Answer",
    "AnswerIllegal",
    "AnswerState",
    "Asked",
    "Assignment",
    "BadRequest",
    "BotCall",
    "Card",
    "CardMove",
    "Catalog",
    "CommitmentChanged",
    "Counter",
    "Deck",
    "DeckText",
    "DeckUnreadable",
    "Event",
    "Face",
    "GameInfo",
    "Hosting",
    "House",
    "LineFault",
    "LineTrouble",
    "Marker",
    "NotAllowed",
    "NotAsked",
    "NotFound",
    "NotNow",
    "NotSignedIn",
    "Option",
    "Outcome",
    "Place",
    "PlaceView",
    "Question",
    "QuestionStale",
    "RevisionAhead",
    "Room",
    "Seat",
    "ServerFault",
    "ServerInfo",
    "Table",
    "TableEnded",
    "TableStopped",
    "TableUpdate",
    "Ticket",
    "TicketClosed",
    "TooMany",
    "Unavailable",
    "Variant",
    "View",
    "Wish",
    "card_in",
    "cards_in",
    "connect",
    "counter_in",
    "fold",
    "fold_update",
    "markers_on",
    "place_in",
    "place_of",
    "question_of",
    "read_deck",
    "read_decks",
    "variant_in",
    "written",
]
