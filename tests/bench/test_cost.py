"""Processes are charged for what they do, wherever it is told."""

import os
import subprocess
import sys

import pytest

from clients.bench.cost import Reading, between, parse_ps, read, read_all


def test_a_process_is_charged_for_what_it_does():
    before = read_all({"me": os.getpid()})
    sum(number * number for number in range(2_000_000))
    after = read_all({"me": os.getpid()})

    (cost,) = between(before, after).values()
    assert 0.02 < cost.cpu_seconds < 5
    assert 10 < cost.memory_mb < 10_000


def test_where_there_is_no_proc_ps_is_asked():
    assert parse_ps("  1:02:03.50  20480\n") == Reading(3723.5, 20.48)
    assert parse_ps("0:07.25 1024") == Reading(7.25, 1.024)


@pytest.mark.skipif(sys.platform != "linux", reason="ps does not tell of children")
def test_a_process_is_charged_for_children_that_have_ended():
    before = read(os.getpid()).cpu_seconds
    work = "sum(number * number for number in range(3_000_000))"
    subprocess.run([sys.executable, "-c", work], check=True)
    assert read(os.getpid()).cpu_seconds > before + 0.05
