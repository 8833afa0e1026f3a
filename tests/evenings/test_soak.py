"""Evenings over and over, with wires that break: `make soak` looks longer."""

import os

import pytest

from tests.evenings.soak import soak

pytestmark = pytest.mark.timeout(0)

QUICK = 5.0  # seconds
MINUTE = 60.0
TELLING = 10 * MINUTE
ALLOWED = 12.0  # MB an hour


def seconds() -> float:
    told = os.environ.get("ANPAI_SOAK_MINUTES")
    return float(told) * MINUTE if told else QUICK


async def test_t46_memory_stays_however_often_wires_break_and_workers_die(
    own_store, keys_folder, tmp_path, capsys
):
    length = seconds()

    soaked = await soak(length, 6, own_store, keys_folder, tmp_path)

    trends = soaked.trends()
    with capsys.disabled():
        print(f"\nsoak: {length:.0f} s, {soaked.tables} tables, logs in {tmp_path}")
        for name, found in trends.items():
            print(f"  {name:12} {found}")
    assert soaked.tables > 3
    assert not soaked.troubles, "\n".join(soaked.troubles)
    if length >= TELLING:
        assert [name for name in trends if trends[name].grows(ALLOWED)] == []
