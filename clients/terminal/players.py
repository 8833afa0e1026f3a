"""Who plays here: a guest's token, kept (mode 0600) to find a seat again."""

import getpass
import json
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from anpai import House, NotSignedIn, connect
from clients.terminal.finding import Where

LONGEST_NAME = 32
# A stack that is started again, or a worker's table that moves, is waited for.
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Player:
    """A name and what proves it."""

    name: str
    token: str


@asynccontextmanager
async def house_of(where: Where, name: str | None = None) -> AsyncIterator[House]:
    """The house, entered as the player kept under this name, or as a new guest."""
    wanted = name or own_name()
    kept = load(where.home, wanted)
    token = kept.token if kept else None
    async with connect(where.server, token=token, patience=PATIENCE) as house:
        if kept is None or not await is_welcome(house):
            kept = Player(wanted, await house.sign_in(wanted))
        remember(where.home, kept)
        yield house


async def is_welcome(house: House) -> bool:
    """Whether the token still holds."""
    try:
        await house.my_seats()
    except NotSignedIn:
        return False
    return True


def own_name() -> str:
    """What the machine calls this person."""
    try:
        return getpass.getuser()[:LONGEST_NAME].capitalize()
    except (OSError, KeyError):
        return "Guest"


# ---- the files -----------------------------------------------------------------------


def remember(home: Path, player: Player) -> None:
    file = file_of(home, player.name)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(file, json.dumps(asdict(player)))


def load(home: Path, name: str) -> Player | None:
    try:
        return Player(**json.loads(file_of(home, name).read_text()))
    except (OSError, ValueError, TypeError):
        return None


def file_of(home: Path, name: str) -> Path:
    """Any name makes a file name, each its own."""
    plain = re.sub(r"[^A-Za-z0-9-]", lambda one: f"_{ord(one[0]):x}_", name)
    return home / "players" / f"{plain}.json"


def write_private(path: Path, text: str) -> None:
    """Mode 0600 from its first byte on."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(opened, "w") as file:
        file.write(text)
    draft.replace(path)
