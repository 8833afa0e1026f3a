"""Puts the parts together and on a server."""

import asyncio
from contextlib import suppress

import grpc

from anpai.operator.v1 import ban_service_pb2_grpc as ban_rpc
from anpai.operator.v1 import queue_service_pb2_grpc as queue_rpc
from services.chassis import bans
from services.chassis.config import MatchmakingConfig
from services.chassis.server import Bound, Resources
from services.chassis.stores import StoreUnavailable
from services.chassis.tokens import Credential
from services.matchmaking import operating
from services.matchmaking.boards import Boards
from services.matchmaking.bots import Switchboard
from services.matchmaking.calls import Calls
from services.matchmaking.desk import Desk
from services.matchmaking.games import Games
from services.matchmaking.lead import Lead
from services.matchmaking.matcher import Matcher
from services.matchmaking.members import members_of
from services.matchmaking.news import EngineNews, NewsReader
from services.matchmaking.openings import Openings
from services.matchmaking.parties import Parties
from services.matchmaking.party_desk import PartyDesk
from services.matchmaking.ratings import StoredRatings
from services.matchmaking.ready import ReadyChecks
from services.matchmaking.rematches import Rematches
from services.matchmaking.results import Results
from services.matchmaking.rooms import Rooms
from services.matchmaking.seating import Engines
from services.matchmaking.service import NAME, MatchmakingServicer, register
from services.matchmaking.settled import counting
from services.matchmaking.sign_in import SignIn
from services.matchmaking.stand_ins import StandIns
from services.matchmaking.supervise import Supervisor
from services.matchmaking.tables import Tables
from services.matchmaking.tickets import RedisTickets
from services.matchmaking.timings import LIMITS, TIMINGS, Limits, Timings
from services.matchmaking.wakeups import Wakeups


async def bind(
    server: grpc.aio.Server,
    resources: Resources[MatchmakingConfig],
    timings: Timings = TIMINGS,
    limits: Limits = LIMITS,
) -> Bound:
    """All of matchmaking: register the servicer and set the loops going."""
    config, metrics = resources.config, resources.metrics
    pipeline = resources.store.pipeline
    credential = Credential(resources.keys, "engine")
    engines = Engines(config.engines, credential, timings, config.edge, resources.tls)
    games = Games(engines.games, timings)
    wakeups = Wakeups(resources.store)
    tickets = RedisTickets(pipeline, timings, limits, note=counting(metrics))
    rooms = Rooms(pipeline, timings, limits)
    tables, ratings = Tables(pipeline, timings), StoredRatings(pipeline, timings)
    openings = Openings(tickets, engines, metrics, timings, limits)
    checks = ReadyChecks(tickets, openings, timings)
    parties = PartyDesk(Parties(pipeline, timings, limits), tickets, wakeups, timings)
    desk = Desk(
        *(tickets, rooms, games, wakeups, parties, checks),
        *(engines.judge_decks, ratings.strength_of, timings),
    )
    lead = Lead(pipeline, timings)
    matcher = Matcher(tickets, openings, lead, metrics, timings, limits)
    calls = Calls(pipeline, timings)
    stand_ins = StandIns(calls, engines.let_in, config.edge)
    switchboard = Switchboard(
        calls, stand_ins, games, wakeups, metrics, timings, limits
    )
    rematches = Rematches(desk, tables, wakeups, timings)
    boards = Boards(ratings, games)
    results = Results(tickets, tables, ratings, metrics)
    told = EngineNews(engines.peers, timings)
    news = NewsReader(told, pipeline, results.take, stand_ins.call, metrics, timings)

    members = members_of(config)
    sign_in = SignIn(resources.keys, members, timings, guests=config.guests)
    servicer = MatchmakingServicer(
        *(desk, parties, sign_in, switchboard, rematches, boards), *directory(config)
    )
    register(server, servicer)
    queues = operating.QueueService(tickets)
    queue_rpc.add_QueueServiceServicer_to_server(queues, server)
    turning_away = bans.BanService(resources.revocations)
    ban_rpc.add_BanServiceServicer_to_server(turning_away, server)

    loops = Supervisor(metrics)
    loops.start("wakeups", wakeups.listen)
    loops.start("games", games.keep_fresh)
    loops.start("news", news.run)
    loops.start("pairing", lambda: matcher.run(wakeups))
    loops.start("bots", switchboard.run)

    async def drain() -> None:
        """No new reservation; what is reserved is assigned; streams go elsewhere."""
        await loops.stop()
        with suppress(StoreUnavailable):
            await asyncio.gather(lead.let_go(), news.let_go())
        await openings.finish()
        wakeups.close()
        switchboard.close()

    async def close() -> None:
        await loops.stop()
        await engines.close()

    return Bound((NAME, operating.NAME, bans.NAME), drain, close)


def directory(config: MatchmakingConfig) -> tuple[tuple[str, ...], str]:
    """Where players find the engines and the audit."""
    if config.edge is not None:
        return (config.edge,), config.edge
    return config.engines, config.audit
