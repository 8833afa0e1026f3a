"""Players of whom one sees what they have had accepted, before their games are over."""

import asyncio
from typing import Any

from anpai import Table
from tests.evenings.players import Played, Seating


class Begun(Seating):
    """Keeps the memories of those who have begun."""

    def __init__(self, *told: Any) -> None:
        super().__init__(*told)
        self.begun: list[Played] = []

    async def follow(self, table: Table, played: Played, pause: float) -> None:
        self.begun.append(played)
        await super().follow(table, played, pause)

    async def have_accepted(self, number: int) -> list[str]:
        """All that was accepted until now, once it is so much."""
        async with asyncio.timeout(60):
            while True:
                accepted = [answer for one in self.begun for answer in one.accepted]
                if len(accepted) >= number:
                    return accepted
                await asyncio.sleep(0.01)
