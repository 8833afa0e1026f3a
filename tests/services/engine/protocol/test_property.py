"""The answer protocol under every misfortune at every step (design.md §4).

ANPAI_PROTOCOL_EXAMPLES=20000 looks longer, and elsewhere each time.
"""

import os

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as some

from services.engine.kernel.game import Game
from tests.services.engine.protocol.network import Fate, Misfortune, Plan
from tests.services.engine.protocol.scene import SKIRMISH
from tests.services.engine.protocol.toy import TOY
from tests.services.engine.protocol.world import World, play

EXAMPLES = int(os.environ.get("ANPAI_PROTOCOL_EXAMPLES", "0"))

KINDS = (
    *("claim", "open", "create", "take over", "take ledger", "read", "read ledger"),
    *("append", "resolve", "confirm", "renew", "release", "arm", "due", "served"),
    *("put up", "disclose", "retire"),
)
FATES = tuple(fate for fate in Fate if fate is not Fate.ARRIVES)

at_any_call = some.tuples(some.just(""), some.integers(1, 200))
at_one_kind = some.tuples(some.sampled_from(KINDS), some.integers(1, 15))
misfortunes = some.builds(
    lambda at, fate, size: Misfortune(at[0], at[1], fate, size),
    some.one_of(at_any_call, at_one_kind),
    some.sampled_from(FATES),
    some.integers(1, 4),
)
plans = some.lists(misfortunes, max_size=10)


def examples(usual: int) -> settings:
    return settings(
        max_examples=EXAMPLES or usual,
        derandomize=not EXAMPLES,
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


@examples(usual=300)
@given(seed=some.integers(0, 10_000), plan=plans)
def test_whatever_happens_nothing_is_lost_and_nothing_done_twice(seed, plan):
    play(World(seed, Plan(plan)))


@examples(usual=20)
@given(seed=some.integers(0, 10_000), plan=plans)
def test_a_real_game_survives_it_too(seed, plan):
    play(a_long_run(seed, plan, SKIRMISH))


@examples(usual=60)
@given(seed=some.integers(0, 10_000), plan=some.lists(misfortunes, max_size=20))
def test_three_workers_survive_more_of_it(seed, plan):
    play(World(seed, Plan(plan), workers=3))


@examples(usual=60)
@given(seed=some.integers(0, 10_000), plan=plans)
def test_decks_that_were_brought_survive_it_too(seed, plan):
    play(World(seed, Plan(plan), decks=(("two", "one"),)))


@examples(usual=25)
@given(seed=some.integers(0, 10_000), plan=plans)
def test_players_who_go_away_and_come_back_survive_it_too(seed, plan):
    world = play(World(seed, Plan(plan), leaves=0.3))
    entries = world.store.primary.tables[world.table_id].entries
    at_seat = {"away": 0, "back": 0}
    for entry in entries:
        if entry.kind.value in at_seat:
            at_seat[entry.kind.value] += 1
    assert 0 <= at_seat["away"] - at_seat["back"] <= 2


def a_long_run(seed: int, plan: list[Misfortune], game: Game) -> World:
    return World(seed, Plan(plan), game=game, patience=5000.0)


def test_the_players_who_go_away_really_do():
    world = play(World(seed=5, leaves=0.5))
    entries = world.store.primary.tables[world.table_id].entries
    assert {"away", "stand_in", "back"} <= {entry.kind.value for entry in entries}


def test_without_misfortune_one_worker_has_the_table_from_beginning_to_end():
    world = play(World(seed=1))
    assert world.store.takeovers == 1 + len(["the stranger who reads it in the end"])
    assert world.flag == ""


def test_decks_are_sealed_in_the_ledger_and_in_no_entry():
    world = play(World(seed=3, decks=(("two", "one"),)))
    entries = world.store.primary.tables[world.table_id].entries
    lines = world.vault.tables[world.table_id].lines
    assert [entry.details.get("decks") for entry in entries[1:3]] == [1, 1]
    assert not any("one two" in entry.text() for entry in entries)
    assert (
        sorted(line.batch.operations[0].choice for line in lines[:2])
        == [("one two",)] * 2
    )


def test_the_toy_asks_chance_for_something_at_every_turn():
    world = play(World(seed=2))
    verbs = {
        operation.verb
        for line in world.vault.tables[world.table_id].lines
        for operation in line.batch.operations
    }
    assert {"begin", "build", "draw", "show", "seal"} <= verbs
    assert world.game is TOY
