"""Where the services are: named with `--server`, or told by the stack of `--dir`."""

import os
import re
import shlex
import socket
from dataclasses import dataclass
from pathlib import Path

from anpai.tls import address_in
from clients.terminal.say import Trouble
from clients.terminal.stack.folder import DEFAULT, Folder, read_stack
from clients.terminal.words import Words

KNOCK_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Where:
    """An address, the directory for what is ours there, and how the user named it."""

    server: str
    home: Path
    option: str

    def option_as(self, name: str | None) -> str:
        """What a further command needs of the player of this name."""
        return self.option + (f" --name {shlex.quote(name)}" if name else "")


def find(server: str | None, directory: Path, words: Words) -> Where:
    """Trouble where nothing answers."""
    if server is None:
        return of_stack(Folder(directory), words)
    knock(server, words)
    name = server.replace(":", "_").replace("/", "_")
    return Where(
        server, config_home() / "anpai" / name, f" --server {shlex.quote(server)}"
    )


def of_stack(folder: Folder, words: Words) -> Where:
    told = read_stack(folder)
    option = option_for(folder.root)
    if told is None:
        raise Trouble(words("no_stack", folder=folder.root, option=option))
    return Where(str(told["matchmaking"]), folder.root, option)


def option_for(directory: Path) -> str:
    """What a further command needs to find the same stack."""
    return "" if directory == DEFAULT else f" --dir {shlex.quote(str(directory))}"


def config_home() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def is_file(what: str, words: Words) -> bool:
    """Whether it names a file and not a table; Trouble for one that is not there."""
    if Path(what).is_file():
        return True
    if re.fullmatch(r"[\w-]+", what, re.ASCII):
        return False
    raise Trouble(words("no_file", file=what))


def knock(server: str, words: Words) -> None:
    """Whether anybody answers there, before a call is tried for long."""
    host, colon, port = address_in(server).rpartition(":")
    if not (host and colon and port.isdecimal()):
        raise Trouble(words("server.bad", server=server))
    try:
        socket.create_connection((host.strip("[]"), int(port)), KNOCK_SECONDS).close()
    except OSError as error:
        reason = error.strerror or str(error)
        told = words("server.silent", server=server, reason=reason)
        raise Trouble(told) from None
