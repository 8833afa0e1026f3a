"""F1 to F14: each trace that broke a simpler protocol, and that it still would.

F4 stands in test_chance.py (replies are matched on the real stream), F13 in
test_journal.py (the real store is killed).
"""

from contextlib import suppress
from unittest.mock import patch

import pytest

from services.engine.kernel.entry import digest_of
from services.local import LocalTable
from tests.services.engine.protocol.faults import FAULTS, fails_without, survives
from tests.services.engine.protocol.invariants import Violated
from tests.services.engine.protocol.toy import TOY
from tests.services.engine.protocol.world import World, play


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("seed", range(5))
def test_the_protocol_survives(name, seed):
    survives(FAULTS[name], seed)


@pytest.mark.parametrize("name", FAULTS)
def test_without_its_rule_the_fault_is_back(name):
    assert fails_without(FAULTS[name], tries=20), FAULTS[name].rule


def test_f8_without_leases_workers_take_a_table_from_each_other_for_ever():
    assert play(World(seed=1)).store.takeovers <= 2
    assert takeovers_without_leases() > 10


def takeovers_without_leases() -> int:
    world = World(seed=1, broken=("no lease",))
    with suppress(Violated):  # nothing else need be wrong
        play(world)
    return world.store.takeovers


def test_f14_another_past_gives_unrelated_chance_though_only_the_journal_tells_it():
    assert throws(call="odd") != throws(call="even")


def test_f14_without_the_journals_hash_in_the_digest_the_same_throw_comes_back():
    def of_operations_alone(veil, journal_hash, seat, choice, operations):
        return digest_of(veil, "", seat, choice, operations)

    with patch("services.engine.kernel.play.digest_of", of_operations_alone):
        assert throws(call="odd") == throws(call="even")


def throws(call: str) -> list[tuple[int, ...]]:
    """What the vault gave after that call, everything else being the same."""
    table = LocalTable(TOY, 2, seed=5)
    table.answer(0, [call])
    while table.outcome is None:
        seat = table.waiting()[0]
        question = table.question(seat)
        assert question is not None
        table.answer(seat, question.ids[:1])
    return [result.numbers for line in table.ledger for result in line.results]
