"""Players who look for seats: all of them found, none twice, by every engine alike."""

import pytest

from clients.bench.stages import OPEN, STAGES, mean, numbers_at
from clients.bench.tickets import Wanted, figures, half_empty, sought, twice
from tests.scale import scaled

FIELDS = ["assignments_per_s", "assignments_per_s_per_core", "p50_ms", "p99_ms"]
FIELDS += ["lost", "double", "tables", "seconds"]


def wanted(**changed):
    usual = {
        "game": "skirmish",
        "variant": "standard",
        "seats": 2,
        "rate": 60.0,
        "players": 40,
        "workers": 2,
        "replicas": 1,
        "kill_every": None,
        "seconds": 2.0,
        "clients": 2,
    }
    return Wanted(**(usual | changed))


def opened_by(stack):
    """How many tables each engine worker has been asked to open."""
    return [
        numbers_at(address).total("anpai_calls_total", method=OPEN)
        for name, address in stack.metrics.items()
        if name.startswith("engine")
    ]


async def test_t51_every_worker_opens_its_share_of_the_tables(folder, stack, said):
    before = opened_by(stack)
    wish = wanted(rate=float(scaled(60, 120)), seconds=float(scaled(2, 20)))

    told = figures(wish, await sought(folder, wish, said))

    assert list(told)[: len(FIELDS)] == FIELDS
    assert (told["lost"], told["double"], told["errors"]) == (0, 0, 0)
    # At small scale others use the machine too.
    least = scaled(5, 50) / 100
    assert least < told["assignments_per_s"] / wish.rate < 1.5
    assert 0 < told["p50_ms"] <= told["p99_ms"]
    assert all(told["stages_ms"][name] > 0 for name in STAGES)
    opened = [now - then for now, then in zip(opened_by(stack), before, strict=True)]
    assert sum(opened) >= told["tables"]
    # Which worker opens a table is as good as drawn by lot: for few tables it may be
    # four times what is usual then.
    off = max(0.2, 4 / told["tables"] ** 0.5)
    assert all(share == pytest.approx(sum(opened) / 2, rel=off) for share in opened)


@pytest.mark.skipif(scaled(0, 1) == 0, reason="half a minute: with ANPAI_SCALE=full")
async def test_a_replica_that_is_killed_again_and_again_loses_nobody(folder, said):
    wish = wanted(replicas=2, kill_every=3.0, seconds=20.0, rate=40.0)
    told = figures(wish, await sought(folder, wish, said))
    assert told["kills"] >= 3
    assert (told["lost"], told["double"]) == (0, 0)


# ---- without processes ---------------------------------------------------------------

ANNA = ("k-1", "p-anna", "t-1", 0)
BEN = ("k-2", "p-ben", "t-1", 1)


def test_whoever_never_heard_of_an_open_table_is_lost():
    assert half_empty([ANNA, BEN], seats=2) == 0
    assert half_empty([ANNA], seats=2) == 1


def test_a_seat_or_a_ticket_that_was_given_twice_is_counted():
    listed = [found[1:] for found in (ANNA, BEN)]
    assert twice([ANNA, BEN], listed) == 0
    assert twice([ANNA, ("k-3", "p-cem", "t-1", 0)], []) == 1
    assert twice([ANNA, ("k-1", "p-anna", "t-2", 0)], []) == 1


def test_a_seat_that_none_of_a_players_tickets_led_to_is_counted():
    assert twice([ANNA], [("p-anna", "t-1", 0), ("p-anna", "t-9", 1)]) == 1


def test_the_mean_of_a_stage_is_of_what_happened_meanwhile():
    assert mean((1.0, 10), (3.0, 30)) == 100.0
    assert mean((1.0, 10), (1.0, 10)) == 0.0
    assert mean((5.0, 50), (0.2, 2)) == 100.0  # started again
