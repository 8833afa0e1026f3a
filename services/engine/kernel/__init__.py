"""What every tabletop game has: seats, places, cards, questions, events. Pure.

Why a coroutine: a rule that stops to ask reads as its sentence does, and its state is
the call stack, so there are no phase flags to keep in step. Why verbs: what a move
reveals is computed from sight before and after, so that a rules author cannot forget to
hide a card.
"""

from services.engine.kernel.ask import (
    AtSeat,
    Default,
    IllegalAnswer,
    Move,
    Question,
    Word,
    choose,
)
from services.engine.kernel.budget import Budget
from services.engine.kernel.clock import Clocks
from services.engine.kernel.game import (
    Catalog,
    Deck,
    DeckFault,
    Face,
    Game,
    Text,
    Variant,
)
from services.engine.kernel.outcome import Outcome, ranked
from services.engine.kernel.places import Card, Place
from services.engine.kernel.sight import (
    Sight,
    Who,
    everyone,
    face_down,
    nobody,
    owner,
    team,
)
from services.engine.kernel.table import Table

__all__ = [
    "AtSeat",
    "Budget",
    "Card",
    "Catalog",
    "Clocks",
    "Deck",
    "DeckFault",
    "Default",
    "Face",
    "Game",
    "IllegalAnswer",
    "Move",
    "Outcome",
    "Place",
    "Question",
    "Sight",
    "Table",
    "Text",
    "Variant",
    "Who",
    "Word",
    "choose",
    "everyone",
    "face_down",
    "nobody",
    "owner",
    "ranked",
    "team",
]
