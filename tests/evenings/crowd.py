"""`python -m tests.evenings.crowd`: guests who find tables, play them and look on.

A process of its own, to be killed: when it comes back it reads its diary and plays on
where it was, but for a few guests who stay away. They send answers several times, out
of order and to any worker. At SIGTERM all give up and go home.

Told by the environment: ANPAI_SERVER, CROWD_DIARY (a file), CROWD_TABLES (how many at
once), CROWD_PAUSE_MS (before an answer), CROWD_SEED; ANPAI_ADDRESS_FILE is written once
it plays.
"""

import asyncio
import contextlib
import os
import random
import signal
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path

import anpai
from anpai import Answer, Assignment, House, Table
from anpai.engine.v1.engine_service_pb2 import AnswerResponse
from anpai.wire import OPTIONS
from tests.evenings.diary import Diary, Guest, told_of
from tests.evenings.players import Wish, keenly
from tests.scale import scaled

# When all people have given up, two bots would play on for half a minute.
WISHES = (
    *(Wish(2), Wish(3, bots=1), Wish(2, bots=1), Wish(4, bots=scaled(1, 2))),
    Wish(2, game="gwent", variant="duel", ready=True),
    Wish(1, game="gwent", variant="solo"),
    Wish(3, bots=1, game="gwent", variant="free-for-all"),
)
PATIENCE = 600.0
GOING_HOME = 170.0
REPEATS = (0, 0, 0, 1, 4)
SOON = 0.4
LOOKED_ON = 0.3
STAYS_AWAY = 0.1

Settled = (anpai.QuestionStale, anpai.TableEnded, anpai.NotNow)


class Crowd:
    """Keeps so many tables going, until it is closed."""

    def __init__(
        self, server: str, diary: Diary, tables: int, pause: float, seed: str
    ) -> None:
        self._server = server
        self._diary = diary
        self._tables = tables
        self._pause = pause
        self._chance = random.Random(seed)
        self._numbers = count(diary.guests + 1)
        self._wishes = count(self._chance.randrange(len(WISHES)))
        self._onlookers: set[asyncio.Task[None]] = set()
        self.closing = asyncio.Event()

    async def run(self) -> None:
        """Until it is closed and everybody has gone home."""
        known = [page for page in self._diary.about.values() if not page.over]
        back = [asyncio.create_task(self._comes_back(page)) for page in known]
        slots = [asyncio.create_task(self._slot()) for _ in range(self._tables)]
        await self.closing.wait()
        async with asyncio.timeout(GOING_HOME):
            await asyncio.gather(*back, *slots)
            await asyncio.gather(*self._onlookers)

    async def _slot(self) -> None:
        while not self.closing.is_set():
            wish = WISHES[next(self._wishes) % len(WISHES)]
            names = [f"guest{next(self._numbers)}" for _ in range(wish.people)]
            guests = [self._finds_a_table(n, wish, at) for at, n in enumerate(names)]
            await asyncio.gather(*guests)

    # -- coming -------------------------------------------------------------------

    async def _finds_a_table(self, name: str, wish: Wish, chair: int) -> None:
        self._diary.note(name)
        async with self._at_home(name), self._connect() as house:
            self._diary.note(name, token=await house.sign_in(name))
            seat = await self._seat(house, name, wish, chair)
            if seat is not None:
                self._diary.note(name, seat=told_of(seat))
                if self._chance.random() < LOOKED_ON:
                    self._brings_an_onlooker(seat)
                await self._play(house, name, seat)

    async def _seat(
        self, house: House, name: str, wish: Wish, chair: int
    ) -> Assignment | None:
        ticket = await house.enter(
            wish.game,
            variant=wish.variant,
            seats=wish.seats,
            bots=wish.bots,
            decks=wish.decks(chair),
        )
        self._diary.note(name, ticket=ticket.id)
        seat = asyncio.create_task(ticket.seat())
        closed = asyncio.create_task(self.closing.wait())
        await asyncio.wait([seat, closed], return_when=asyncio.FIRST_COMPLETED)
        closed.cancel()
        if not seat.done():
            with contextlib.suppress(anpai.NotNow, anpai.NotFound):
                await ticket.cancel()
        with contextlib.suppress(anpai.TicketClosed, anpai.NotFound):
            return await seat
        return None

    async def _comes_back(self, page: Guest) -> None:
        """Who was here when we were killed; some only to give up, when all do."""
        if page.gone or (page.seat and self._chance.random() < STAYS_AWAY):
            self._diary.note(page.name, gone=True)
            await self.closing.wait()
        self._diary.note(page.name, again=page.lives + 1)
        async with self._at_home(page.name), self._connect(page.token) as house:
            if page.looks_on and page.seat is not None:
                return await self._look_on(house, page.name, page.seat)
            seats = [page.seat] if page.seat or not page.token else []
            seat = next(iter(seats or await house.my_seats()), None)
            if seat is not None:
                self._diary.note(page.name, seat=told_of(seat))
                await self._play(house, page.name, seat)
        return None

    @contextlib.asynccontextmanager
    async def _at_home(self, name: str) -> AsyncIterator[None]:
        """Whoever is home again has nothing more to do with the evening."""
        try:
            yield
        except anpai.Unavailable as away:
            # Before there is a seat nothing is owed to anybody.
            if self._diary.about[name].seat is not None:
                self._diary.note(name, trouble=f"nobody answered any more: {away!r}")
        except anpai.TableEnded:
            pass  # it had waited long enough for this seat to be taken
        except anpai.AnpaiError as error:
            self._diary.note(name, trouble=repr(error))
        self._diary.note(name, over=True)

    def _connect(self, token: str | None = None) -> House:
        return anpai.connect(self._server, token=token, patience=PATIENCE)

    # -- playing ------------------------------------------------------------------

    async def _play(self, house: House, name: str, seat: Assignment) -> None:
        record = self._diary.record_of(name)
        async with house.sit(seat, record=record) as table:
            home = asyncio.create_task(self._gives_up(table, name))
            player = Player(house, table, self._diary, name, self._pause)
            try:
                async for _ in table:
                    if table.question is not None:
                        await player.answer()
            finally:
                home.cancel()
            self._diary.note(name, outcome=table.outcome is not None)

    async def _gives_up(self, table: Table, name: str) -> None:
        await self.closing.wait()
        try:
            await table.concede()
        except Settled:
            pass
        except anpai.AnpaiError as error:
            self._diary.note(name, trouble=f"may not give up: {error!r}")

    # -- looking on ---------------------------------------------------------------

    def _brings_an_onlooker(self, seat: Assignment) -> None:
        task = asyncio.create_task(self._looks_on(seat))
        self._onlookers.add(task)
        task.add_done_callback(self._onlookers.discard)

    async def _looks_on(self, seat: Assignment) -> None:
        name = f"onlooker{next(self._numbers)}"
        self._diary.note(name, looks_on=True)
        async with self._at_home(name), self._connect() as house:
            self._diary.note(name, token=await house.sign_in(name))
            self._diary.note(name, seat=told_of(seat))
            await self._look_on(house, name, seat)

    async def _look_on(self, house: House, name: str, seat: Assignment) -> None:
        record = self._diary.record_of(name)
        async with house.watch(seat.table_id, record=record) as table:
            async for _ in table:
                pass
            self._diary.note(name, outcome=table.outcome is not None)


class Player:
    """Answers at random, and says it again, and what was said before."""

    def __init__(
        self, house: House, table: Table, diary: Diary, name: str, pause: float
    ) -> None:
        self._house = house
        self._table = table
        self._diary = diary
        self._name = name
        self._pause = pause
        self._chance = random.Random(f"{table.id}/{name}")
        self._said: deque[Answer] = deque(maxlen=8)

    async def answer(self) -> None:
        await asyncio.sleep(self._pause * self._chance.uniform(0.5, 1.5))
        question = self._table.question
        if question is None:
            return
        try:
            answer = self._table.send(*keenly(question, self._chance))
        except anpai.NotAsked:
            return
        self._said.append(answer)
        again = [self._repeat() for _ in range(self._chance.choice(REPEATS))]
        await asyncio.gather(self._heard(answer, self._revision(answer)), *again)

    async def _revision(self, answer: Answer) -> int:
        await answer.settled()
        assert answer.revision is not None
        return answer.revision

    async def _repeat(self) -> None:
        """Something said before, after a while, by another way."""
        answer = self._chance.choice(self._said)
        await asyncio.sleep(self._chance.uniform(0, SOON))
        await self._heard(answer, self._told_again(answer))

    async def _told_again(self, answer: Answer) -> int:
        services = self._house._services
        reply = await services.ask_engine("Answer", answer.request(), AnswerResponse)
        return reply.revision

    async def _heard(self, answer: Answer, reply: Awaitable[int]) -> None:
        """Write down what becomes of it; where nobody knows, nothing."""
        try:
            self._diary.note(self._name, accepted=answer.id, revision=await reply)
        except anpai.Unavailable:
            pass
        except Settled:
            self._diary.note(self._name, refused=answer.id)
        except anpai.AnpaiError as error:
            self._diary.note(self._name, refused=answer.id)
            self._diary.note(self._name, trouble=repr(error))


def crowd_of(told: Mapping[str, str]) -> Crowd:
    return Crowd(
        told["ANPAI_SERVER"],
        Diary(Path(told["CROWD_DIARY"]), forgets=True),
        int(told["CROWD_TABLES"]),
        int(told["CROWD_PAUSE_MS"]) / 1000,
        told["CROWD_SEED"],
    )


async def until_told_to_stop(crowd: Crowd, ready: Callable[[], object]) -> None:
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, crowd.closing.set)
    ready()
    await crowd.run()


def main() -> None:
    # Each guest has connections of his own, to be cut one by one.
    OPTIONS.append(("grpc.use_local_subchannel_pool", 1))
    say_ready = partial(Path(os.environ["ANPAI_ADDRESS_FILE"]).write_text, "{}")
    asyncio.run(until_told_to_stop(crowd_of(os.environ), say_ready))


if __name__ == "__main__":
    main()
