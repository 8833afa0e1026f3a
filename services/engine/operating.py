"""The engine's door for operators: tables from outside, and an end to them."""

from collections.abc import Awaitable, Callable

from anpai.operator.v1 import table_service_pb2 as pb
from anpai.operator.v1 import table_service_pb2_grpc as rpc
from services.chassis.audit import audited, reason_in
from services.engine import fields
from services.engine.forwarding import Context, Forwarding, wherever_the_table_is
from services.engine.hosted import HostedTable
from services.engine.journal import Worker
from services.engine.listing import Line, Listing, State, Wanted
from services.engine.projection import view_for
from services.engine.refusals import not_found
from services.engine.tables import Tables

NAME = "anpai.operator.v1.TableService"
USUAL_PAGE, LONGEST_PAGE = 100, 500
LAST = 2**53

STATES = {
    State.GATHERING: pb.STATE_GATHERING,
    State.PLAYING: pb.STATE_PLAYING,
    State.OVER: pb.STATE_OVER,
    State.STOPPED: pb.STATE_STOPPED,
}


class TableService(rpc.TableServiceServicer):
    """What it shows of a table is the public's view: it asks for no other."""

    def __init__(
        self,
        tables: Tables,
        forwarding: Forwarding,
        listing: Listing,
        worker: Worker,
        withdraw: Callable[[], Awaitable[None]],
    ) -> None:
        self.forwarding = forwarding
        self._tables = tables
        self._listing = listing
        self._worker = worker
        self._withdraw = withdraw

    async def ListTables(
        self, request: pb.ListTablesRequest, context: Context
    ) -> pb.ListTablesResponse:
        after = fields.table_id(request.after, "after") if request.after else ""
        limit, wanted = page_in(request), wanted_in(request)
        audited("ListTables")
        page = await self._listing.page(after, limit, wanted)
        lines = map(line_message, page.lines)
        return pb.ListTablesResponse(tables=lines, next=page.next)

    @wherever_the_table_is
    async def InspectTable(
        self, request: pb.InspectTableRequest, context: Context
    ) -> pb.InspectTableResponse:
        table = await self._tables.at(fields.table_id(request.table_id))
        audited("InspectTable", table=table.live.table_id)
        line = await self._listing.line(table.live.table_id)
        if line is None:
            raise not_found(table.live.table_id)
        await table.live.settled()
        return pb.InspectTableResponse(
            table=line_message(line),
            view=view_for(table.live.play, None),
            seats=sittings(table),
            watchers=len(table.ring.watchers),
            due_ms=table.live.due_ms or 0,
        )

    @wherever_the_table_is
    async def EndTable(
        self, request: pb.EndTableRequest, context: Context
    ) -> pb.EndTableResponse:
        reason = reason_in(request.reason)
        table = await self._tables.at(fields.table_id(request.table_id))
        audited("EndTable", table=table.live.table_id, reason=reason)
        await table.live.abandon()
        outcome = table.live.past.last.outcome
        return pb.EndTableResponse(reason=outcome.reason if outcome else "")

    async def ReadJournal(
        self, request: pb.ReadJournalRequest, context: Context
    ) -> pb.ReadJournalResponse:
        table_id, after = fields.table_id(request.table_id), position_in(request)
        audited("ReadJournal", table=table_id)
        line = await self._listing.line(table_id)
        if line is None or line.state is not State.STOPPED:
            raise not_found(table_id)
        entries = await self._listing.journal(table_id, after)
        return pb.ReadJournalResponse(entries=[one.decode() for one in entries])

    async def Drain(
        self, request: pb.DrainRequest, context: Context
    ) -> pb.DrainResponse:
        worker = self._worker.id
        if request.worker not in (worker, worker.rpartition("-")[0]):
            fields.refuse("worker", f"{worker}, which is called here")
        audited("Drain", worker=worker)
        number = len(self._tables.here())
        await self._withdraw()
        return pb.DrainResponse(tables=number)


def page_in(request: pb.ListTablesRequest) -> int:
    if request.limit > LONGEST_PAGE:
        fields.refuse("limit", f"0-{LONGEST_PAGE}")
    return request.limit or USUAL_PAGE


def position_in(request: pb.ReadJournalRequest) -> int:
    if request.after >= LAST:
        fields.refuse("after", "a position in the journal")
    return request.after


def wanted_in(request: pb.ListTablesRequest) -> Wanted:
    """Which lines of a list are asked for. INVALID_FIELD."""
    known = {number: state for state, number in STATES.items()}
    if request.state and request.state not in known:
        fields.refuse("state", "a State")
    game, state = request.game, known.get(request.state)
    return lambda line: game in ("", line.game) and state in (None, line.state)


def line_message(line: Line) -> pb.TableLine:
    return pb.TableLine(
        table_id=line.table,
        game=line.game,
        variant=line.variant,
        state=STATES[line.state],
        stopped=line.stopped,
        seats=line.seats,
        entries=line.entries,
        opened_ms=line.opened_ms,
        moved_ms=line.moved_ms,
        worker=line.worker,
        rated=line.rated,
    )


def sittings(table: HostedTable) -> list[pb.Sitting]:
    away, is_here = table.live.play.away, table.company.is_here
    return [
        pb.Sitting(
            player_id=who.player,
            name=who.name,
            bot=who.bot,
            here=is_here(who.player),
            stand_in=one.name if (one := away.get(seat)) else "",
        )
        for seat, who in enumerate(table.live.assigned)
    ]
