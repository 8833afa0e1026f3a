"""Streams that are cancelled: not one leaves anything, in our memory or in gRPC's."""

import ast
import asyncio
import gc
import os
from itertools import cycle

import pytest

from services.chassis.tokens import Kind, player_token
from tests.contract.contract import ROOT
from tests.evenings.memory import rss
from tests.one_store import store_process  # noqa: F401
from tests.scale import scaled

AT_ONCE = 20
PLAYERS = 500  # one alone may not come so often
EACH = 60e-6  # MB: what leaked in gRPC was twice as much and more
SLACK = 2.0  # MB: what an allocator may keep for itself


@pytest.fixture
async def table(opened, player):
    return await opened("anna", "ben")


async def test_t45_memory_stays_however_many_streams_are_cancelled(
    table, player, engine, matchmaking
):
    doors = [player("carl") for _ in range(AT_ONCE)]
    tokens = cycle([token_of(matchmaking, number) for number in range(PLAYERS)])
    number = scaled(1_000, 100_000)
    await cancelled(doors, tokens, table, number // 2)
    before = memory()

    await cancelled(doors, tokens, table, number)

    assert memory() - before < SLACK + number * EACH
    await nobody_left(engine)


def token_of(keys, number):
    return player_token(keys, f"carl-{number}", "Carl", Kind.GUEST, 3600)


async def cancelled(doors, tokens, table, number):
    """So many streams, each broken off in the midst of it, by somebody else."""
    for _ in range(number // len(doors)):
        for door in doors:
            door.token = next(tokens)
        await asyncio.gather(*(breaks_off(door, table) for door in doors))


async def nobody_left(engine):
    for _ in range(500):
        if not engine.metrics.watchers._value.get():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("somebody still watches")


async def breaks_off(player, table):
    async with player.watching(table) as stream:
        await stream.update()


def memory():
    gc.collect()
    return rss(os.getpid())


# ---- nobody keeps a cancellation to himself ------------------------------------------

SERVED = [*(ROOT / "services").rglob("*.py"), *(ROOT / "clients/python").rglob("*.py")]


def test_t45_a_cancellation_is_always_passed_on():
    """Or gRPC would keep what belongs to a stream that has ended."""
    found = [f"{path}:{at}" for path in SERVED for at in swallowing(path.read_text())]

    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "try: f()\nexcept BaseException: pass",
        "try: f()\nexcept (OSError, asyncio.CancelledError): x = 1",
        "try: f()\nexcept: print()",
        "with suppress(asyncio.CancelledError): f()",
    ],
)
def test_what_would_swallow_one_is_found(text):
    assert len([*swallowing(text)]) == 1


def swallowing(text):
    """Lines that catch it, and do not end by raising."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ExceptHandler):
            if is_of_it(node.type) and not isinstance(node.body[-1], ast.Raise):
                yield node.lineno
        elif isinstance(node, ast.With | ast.AsyncWith):
            used = [ast.unparse(item.context_expr) for item in node.items]
            if any("suppress(" in one and is_named_in(one) for one in used):
                yield node.lineno


def is_of_it(caught):
    return caught is None or is_named_in(ast.unparse(caught))


def is_named_in(text):
    return "CancelledError" in text or "BaseException" in text
