"""What the rules tell everybody of a face that nobody has shown.

The swap law deals faces anew; a world that contradicts what a rule gave away aloud is
none in which the same could have been heard. Each entry names its clause.
"""

from itertools import pairwise

from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.pieces import Kind
from services.engine.kernel import event as happened
from tests.laws.playing import TracedTable


def ruled_out(table: TracedTable) -> set[tuple[int, str]]:
    """Physical cards with the faces that everybody knows they do not have."""
    rule = RULES.get(table.play.game.name)
    return rule(table) if rule else set()


def coerced_bodies_are_no_seeing_eye(table: TracedTable) -> set[tuple[int, str]]:
    """SK-4.23: a face-down Seeing Eye is turned up and stays; another body moves."""
    return {
        (table.number_of[move.old_handle], "sniper_5")
        for event in table.events
        if isinstance(event, happened.CardsMoved)
        for move in event.cards
        if not move.face_up
        and None not in (move.origin.seat, move.to.seat)
        and move.origin.name == move.to.name in ("scout", "assault", "sniper")
    }


def what_is_sought_is_found(table: TracedTable) -> set[tuple[int, str]]:
    """GW-8.6, GW-16.9: a search takes the topmost that will do, or shows there is none.

    Were another card such a one too, that one might have been found.
    """
    searches = {one[:2] for one in table.operations() if one[-1] == "find"}
    return {
        (number, face)
        for searched, sought in searches
        for deck, cards in table.builds()
        for number, own in cards.items()
        for face in sought
        if deck == searched and face != own
    }


def weather_is_drawn_by_lot(table: TracedTable) -> set[tuple[int, str]]:
    """GW-8.17: who does not say which weather he takes out of his pile is given one.

    Were there one more to draw among, it might have been another.
    """
    kinds = happened.Asked | happened.Answered
    asking = [event for event in table.events if isinstance(event, kinds)]
    if not any(is_late(*two, "take") for two in pairwise(asking)):
        return set()
    weather = [one.id for one in CARDS.values() if one.kind is Kind.WEATHER]
    return {
        (number, face)
        for _, cards in table.builds()
        for number, own in cards.items()
        for face in weather
        if face != own
    }


def is_late(asked: happened.Event, answered: happened.Event, name: str) -> bool:
    """Whether a question of this name was answered for a seat whose time was out."""
    return (
        isinstance(asked, happened.Asked)
        and isinstance(answered, happened.Answered)
        and asked.asking.questions[0].name == name
        and answered.by_default != ()
    )


def what_gwent_gives_away(table: TracedTable) -> set[tuple[int, str]]:
    return what_is_sought_is_found(table) | weather_is_drawn_by_lot(table)


RULES = {
    "skirmish": coerced_bodies_are_no_seeing_eye,
    "gwent": what_gwent_gives_away,
}
