"""Whoever has the file of a finished game can run it again, decks brought and all."""

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from services.local.verify import verify
from tests.laws.examples import examples
from tests.laws.playing import played


@examples(3)
@given(seed=st.integers(0, 2**32))
def test_a_finished_game_is_found_to_be_as_its_file_says(case, seed):
    table = case.table(seed)
    played(table, random.Random(seed), lateness=0.1, despair=0.002)

    report = verify(table.disclosure(), commitment=table.commitment)

    assert report.problem == ""
    assert report.outcome == table.outcome
    assert report.events == len(table.events)


@examples(3)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_a_card_that_was_another_is_found_out(case, seed, data):
    """One face changed in what the vault gave: wherever it stands, it is noticed."""
    table = case.table(seed)
    played(table, random.Random(seed))
    parts = json.loads(table.disclosure())
    shown = [card for card in cards_given(parts) if card[1] is not None]
    card = data.draw(st.sampled_from(shown))
    card[1] = next(one for one in table.play.game.catalog.faces if one != card[1])

    assert "of the ledger" in verify(parts).problem


def cards_given(parts):
    """Every card in the results of the ledger's batches: handle and face."""
    return [
        card
        for _, _, _, results in parts["ledger"]
        for cards, _ in results
        for card in cards
    ]
