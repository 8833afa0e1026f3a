"""An engine that did not answer is asked last for a while, whatever it is asked."""

import pytest

from services.chassis.errors import AnpaiError
from services.chassis.tokens import Credential
from services.matchmaking import seating
from services.matchmaking.seating import Engines, by_lot
from tests.one_store import store_process  # noqa: F401
from tests.services.matchmaking.players import refused

GONE = AnpaiError("PART_UNAVAILABLE", "Out of reach.")


class Asked:
    """Who was asked, one after another; those who hang are known by their address."""

    def __init__(self, *hang: str):
        self.hang = set(hang)
        self.told: list[str] = []

    async def __call__(self, peer):
        self.told.append(peer.address)
        if peer.address in self.hang:
            raise GONE
        return peer.address


@pytest.fixture
async def engines(keys):
    engines = Engines(("a:1", "b:1", "c:1"), Credential(keys, "engine"))
    yield engines
    await engines.close()


async def test_one_that_hangs_is_asked_once_and_then_last(engines):
    ask = Asked("a:1")
    for _ in range(3):
        assert await engines.first_answer(engines.peers, ask) == "b:1"

    assert ask.told == ["a:1", "b:1", "b:1", "b:1"]


async def test_it_is_asked_again_after_a_while(engines, monkeypatch):
    monkeypatch.setattr(seating, "DOUBT_SECONDS", 0.0)
    ask = Asked("a:1")
    for _ in range(2):
        await engines.first_answer(engines.peers, ask)

    assert ask.told == ["a:1", "b:1"] * 2


async def test_where_all_are_in_doubt_all_are_asked(engines):
    ask = Asked("a:1", "b:1", "c:1")
    for _ in range(2):
        with refused("PART_UNAVAILABLE"):
            await engines.first_answer(engines.peers, ask)
    ask.hang.clear()

    assert await engines.first_answer(engines.peers, ask) == "a:1"
    assert len(ask.told) == 7


async def test_a_refusal_is_an_answer_and_puts_nobody_in_doubt(engines):
    asked = []

    async def ask(peer):
        asked.append(peer.address)
        raise AnpaiError("GAME_NOT_FOUND", "No such game.", game="chess")

    for _ in range(2):
        with refused("GAME_NOT_FOUND"):
            await engines.first_answer(engines.peers, ask)

    assert asked == ["a:1"] * 2


async def test_who_is_asked_for_no_table_is_drawn_by_lot(engines):
    """Not all of it falls to the first of the list."""
    firsts = {by_lot(engines.peers)[0].address for _ in range(100)}

    assert firsts == {"a:1", "b:1", "c:1"}
