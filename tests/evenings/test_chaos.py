"""Whatever goes wrong, and however often: all that was promised is kept."""

import os
import random

import pytest

from tests.evenings.chaos import TIMELINE, Plan, chaos
from tests.scale import scale, scaled

pytestmark = pytest.mark.timeout(0)

USUAL_SEED = 4


def seed() -> int:
    """The same in every quick run; one's own, or another each time, in a long one."""
    told = os.environ.get("ANPAI_CHAOS_SEED")
    return int(told) if told else random.randrange(10**6) if scale() else USUAL_SEED


async def test_chaos_loses_nothing_does_nothing_twice_and_leaves_nothing(
    own_store, keys_folder, tmp_path, capsys
):
    plan = Plan(
        seed(),
        seconds=scaled(10, 600),
        tables=scaled(6, 40),
        crowds=scaled(1, 2),
        storms=scaled(1, 2),
    )
    with capsys.disabled():
        print(f"\nchaos: {plan}, logs in {tmp_path}")

    survived = await chaos(plan, own_store, keys_folder, tmp_path)

    with capsys.disabled():
        print(f"chaos: {survived.answers} answers at {survived.tables} tables")
    timeline = (tmp_path / TIMELINE).read_text()
    told = [str(plan), timeline, f"logs in {tmp_path}", *survived.troubles]
    assert not survived.troubles, "\n".join(told)
    assert survived.answers > 20
