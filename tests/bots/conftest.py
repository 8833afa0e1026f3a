"""The real services, and players at them."""

import pytest

import anpai
from tests.sdk.conftest import quick_windows

__all__ = ["quick_windows"]


@pytest.fixture
async def anna(house):
    async with anpai.connect(house.matchmaking.address) as anna:
        await anna.sign_in("Anna")
        yield anna
