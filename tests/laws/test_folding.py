"""A view with later events folded in is the later view, byte for byte, for all."""

import random

from hypothesis import given
from hypothesis import strategies as st

from anpai.fold import fold
from services.engine.projection import event_for, view_for
from tests.laws.examples import examples
from tests.laws.playing import played


@examples(5)
@given(seed=st.integers(0, 2**32))
def test_events_folded_into_a_view_give_the_later_view(case, seed):
    table, chance = case.table(seed), random.Random(seed)
    viewers = [*range(case.seats), None]
    views = {viewer: view_for(table.play, viewer) for viewer in viewers}

    while table.outcome is None:
        shown = len(table.events)
        (step,) = played(table, chance, answers=1, lateness=0.05, despair=0.003).steps
        for viewer in viewers:
            if viewer == step[1]:  # whoever has answered is told so by the reply
                views[viewer].ClearField("question")
            for revision, event in enumerate(table.events[shown:], shown + 1):
                told = event_for(event, revision, viewer, case.game.name)
                views[viewer] = fold(views[viewer], told)
            assert views[viewer] == view_for(table.play, viewer)
