"""Two against two: who acts first, and the order of turns (GW-14.1, GW-14.4)."""

from services.engine.games.gwent.board import Side, opponents, side_of
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
    """Teams alternate, and partners within them (GW-14.4)."""
    lead, other = (lead_of(table, side_of(table, seat)) for seat in (0, 1))
    return [lead, other, partner_of(table, lead), partner_of(table, other)]


def lead_of(table: Table, one: Side) -> int:
    """Who of a team acts first."""
    marked = [seat for seat in one.seats if table.marker("leads", seat) is not None]
    return marked[0] if marked else one.seats[0]


def partner_of(table: Table, seat: int) -> int:
    """The other seat of its team (GW-14.1)."""
    (partner,) = [one for one in side_of(table, seat).seats if one != seat]
    return partner
