"""A person is told what the server has lost, and sees from where the game goes on."""

import asyncio
from io import StringIO

import pytest
from rich.console import Console

import anpai
from clients.terminal.sitting import Sitting
from tests.sdk.engine_at_home import EngineAtHome, MatchmakingAtHome, seat_at, serving
from tests.sdk.waiting import until
from tests.terminal.scenes import reader

WORDS = {
    "en": ("The server has lost the last moves.", "Number (? explains"),
    "zh": ("服务器丢失了最后几步。", "编号（? 说明"),
}
A_FEW = 3


@pytest.mark.parametrize("language", WORDS)
async def test_a_person_is_told_and_asked_anew(language):
    engine, told = EngineAtHome(), StringIO()
    words, prompt = WORDS[language]
    out = Console(file=told, width=80, color_system=None)
    async with (
        serving(engine, MatchmakingAtHome([])) as address,
        anpai.connect(address) as house,
        house.sit(seat_at(address)) as table,
    ):
        sitting = asyncio.create_task(
            Sitting(table, reader(language), out).run(listens=False)
        )
        for _ in range(A_FEW):
            await engine.move(engine.table.waiting()[0])
        await until(lambda: table.view.revision == len(engine.table.events))
        await engine.undo(A_FEW, others=A_FEW + 1)
        while 0 not in engine.table.waiting():
            await engine.move(engine.table.waiting()[0])
        await until(lambda: prompt in told.getvalue().partition(words)[2])
        sitting.cancel()

    assert told.getvalue().count(words) == 1
