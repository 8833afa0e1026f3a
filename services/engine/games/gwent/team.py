"""Two against two: who acts first, and the order of turns (GW-14.1, GW-14.4)."""

from services.engine.games.gwent.board import (
    Side,
    opponents,
    seat_with,
    side_of,
)
from services.engine.kernel import AtSeat, Table, choose


async def name_leads(table: Table, starter: int) -> int:
    """The starting team, then the other, says who acts first; who starts (GW-14.4)."""
    own = side_of(table, starter)
    (other,) = opponents(table, starter)
    starts = await name_lead(table, own)
    await name_lead(table, other)
    return starts


async def name_lead(table: Table, one: Side) -> int:
    """Both partners are asked; the first answer counts, else the first (GW-14.4)."""
    options = [AtSeat(seat) for seat in one.seats]
    default = f"seat:{one.seats[0]}"
    answers = await table.ask_any(
        [choose(seat, "acts_first", options, default=default) for seat in one.seats]
    )
    *_, (chosen,) = answers.values()  # a partner who conceded was answered for before
    lead: int = chosen.seat
    for seat in one.seats:
        if seat != lead:
            table.unmark("leads", seat)
    table.mark("leads", lead)
    return lead


def turn_order(table: Table) -> list[int]:
    """Starting lead, other lead, their partners; then again (GW-14.4)."""
    own = side_of(table, seat_with(table, "starts"))
    (other,) = opponents(table, own.seats[0])
    leads = [lead_of(table, own), lead_of(table, other)]
    return leads + [partner_of(table, lead) for lead in leads]


def lead_of(table: Table, one: Side) -> int:
    """Who of a team acts first."""
    marked = [seat for seat in one.seats if table.marker("leads", seat) is not None]
    return marked[0] if marked else one.seats[0]


def partner_of(table: Table, seat: int) -> int:
    """The other seat of its team (GW-14.1)."""
    (partner,) = [one for one in side_of(table, seat).seats if one != seat]
    return partner
