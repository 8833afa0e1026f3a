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


RULES = {"skirmish": coerced_bodies_are_no_seeing_eye}
