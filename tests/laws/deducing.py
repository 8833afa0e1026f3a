"""What the rules tell everybody of a face that nobody has shown.

The swap law deals faces anew; a world that contradicts what a rule gave away aloud is
none in which the same could have been heard. Each entry names its clause.
"""

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


def the_first_that_is_sought_is_found(table: TracedTable) -> set[tuple[int, str]]:
    """GW-8.6, GW-16.9: of several that would do a search takes the topmost.

    Were another card such a one too, another might have been the topmost.
    """
    searches = [
        (operation[0], operation[1])
        for record in table.ledger
        for operation, result in zip(record.operations, record.results, strict=True)
        if operation[-1] == "find" and operation[2] == len(result.cards)
    ]
    return {
        (number, face)
        for searched, sought in searches
        for deck, cards in table.builds()
        for number, own in cards.items()
        for face in sought
        if deck == searched and face != own
    }


RULES = {
    "skirmish": coerced_bodies_are_no_seeing_eye,
    "gwent": the_first_that_is_sought_is_found,
}
