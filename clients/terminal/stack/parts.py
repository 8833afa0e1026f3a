"""What each part of a stack is told: its command, its environment, its ports."""

import json
import os
import random
import socket
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import getproxies

from clients.terminal.stack.child import Part
from clients.terminal.stack.folder import Folder, StackTrouble
from clients.terminal.stack.secrets import master_key_file
from clients.terminal.stack.store import answers, prepare_store, url_for

HOST = "127.0.0.1"
# Below those that systems lend to whoever dials out: what was chosen is still free when
# its part is ready to listen, and when it is started again.
CHOICE = range(10_000, 20_000)
# As in the images: memory that tables leave goes back to the system, and huge pages
# spare the processor looking addresses up. Who sets them otherwise knows why.
ALLOCATOR = {
    "PYTHONMALLOC": "malloc",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}


@dataclass(frozen=True, slots=True)
class Ports:
    """Which address each service gets: those of the last time where they are free, so
    that a client that waits finds its table again."""

    players: int
    vault: int
    engines: tuple[int, ...]


def choose_ports(folder: Folder, players: int, workers: int) -> Ports:
    """StackTrouble if the players' port is taken."""
    if not is_free(players):
        raise StackTrouble("stack.port_taken", port=players)
    last = iter(last_ports(folder))
    chosen = [players]
    for _ in range(workers + 1):
        chosen.append(free_port(next(last, 0), besides=chosen))
    ports_file(folder).write_text(json.dumps(chosen[1:]))
    return Ports(players, chosen[1], tuple(chosen[2:]))


def last_ports(folder: Folder) -> list[int]:
    try:
        return [int(port) for port in json.loads(ports_file(folder).read_text())]
    except (OSError, ValueError, TypeError):
        return []


def ports_file(folder: Folder) -> Path:
    return folder.root / "ports.json"


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def free_port(wanted: int = 0, besides: Collection[int] = ()) -> int:
    """This one if it can be had, or any; but none of those given already."""
    if wanted and wanted not in besides and is_free(wanted):
        return wanted
    while True:
        port = random.choice(CHOICE)
        if port not in besides and is_free(port):
            return port


def store_part(folder: Folder) -> Part:
    return Part(
        "store",
        prepare_store(folder),
        folder.logs / "store.log",
        is_ready=lambda: answers(folder),
    )


def vault_part(folder: Folder, ports: Ports) -> Part:
    told = {"ANPAI_MASTER_KEY_FILE": str(master_key_file(folder))}
    if folder.exports is not None:
        told["ANPAI_EXPORTS"] = str(folder.exports.resolve())
    return service_part(folder, "vault", "vault", ports.vault, told)


def engine_parts(folder: Folder, ports: Ports) -> Iterator[Part]:
    for number, port in enumerate(ports.engines, 1):
        name = f"engine-{number}"
        told = {"ANPAI_VAULT": f"{HOST}:{ports.vault}", "ANPAI_WORKER": name}
        yield service_part(folder, name, "engine", port, told)


def matchmaking_part(folder: Folder, ports: Ports) -> Part:
    told = {
        "ANPAI_ENGINES": ",".join(f"{HOST}:{port}" for port in ports.engines),
        "ANPAI_AUDIT": f"{HOST}:{ports.vault}",
    }
    return service_part(folder, "matchmaking", "matchmaking", ports.players, told)


def allocator() -> dict[str, str]:
    """How services get memory: as the environment says, or else as in the images."""
    if sys.platform != "linux":
        return {}
    return {name: os.environ.get(name, usual) for name, usual in ALLOCATOR.items()}


def service_part(
    folder: Folder, name: str, service: str, port: int, told: dict[str, str]
) -> Part:
    """Addresses it needs are in `told`; where it serves it writes itself."""
    address_file = folder.addresses.resolve() / f"{name}.json"
    common = allocator() | {
        "ANPAI_LISTEN": f"{HOST}:{port}",
        "ANPAI_METRICS_LISTEN": f"{HOST}:0",
        "ANPAI_ADDRESS_FILE": str(address_file),
        "ANPAI_KEYS": str(folder.keys.resolve()),
        "ANPAI_REDIS_URL": url_for(folder, service),
        # Everybody here is on this machine, and so one address.
        "ANPAI_ADDRESS_RATE": "0",
        "ANPAI_REFLECTION": "on",
        "no_grpc_proxy": ",".join([HOST, *proxy_exceptions()]),
    }
    return Part(
        name,
        (sys.executable, "-m", f"services.{service}"),
        folder.logs / f"{name}.log",
        common | told,
        address_file,
    )


def proxy_exceptions() -> list[str]:
    """What gRPC would call without the proxy anyway, by the user's own wish."""
    own = os.environ.get("no_grpc_proxy")  # noqa: SIM112 gRPC's spelling
    told = own or getproxies().get("no", "")
    return told.split(",") if told else []


def bots_part(folder: Folder, ports: Ports) -> Part:
    address_file = folder.addresses.resolve() / "bots.json"
    told = {
        "ANPAI_SERVER": f"{HOST}:{ports.players}",
        "ANPAI_KEYS": str(folder.keys.resolve()),
        "ANPAI_METRICS_LISTEN": f"{HOST}:0",
        "ANPAI_ADDRESS_FILE": str(address_file),
        "ANPAI_SEATS_FILE": str(folder.bots_seats.resolve()),
    }
    command = (sys.executable, "-m", "clients.bots.host")
    return Part("bots", command, folder.logs / "bots.log", told, address_file)
