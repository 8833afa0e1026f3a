"""Evenings over and over, with wires that break: `make soak` looks longer."""

import os

import pytest

from tests.evenings.soak import soak

pytestmark = pytest.mark.timeout(0)

MINUTE = 60.0
QUICK = 3.0  # seconds
TELLING = 20 * MINUTE  # in less, memory is still warming up
ALLOWED = 12.0  # MB an hour


def length():
    """In seconds."""
    told = os.environ.get("ANPAI_SOAK_MINUTES")
    return float(told) * MINUTE if told else QUICK


async def test_t46_memory_stays_however_often_wires_break_and_workers_die(
    own_store, keys_folder, tmp_path, capsys
):
    seconds = length()
    tables = 8 if seconds > MINUTE else 3

    soaked = await soak(seconds, tables, own_store, keys_folder, tmp_path)

    trends = soaked.trends()
    with capsys.disabled():
        print(f"\nsoak: {seconds:.0f} s, {soaked.tables} tables, logs in {tmp_path}")
        for name, found in trends.items():
            print(f"  {name:12} {found}")
    assert soaked.tables >= 2
    assert not soaked.troubles, "\n".join(soaked.troubles)
    if seconds >= TELLING:
        assert [name for name in trends if trends[name].grows(ALLOWED)] == []
