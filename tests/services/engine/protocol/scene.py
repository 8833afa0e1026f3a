"""A table in play on a simulated worker, for tests that tell one short story."""

import functools
from collections.abc import Callable, Coroutine
from typing import Any

from services.engine.games import GAMES
from services.engine.kernel.entry import Entry
from services.engine.kernel.game import Game
from services.engine.live import Assigned, LiveTable, Wanted, open_table
from tests.services.engine.protocol.clock import run
from tests.services.engine.protocol.toy import TOY
from tests.services.engine.protocol.world import WorkerTwin, World

SKIRMISH = GAMES["skirmish"]


def in_virtual_time(
    test: Callable[..., Coroutine[Any, Any, None]],
) -> Callable[..., None]:
    """Run an async test on a loop whose time jumps."""

    @functools.wraps(test)
    def sync(*args: Any, **kwargs: Any) -> None:
        run(test(*args, **kwargs))

    return sync


class Scene:
    """Two workers, and a table that is open; `bots` sit at it unless told otherwise."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.store = world.store
        self.vault = world.vault
        self.anna, self.ben = world.workers
        self.table_id = world.table_id

    @property
    def journal(self) -> tuple[Entry, ...]:
        return self.store.primary.tables[self.table_id].entries

    async def at(self, worker: WorkerTwin | None = None) -> LiveTable:
        return await (worker or self.anna).at(self.table_id)

    async def sits(self) -> LiveTable:
        """Both seats are taken, on the first worker: the game has started."""
        table = await self.at()
        for seat in range(2):
            await table.take_seat(f"p{seat}", b"")
        return table

    def lose(self, entries: int) -> None:
        """The store loses its last entries, as after a failover nobody waited for."""
        tables = self.store.primary.tables
        kept = tables[self.table_id]
        shorter = type(kept)(
            kept.entries[: len(kept.entries) - entries], epoch=1, token="of before"
        )
        self.store.primary = type(self.store.primary)(
            {**tables, self.table_id: shorter}
        )
        self.store.wait()


async def a_scene(
    game: Game = TOY, *, timed: bool = True, people: bool = False
) -> Scene:
    world = World(game=game)
    for _ in range(2):
        await world.one_more()
    seats = tuple(Assigned(f"p{seat}", f"P{seat}", not people) for seat in range(2))
    wanted = Wanted("a-request", game.name, "", seats, timed)
    world.table_id, *_ = await open_table(world.workers[0].works, wanted)
    return Scene(world)


async def answers(
    table: LiveTable, answer_id: str = "", choice: tuple[str, ...] | None = None
) -> int:
    """Whoever is asked first answers with the first option."""
    await table.settled()
    seat = table.play.open_seats[0]
    question_id, question = table.play.question(seat) or ("", None)
    assert question is not None
    choice = question.ids[:1] if choice is None else choice
    answer_id = answer_id or f"answer-{table.play.position}"
    return await table.answer(seat, question_id, answer_id, choice)


async def plays_on(table: LiveTable) -> None:
    """To the end."""
    while table.play.outcome is None:
        await answers(table)
