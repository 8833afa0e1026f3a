"""What a game that is over changes: ratings, tickets, lists of seats.

Each of these is done once, however often the news of it comes.
"""

import asyncio

from services.chassis.telemetry import Metrics
from services.matchmaking.rating import TableOver
from services.matchmaking.ratings import StoredRatings
from services.matchmaking.tables import SeatedTable, Tables
from services.matchmaking.ticket import State, Ticket
from services.matchmaking.tickets import Tickets


class Results:
    def __init__(
        self,
        tickets: Tickets,
        tables: Tables,
        ratings: StoredRatings,
        metrics: Metrics,
    ):
        self._tickets = tickets
        self._tables = tables
        self._ratings = ratings
        self._metrics = metrics

    async def take(self, over: TableOver) -> None:
        """Once for all, and harmless when it comes again."""
        outcome = await self._rate(over)
        table = await self._tables.find(over.table)
        if table is not None and not table.is_over:
            await self._close(table)
            await self._tables.note_over(table)
        self._metrics.results.labels(over.game, outcome).inc()

    async def _rate(self, over: TableOver) -> str:
        if not over.moves_ratings:
            return "unrated"
        return "rated" if await self._ratings.rate(over) else "repeated"

    async def _close(self, table: SeatedTable) -> None:
        """Tried again while another server closes them."""
        while seated := await self._seated_at(table):
            changes = [(ticket, ticket.closed("over")) for ticket in seated]
            if await self._tickets.change(changes):
                return

    async def _seated_at(self, table: SeatedTable) -> list[Ticket]:
        found = await asyncio.gather(*map(self._tickets.get, table.tickets))
        return [each for each in found if each is not None and is_at(each, table.id)]


def is_at(ticket: Ticket, table_id: str) -> bool:
    seat = ticket.assignment
    return (
        ticket.state is State.ASSIGNED and seat is not None and seat.table == table_id
    )
