"""The swap law: what a seat is sent does not depend on what it cannot know."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.laws.examples import examples
from tests.laws.playing import Refused, played
from tests.laws.seeing import (
    dealt_anew,
    faces_of,
    heard,
    hides_something,
    pasts,
    view_bytes,
)

WORLDS = 6

# How often time runs out. At skirmish a lot is drawn among what hidden cards allow, so
# that with other cards it falls otherwise.
LATENESS = {"gwent": 0.05}


@examples(10)
@given(seed=st.integers(0, 2**32), share=st.floats(0.05, 1), data=st.data())
def test_t06_hidden_faces_change_no_byte_sent_to_a_seat(case, seed, share, data):
    """Deal anew all faces a viewer cannot know, play the same answers from the start.

    A world in which another seat could not have given its answer is given up at that
    point; up to there every byte must be equal all the same, and so must be who is
    asked.
    """
    viewer = data.draw(st.sampled_from([*range(case.seats), None]), "viewer")
    chance = random.Random(seed)
    table, script = played_in_part(case, seed, share)
    faces = faces_of(table)

    for world in range(WORLDS if hides_something(table, viewer) else 0):
        swaps = 1 if world % 2 else 40
        other = dealt_anew(table, viewer, faces, swaps, chance)
        if same_to(viewer, table, script, case.table(seed, reface=other)):
            faces = other


def played_in_part(case, seed, share):
    late = LATENESS.get(case.game.name, 0)
    whole = played(case.table(seed), random.Random(seed), lateness=late)
    table = case.table(seed)
    answers = int(share * len(whole.steps))
    script = played(table, random.Random(seed), answers=answers, lateness=late)
    return table, script


def same_to(viewer, table, script, world) -> bool:
    """Hold the other world against what was heard, step by step; was it whole?"""
    story, told, refused = heard(table, viewer), 0, None
    try:
        for _ in script.onto(world):
            told = compare(viewer, story, world, told)
    except Refused as refusal:
        refused = refusal.seat
    told = compare(viewer, story, world, told)
    if refused is not None:
        assert refused != viewer, "the viewer itself was asked something else"
        return False
    assert told == len(story)
    assert view_bytes(world, viewer) == view_bytes(table, viewer)
    assert pasts(world) == pasts(table)
    return True


def compare(viewer, story, world, told):
    new = heard(world, viewer, told)
    assert new == story[told : told + len(new)]
    return told + len(new)
