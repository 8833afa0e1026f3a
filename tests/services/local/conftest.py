"""A finished game, and what a seat heard of it."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from services.engine.games import GAMES
from services.local import LocalTable
from services.local.playouts import play_out

Change = Callable[[dict[str, Any]], object]


def finished(seed: int = 5, seats: int = 2, **options: Any) -> LocalTable:
    """A random game of skirmish, played out."""
    table = LocalTable(GAMES["skirmish"], seats, seed=seed, **options)
    play_out(table, random.Random(seed))
    return table


@pytest.fixture(scope="session")
def game() -> LocalTable:
    return finished()


@pytest.fixture(scope="session")
def paper(game: LocalTable) -> str:
    return game.disclosure()


@pytest.fixture
def forged(paper: str) -> Callable[[Change], dict[str, Any]]:
    """The disclosure with one thing changed."""

    def forge(change: Change) -> dict[str, Any]:
        parts: dict[str, Any] = json.loads(paper)
        change(parts)
        return parts

    return forge
