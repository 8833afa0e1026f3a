"""An engine at home, a matchmaking that knows it, and a player who has signed in."""

import asyncio
import contextlib

import pytest

import anpai
from services.engine.kernel.play import Play
from tests.sdk.engine_at_home import EngineAtHome, MatchmakingAtHome, seat_at, serving


@pytest.fixture
async def engine():
    return EngineAtHome()


@pytest.fixture
async def matchmaking():
    return MatchmakingAtHome([])


@pytest.fixture
async def address(engine, matchmaking):
    async with serving(engine, matchmaking) as address:
        matchmaking.engines.append(address)
        yield address


@pytest.fixture
async def player(address):
    async with anpai.connect(address, patience=30) as player:
        yield player


@pytest.fixture
def seat(address):
    return seat_at(address)


@pytest.fixture
async def opponent(engine):
    """Seat 1 answers by itself."""
    task = asyncio.create_task(engine.play_for_others())
    yield task
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


@pytest.fixture
def quick_windows(monkeypatch):
    """With people at the table a secret question is held for seconds: not in tests."""
    monkeypatch.setattr(Play, "_held", lambda play, asking: False)
