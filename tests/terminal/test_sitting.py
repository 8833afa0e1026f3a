"""What a person types at a table that answers slowly, or not at all."""

import asyncio
import os
from contextlib import asynccontextmanager
from io import StringIO

import pytest
from rich.console import Console

import anpai
from anpai.errors.v1.error_reason_pb2 import Refusal
from clients.terminal import sitting
from clients.terminal.commands.play import Evening
from clients.terminal.finding import Where
from clients.terminal.keyboard import Keyboard
from clients.terminal.sitting import Ending, Sitting
from clients.terminal.words import Words
from tests.sdk.engine_at_home import EngineAtHome, MatchmakingAtHome, seat_at, serving
from tests.sdk.waiting import until
from tests.terminal.pty import PROMPT
from tests.terminal.scenes import reader


class Person:
    """Sits at a table at home: types, and reads what is told."""

    def __init__(self, keys, told):
        self.engine = EngineAtHome()
        self.told = told
        self._keys = keys

    def types(self, *lines):
        os.write(self._keys, "".join(f"{line}\n" for line in lines).encode())

    async def is_asked(self, with_all=False):
        """Others move, and he with them, until he is asked; or all are at once."""
        wanted = {0, 1} if with_all else {0}
        while not wanted <= set(self.engine.table.waiting()):
            await self.engine.move(self.engine.table.waiting()[0])

    async def reads(self, text):
        await until(lambda: text in self.told.getvalue())


@pytest.fixture
async def person(monkeypatch):
    ours, theirs = os.pipe()
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        yield Person(theirs, StringIO())
    os.close(theirs)


@asynccontextmanager
async def sits(person):
    """The task of its sitting, once it is asked something."""
    out = Console(file=person.told, width=80, color_system=None)
    async with (
        serving(person.engine, MatchmakingAtHome([])) as address,
        anpai.connect(address) as house,
        house.sit(seat_at(address)) as table,
    ):
        task = asyncio.create_task(Sitting(table, reader(), out).run())
        await person.reads(PROMPT)
        yield task
        task.cancel()


async def test_whoever_has_answered_in_secret_sees_whom_all_wait_for(
    person, monkeypatch
):
    monkeypatch.setattr(sitting, "PATIENT_SECONDS", 0.05)
    await person.is_asked(with_all=True)
    async with sits(person):
        person.types("0")
        await person.reads("Waiting for ")
        person.types("0")
        await person.reads("It is not your move.")

    assert len(person.engine.answers) == 1


async def test_a_second_answer_waits_until_the_first_is_settled(person):
    await person.is_asked()
    person.engine.mischief.accepts_lost = 1
    async with sits(person):
        person.types("1")
        await until(lambda: person.engine.answers)
        person.types("2")
        await person.reads("Your answer is on its way.")

    assert len(person.engine.answers) == 1


async def test_an_answer_given_before_leaving_arrives(person):
    await person.is_asked()
    unknown = Refusal(code=14, reason="OUTCOME_UNKNOWN", message="who knows")
    person.engine.mischief.refusals = [unknown]
    async with sits(person) as task:
        person.types("1", "q")
        assert await asyncio.wait_for(task, 30) is Ending.LEFT

    assert len(person.engine.kept) == 1


async def test_whoever_loses_the_server_is_told_how_to_go_on(
    person, monkeypatch, tmp_path
):
    async def no_catalogue(*told):
        return reader()

    monkeypatch.setattr("clients.terminal.commands.play.reader_for", no_catalogue)
    await person.is_asked()
    out = Console(file=person.told, width=80, color_system=None)
    async with serving(person.engine, MatchmakingAtHome([])) as address:
        house = anpai.connect(address, patience=0.2)
        evening = Evening(Where(address, tmp_path, " --dir x"), Words("en"), out)
        sitting = asyncio.create_task(evening._sit(house, seat_at(address), " --dir x"))
        await person.reads(PROMPT)
    with pytest.raises(anpai.Unavailable):
        await asyncio.wait_for(sitting, 30)
    await house.close()

    assert "anpai play --resume --dir x" in person.told.getvalue()


async def test_ctrl_c_waits_for_no_server_that_is_gone(monkeypatch):
    monkeypatch.setattr("clients.terminal.commands.play.LEAVE_SECONDS", 0.1)
    async with (
        serving(MatchmakingAtHome([])) as address,
        anpai.connect(address) as house,
    ):
        ticket = await house.enter("skirmish", seats=2)
        evening = Evening(None, Words("en"), Console(file=StringIO()))
        waiting = asyncio.create_task(evening._wait(ticket))
        await asyncio.sleep(0.05)
        waiting.cancel()
        done, _ = await asyncio.wait([waiting], timeout=8)

    assert done
    assert waiting.cancelled()


async def test_a_terminal_that_has_gone_away_is_the_end_of_input():
    ours, theirs = os.openpty()
    heard = []
    with os.fdopen(ours, "rb", buffering=0) as source:
        keyboard = Keyboard(heard.append, source)
        keyboard.start()
        os.close(theirs)
        await until(lambda: heard)
        keyboard.stop()

    assert heard == [None]
