"""A client in another language, made from the protos alone, plays as ours does."""

import asyncio
import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from services.local import disclosure
from services.local.verify import verify
from tests.contract.contract import ROOT
from tests.evenings.aftermath import gauges
from tests.evenings.edge import Edge, behind, running
from tests.evenings.town import Town, a_town

EXAMPLE = ROOT / "docs" / "examples" / "javascript"
CHECK = ROOT / "docs" / "fairness_check.mjs"
NPM_SECONDS = 300
ENOUGH = 4

pytestmark = [
    pytest.mark.timeout(NPM_SECONDS + 120),
    pytest.mark.skipif(
        shutil.which("npm") is None and not os.environ.get("CI"),
        reason="node and npm are not installed",
    ),
]


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, with what its lock file names, and nothing of ours beside it."""
    folder = tmp_path_factory.mktemp("javascript")
    for path in EXAMPLE.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=NPM_SECONDS
    )
    if done.returncode != 0 and not os.environ.get("CI"):
        pytest.skip("npm cannot install the example's packages here")
    assert done.returncode == 0, done.stderr
    return folder / "player.mjs"


@pytest.fixture
async def town(own_store, keys_folder: Path, tmp_path: Path) -> AsyncIterator[Town]:
    async with a_town(own_store, keys_folder, tmp_path, edged=True) as town:
        yield town


@pytest.fixture
async def edge(town: Town) -> AsyncIterator[Edge]:
    edge = Edge(town.edge, town.folder)
    async with running(edge, edge.config(behind(town))):
        yield edge


async def plays(player: Path, edge: Edge, name: str, game: str) -> "Told":
    """One program's game: what it says of it, and the disclosure it was given."""
    file = edge.folder / f"{game}-{name}.json"
    process = await asyncio.create_subprocess_exec(
        *("node", player, "--server", edge.address, "--ca", edge.authority.file),
        *("--protos", ROOT / "protos", "--name", name, "--game", game),
        *("--think", "60", "--disclosure", file),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, wrong = await asyncio.wait_for(process.communicate(), 100)
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, wrong.decode()
    return Told(file, **json.loads(out))


@dataclass(frozen=True)
class Told:
    """What a program has told, and its disclosure."""

    file: Path
    table: str
    seat: int
    commitment: str
    accepted: list[str]
    outcome: dict[str, object]
    resumed: int


async def test_it_plays_to_the_end_while_workers_are_replaced(
    player: Path, town: Town, edge: Edge
):
    seats = [(name, game) for game in ("skirmish", "gwent") for name in ("Anna", "Ben")]
    playing = [asyncio.create_task(plays(player, edge, *seat)) for seat in seats]
    await every_table_is_played(town)
    for engine in town.engines:
        assert await engine.stop() == 0
        await engine.start()

    told = await asyncio.gather(*playing)

    assert any(one.resumed for one in told)
    for anna, ben in (told[:2], told[2:]):
        assert anna.table == ben.table
        assert {anna.seat, ben.seat} == {0, 1}
        assert anna.outcome == ben.outcome
        assert_nothing_is_lost(anna, ben)


async def every_table_is_played(town: Town) -> None:
    """Once at each of both some answers were accepted, wherever they are."""
    async with asyncio.timeout(60):
        while True:
            accepted = await accepted_by_game(town)
            if len(accepted) == 2 and min(accepted.values()) >= ENOUGH:
                return
            await asyncio.sleep(0.05)


async def accepted_by_game(town: Town) -> Counter[str]:
    accepted: Counter[str] = Counter()
    for engine in town.engines:
        for labels, count in gauges(await engine.metrics(), "anpai_answers"):
            if labels["outcome"] == "ACCEPTED":
                accepted[labels["game"]] += int(count)
    return accepted


def assert_nothing_is_lost(anna: Told, ben: Told) -> None:
    """The game has every accepted answer once, and both languages can check it."""
    assert anna.file.read_bytes() == ben.file.read_bytes()
    assert verify(anna.file.read_text(), commitment=anna.commitment).problem == ""
    accepted = anna.accepted + ben.accepted
    kept = answers_in(anna.file)
    assert len(accepted) > 10
    assert all(kept.count(answer) == 1 for answer in accepted)
    assert checked(anna.file, anna.commitment).startswith("Agrees: ")
    assert checked(anna.file, "0" * 64).startswith("Does not agree")


def answers_in(file: Path) -> list[str]:
    journal = disclosure.read(file.read_bytes()).journal
    return [disclosure.entry_in(journal, at).answer_id for at in range(len(journal))]


def checked(file: Path, commitment: str) -> str:
    """What the check in JavaScript says of it."""
    done = subprocess.run(
        ["node", CHECK, file, commitment], capture_output=True, text=True, timeout=60
    )
    return done.stdout + done.stderr


def test_its_lock_file_names_the_public_registry_or_none():
    lock = json.loads((EXAMPLE / "package-lock.json").read_text())

    for name, package in lock["packages"].items():
        resolved = package.get("resolved", "https://registry.npmjs.org/")
        assert resolved.startswith("https://registry.npmjs.org/"), name
        assert "integrity" in package or name == ""
