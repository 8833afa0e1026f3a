"""What is in the deck of another seat, nobody is told before he sees it."""

import random
from collections import Counter
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.pieces import Kind
from services.engine.kernel.play import Batch
from tests.laws.deducing import ruled_out
from tests.laws.examples import examples
from tests.laws.playing import CASES, TracedTable
from tests.laws.seeing import decks_of, known_to
from tests.laws.test_sight import played_in_part, same_to

BRINGING = [case for case in CASES if case.brings]

# Who calls these shows all that he has of them (GW-4.9).
CALLED = {
    face
    for card in CARDS.values()
    for ability in card.abilities
    if ability.name == "muster"
    for face in ability.faces
}
OTHERS = sorted(CARDS.keys() - CALLED)
TRIES = 60


class Twin(TracedTable):
    """A table where a seat brings other decks, and chance falls as at the first one."""

    def __init__(self, case, first, seat, decks, reface):
        self.first = first
        brought = first.play.table.brought | {seat: decks}
        super().__init__(
            *(case.game, case.seats, case.variant),
            seed=first.seed,
            decks=brought,
            reface=reface,
        )

    def _open(self, *args):
        self.play._batch = self._batch
        super()._open(*args)

    def _batch(self, operations, _seat, _choice):
        there = self.first.ledger[len(self.ledger)]
        return Batch(self.play.head, there.digest, operations, there.head)


@pytest.mark.parametrize("case", BRINGING, ids=str)
@examples(8)
@given(number=st.integers(0, 2**31), share=st.floats(0.05, 1), data=st.data())
def test_t06_another_deck_is_told_apart_by_nothing_but_cards_seen(
    case, number, share, data
):
    """Another seat has brought another card instead of one that this viewer never saw.

    Chance is held as it was: it is drawn from all that is sealed, the deck among it.
    """
    table, script = played_in_part(case, 2 * number + 1, share)
    viewer = data.draw(st.sampled_from([*range(case.seats), None]), "viewer")

    same_whatever_was_brought(case, viewer, table, script, random.Random(number))


def same_whatever_was_brought(case, viewer, table, script, chance):
    """Hold tables where another seat brought something else against this one."""
    for seat in sorted(table.play.table.brought.keys() - {viewer}):
        other = another_deck(table, viewer, seat, chance)
        if other is not None:
            same_to(viewer, table, script, Twin(case, table, seat, *other))


def another_deck(table, viewer, seat, chance):
    """Decks this seat might have brought as well, and the faces of their cards then."""
    brought, opening = table.play.table.brought[seat], table.play.opening
    faults = partial(table.play.game.deck_faults, opening.variant)
    which = chance.randrange(len(brought))
    builds = [one for one in decks_of(table) if is_made_of(one, brought[which])]
    known, not_so = known_to(table, viewer), ruled_out(table)
    for _ in range(TRIES):
        deck, other = list(brought[which]), chance.choice(OTHERS)
        face = chance.choice(main(deck))
        deck[deck.index(face)] = other
        decks = (*brought[:which], tuple(deck), *brought[which + 1 :])
        reface = refaced(builds, face, other, known, not_so)
        if reface is not None and not faults(decks):
            return decks, reface
    return None


def main(deck):
    """All but the leader."""
    return [face for face in deck if CARDS[face].kind is not Kind.LEADER]


def is_made_of(build, deck):
    """Whether it was this one that was built, its leader being laid out before."""
    return Counter(build.values()) == Counter(main(deck))


def refaced(builds, face, other, known, not_so):
    """The faces of these cards, if in each build one that nobody saw is another.

    A face that no other card can have can neither come nor go.
    """
    faces = {card: one for build in builds for card, one in build.items()}
    for build in builds:
        cards = [card for card, one in build.items() if one == face]
        fixed = any((card, one) in not_so for card in build for one in (face, other))
        free = [card for card in cards if card not in known]
        if fixed or not free:
            return None
        faces[free[0]] = other
    return faces
