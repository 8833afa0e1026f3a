"""Decks that are ready to play, for who wants to build one from there."""

from services.engine.games.gwent.starter import ready_for
from services.engine.kernel import Deck


def ready_decks(game: str, variant: str) -> dict[str, Deck]:
    """A deck that is legal in this variant for each faction; none where none is."""
    if game != "gwent":
        return {}
    return {one.faction.value: one.deck for one in ready_for(variant)}
