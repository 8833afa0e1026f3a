"""Who plays here: a guest's token, kept (mode 0600) to find a seat again."""

import getpass
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from anpai import House, NotSignedIn, connect
from clients.terminal.finding import Where
from clients.terminal.stack.folder import make_directory, write_private

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
        remember(where.home, Player(wanted, await token_of(house, wanted, kept)))
        yield house


async def token_of(house: House, name: str, kept: Player | None) -> str:
    """Renewed, so that whoever comes once a day stays who he is; or a new guest's."""
    if kept is not None:
        with suppress(NotSignedIn):
            return await house.renew()
    return await house.sign_in(name)


def own_name() -> str:
    """As whom this person plays who says no name."""
    return name_here()[:LONGEST_NAME].capitalize() or "Guest"


def name_here() -> str:
    """What the machine calls this person; "" where it has no name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


# ---- the files -----------------------------------------------------------------------


def remember(home: Path, player: Player) -> None:
    file = file_of(home, player.name)
    make_directory(file.parent)
    write_private(file, json.dumps(asdict(player)).encode())


def load(home: Path, name: str) -> Player | None:
    try:
        return Player(**json.loads(file_of(home, name).read_text()))
    except (OSError, ValueError, TypeError):
        return None


def file_of(home: Path, name: str) -> Path:
    """Any name makes a file name, each its own."""
    plain = re.sub(r"[^A-Za-z0-9-]", lambda one: f"_{ord(one[0]):x}_", name)
    return home / "players" / f"{plain}.json"
