"""Every card, a file for each faction; they fill `pieces.FACES`."""

from services.engine.games.gwent.cards.monsters import MONSTERS
from services.engine.games.gwent.cards.neutral import NEUTRAL
from services.engine.games.gwent.cards.nilfgaard import NILFGAARD
from services.engine.games.gwent.cards.northern_realms import NORTHERN_REALMS
from services.engine.games.gwent.cards.scoiatael import SCOIATAEL
from services.engine.games.gwent.cards.skellige import SKELLIGE
from services.engine.games.gwent.cards.specials import SPECIALS, WEATHER
from services.engine.games.gwent.leaders import (
    EMHYR,
    EREDIN,
    FOLTEST,
    FRANCESCA,
    SKELLIGE_LEADERS,
)
from services.engine.games.gwent.pieces import FACES

# Every card of the game by its id, in the order of the catalogue.
CARDS = {
    card.id: card
    for card in (
        *NEUTRAL,
        *SPECIALS,
        *WEATHER,
        *EREDIN,
        *MONSTERS,
        *EMHYR,
        *NILFGAARD,
        *FOLTEST,
        *NORTHERN_REALMS,
        *FRANCESCA,
        *SCOIATAEL,
        *SKELLIGE_LEADERS,
        *SKELLIGE,
    )
}

FACES.update(CARDS)
