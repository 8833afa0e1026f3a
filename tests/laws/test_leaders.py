"""The swap law where leaders look into hands and piles, or bring something out."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.engine.games import GAMES
from services.engine.kernel import event as happened
from tests.laws.bringing import led_by
from tests.laws.examples import examples
from tests.laws.playing import Case, TracedTable, a_choice, played
from tests.laws.seeing import dealt_anew, faces_of
from tests.laws.test_sight import same_to

SEARCHING = (
    *("foltest_king", "emhyr_imperial", "francesca_pureblood", "eredin_king"),
    *("emhyr_emperor", "emhyr_relentless", "eredin_destroyer", "eredin_bringer"),
    "crach",
)
VARIANTS = [("duel", 2), ("team", 4), ("free-for-all", 3)]


class Led(Case):
    """One leader for the first two seats, which are opponents everywhere."""

    def __init__(self, variant, seats, leader):
        super().__init__(GAMES["gwent"], variant, seats)
        self.decks = dict.fromkeys((0, 1), led_by(leader, variant))

    def table(self, seed, **more):
        seats = (self.game, self.seats, self.variant)
        return TracedTable(*seats, seed=seed, decks=self.decks, **more)


def leads(question, chance):
    """Uses the leader as soon as it may, now and then a little later."""
    found = [one for one in question.ids if ">leader:" in one]
    return (
        (found[0],) if found and chance.random() < 0.8 else a_choice(question, chance)
    )


@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
@pytest.mark.parametrize("leader", SEARCHING)
@examples(2)
@given(seed=st.integers(0, 2**32), answers=st.integers(12, 40))
def test_t04_what_a_leader_looks_at_is_told_to_nobody_else(
    variant, seats, leader, seed, answers
):
    case, chance = Led(variant, seats, leader), random.Random(seed)
    table = case.table(seed)
    script = played(table, random.Random(seed), answers=answers, chooses=leads)

    for viewer in [*range(seats), None]:
        other = dealt_anew(table, viewer, faces_of(table), 30, chance)
        same_to(viewer, table, script, case.table(seed, reface=other))


@pytest.mark.parametrize("leader", SEARCHING)
def test_such_a_leader_is_used_where_the_law_is_tried(leader):
    case, used = Led("duel", 2, leader), 0
    for seed in range(12):
        table = case.table(seed)
        played(table, random.Random(seed), answers=30, chooses=leads)
        names = [e.name for e in table.events if isinstance(e, happened.Declared)]
        used += "uses_leader" in names

    assert used >= 3
