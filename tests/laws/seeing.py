"""What a viewer is sent, and which cards' faces it can know from that."""

import random

from services.engine.kernel import event as happened
from services.engine.kernel.sight import sees
from services.engine.projection import Viewer, event_for, view_for
from tests.laws.deducing import ruled_out
from tests.laws.playing import TracedTable


def heard(table: TracedTable, viewer: Viewer, after: int = 0) -> list[bytes]:
    """Every event after a revision as this viewer is sent it, as bytes on the wire."""
    name = table.play.game.name
    return [
        event_for(event, revision, viewer, name).SerializeToString(deterministic=True)
        for revision, event in enumerate(table.events[after:], after + 1)
    ]


def view_bytes(table: TracedTable, viewer: Viewer) -> bytes:
    return view_for(table.play, viewer).SerializeToString(deterministic=True)


def pasts(table: TracedTable) -> list[bytes]:
    """What the past has been called, after each entry: viewers are told some of it."""
    return [table.play.past_named(entry.hash) for entry in table.entries]


def known_to(table: TracedTable, viewer: Viewer) -> set[int]:
    """The physical cards whose face this viewer was ever sent."""
    handles = {
        handle
        for event in table.events
        for handle in _handles_seen(event, viewer)
        if handle
    }
    return {table.number_of[handle] for handle in handles}


def _handles_seen(event: happened.Event, viewer: Viewer) -> list[str]:
    if isinstance(event, happened.CardsMoved):
        after = [move.handle for move in event.cards if sees(move.seers, viewer)]
        before = [move.old_handle for move in event.cards if sees(move.knew, viewer)]
        return after + before
    if isinstance(event, happened.CardsTurnedUp | happened.CardsPeeked):
        return [card.handle for card in event.cards if sees(card.seers, viewer)]
    return []


def decks_of(table: TracedTable) -> list[dict[int, str]]:
    """The physical cards of each deck that was built, with their faces."""
    return [cards for _, cards in table.builds()]


def dealt_anew(
    table: TracedTable,
    viewer: Viewer,
    now: dict[int, str],
    swaps: int,
    chance: random.Random,
) -> dict[int, str]:
    """Other faces for cards the viewer cannot know, each deck keeping its own."""
    known, not_so = known_to(table, viewer), ruled_out(table)
    decks = [deck.keys() - known for deck in decks_of(table)]
    faces = dict(now)
    for _ in range(swaps):
        hidden = chance.choice([deck for deck in decks if len(deck) > 1])
        one, other = chance.sample(sorted(hidden), 2)
        if not {(one, faces[other]), (other, faces[one])} & not_so:
            faces[one], faces[other] = faces[other], faces[one]
    return faces


def faces_of(table: TracedTable) -> dict[int, str]:
    """What is printed on every physical card."""
    return {number: face for deck in decks_of(table) for number, face in deck.items()}


def hides_something(table: TracedTable, viewer: Viewer) -> bool:
    """Whether there is anything to deal anew."""
    known = known_to(table, viewer)
    return any(len(deck.keys() - known) > 1 for deck in decks_of(table))
