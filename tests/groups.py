"""Real groups of stores: a cluster of three pairs, and a primary that Sentinels watch.

Each node is a process of the very server the tests run on, with a user for each service
as `anpai up` gives them one.
"""

import shutil
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.retry import Retry

from clients.terminal.stack.store import MAY
from tests.certificates import Authority
from tests.ports import HOST, free_port

SERVICES = ("matchmaking", "engine", "vault")
WORD = "sesame"
SLOTS = 16384
PATIENCE = 30.0
NODE_TIMEOUT_MS = 2000
DOWN_AFTER_MS = 1000

# A user for each service, as `anpai up` has them.
NODE = (
    f"bind {HOST}",
    'save ""',
    "appendonly yes",
    "appendfsync always",
    "repl-diskless-sync yes",
    "repl-diskless-sync-delay 0",
    f"requirepass {WORD}",
    f"masterauth {WORD}",
    *(
        f"user {name} on >{name}-word resetchannels ~{name}:* &{name}:* {MAY}"
        for name in SERVICES
    ),
)

CLUSTERED = (
    "cluster-enabled yes",
    f"cluster-node-timeout {NODE_TIMEOUT_MS}",
    "cluster-require-full-coverage no",
    "cluster-replica-validity-factor 0",
)


class Node:
    """One server of a group: killed, frozen, started again at its own port."""

    def __init__(
        self, command: str, folder: Path, *options: str, tls: Authority | None = None
    ) -> None:
        self.port = free_port()
        self.folder = folder
        self._command = command
        self._trust = {"ssl": True, "ssl_ca_certs": str(tls.file)} if tls else {}
        folder.mkdir()
        listens = listening(self.port, folder.name, tls)
        self.set_down("node.conf", f"dir {folder}", *listens, *options)

    def set_down(self, name: str, *lines: str) -> None:
        """At the end of a file in its folder."""
        with (self.folder / name).open("a") as file:
            file.writelines(f"{line}\n" for line in lines)

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    def start(self, *more: str) -> None:
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [self._command, f"{self.folder}/node.conf", *more], stdout=log, stderr=log
        )

    @property
    def lives(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def freeze(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def client(self, word: str | None = WORD) -> "redis.Redis":
        """As its operator; a node that does not answer is asked once."""
        once = Retry(NoBackoff(), 0)
        told: Any = {"port": self.port, "password": word, **self._trust}
        return redis.Redis(host=HOST, socket_timeout=5, retry=once, **told)

    def run(self, *command: Any) -> Any:
        with self.client() as client:
            return client.execute_command(*command)

    def name(self) -> str:
        """In its cluster."""
        return str(self.run("CLUSTER MYID").decode())

    def told(self, section: str) -> dict[str, Any]:
        """INFO, as far as this node answers."""
        try:
            with self.client() as client:
                return dict(client.info(section))
        except redis.RedisError:
            return {}


def listening(port: int, name: str, tls: Authority | None) -> list[str]:
    """By TLS alone, where there is an authority; among themselves as well."""
    if tls is None:
        return [f"port {port}"]
    own = tls.sign(name)
    return [
        *("port 0", f"tls-port {port}", "tls-auth-clients no"),
        *("tls-replication yes", "tls-cluster yes"),
        *(f"tls-cert-file {own.cert}", f"tls-key-file {own.key}"),
        f"tls-ca-cert-file {tls.file}",
    ]


class Group(ABC):
    """What an evening needs to know of its store."""

    kind: str
    path = ""

    def __init__(
        self, nodes: Sequence[Node], named: Sequence[Node], tls: Authority | None = None
    ) -> None:
        self.nodes = nodes
        self.scheme = f"rediss+{self.kind}" if tls else f"redis+{self.kind}"
        self._named = named
        self._more = f"?ssl_ca_certs={tls.file}" if tls else ""

    @property
    def url(self) -> str:
        """The operator's way in."""
        return self._url("default", WORD)

    def url_of(self, service: str) -> str:
        return self._url(service, f"{service}-word")

    def _url(self, user: str, word: str) -> str:
        hosts = ",".join(node.address for node in self._named)
        return f"{self.scheme}://{user}:{word}@{hosts}{self.path}{self._more}"

    def primaries(self) -> list[Node]:
        """Those that lead now, of those that answer."""
        return [
            one for one in self.nodes if one.told("replication").get("role") == "master"
        ]

    @property
    def urls(self) -> list[str]:
        """One for each part of what it holds."""
        led = self.primaries()
        return [f"redis://default:{WORD}@{node.address}" for node in led]

    @abstractmethod
    def primary_of(self, key: str) -> Node:
        """Whoever leads now where this key lies."""

    def wait_for_another(self, former: Node, key: str) -> None:
        """Until somebody else leads where the former primary did."""
        until(lambda: self.primary_of(key) is not former, "a replica has taken over")

    def replicas_of(self, primary: Node) -> list[Node]:
        return [
            node
            for node in self.nodes
            if node.told("replication").get("master_port") == primary.port
        ]


class ClusterGroup(Group):
    kind = "cluster"

    def primary_of(self, key: str) -> Node:
        told = self.primaries()[0].run("CLUSTER SLOTS")
        slot = key_slot(key.encode())
        (port,) = {one[2][1] for one in told if one[0] <= slot <= one[1]}
        return next(node for node in self.nodes if node.port == port)

    def forget_all(self) -> None:
        for node in self.primaries():
            with node.client() as client:
                client.flushall()

    @contextmanager
    def moving(self, key: str) -> Iterator[Callable[[str], None]]:
        """The key's slot is being given to another primary, and is in the end; one
        says which of its keys go when."""
        slot, source = key_slot(key.encode()), self.primary_of(key)
        target = next(node for node in self.primaries() if node is not source)
        ends = (source, "MIGRATING", target), (target, "IMPORTING", source)
        for node, way, other in reversed(ends):
            node.run("CLUSTER SETSLOT", slot, way, other.name())

        def move(one: str) -> None:
            password = ("AUTH2", "default", WORD)
            where = HOST, target.port
            source.run("MIGRATE", *where, one, 0, 5000, *password)

        yield move
        for node in (target, source):
            node.run("CLUSTER SETSLOT", slot, "NODE", target.name())


class WatchedGroup(Group):
    kind = "sentinel"
    path = "/anpai/0"

    def primaries(self) -> list[Node]:
        """An old one that comes back takes itself for one till it is told otherwise."""
        with self._named[0].client(None) as client:
            _, port = client.sentinel_get_master_addr_by_name("anpai")
        return [node for node in self.nodes if node.port == port]

    def primary_of(self, key: str) -> Node:
        (primary,) = self.primaries()
        return primary


def until(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, f"not within {PATIENCE:.0f} s: {what}"
        time.sleep(0.05)


# ---- a cluster -----------------------------------------------------------------------


@contextmanager
def a_cluster(
    command: str, folder: Path, tls: Authority | None = None
) -> Iterator[ClusterGroup]:
    """Three primaries with a third of the slots each, and a replica for each."""
    nodes = [
        Node(command, folder / f"node-{number}", *NODE, tls=tls) for number in range(6)
    ]
    roll = [member(number, node) for number, node in enumerate(nodes)]
    for number, node in enumerate(nodes):
        bus = roll[number].split("@")[1].split()[0]
        node.set_down("node.conf", f"cluster-port {bus}", *CLUSTERED)
        mine = roll[number].replace(" master", " myself,master")
        mine = mine.replace(" slave", " myself,slave")
        all_of_them = [*roll[:number], mine, *roll[number + 1 :]]
        node.set_down("nodes.conf", *all_of_them, "vars currentEpoch 3 lastVoteEpoch 0")
    with running(nodes):
        until(lambda: all(map(follows, nodes[3:])), "all replicas follow")
        until(lambda: all(map(is_whole, nodes)), "the cluster serves")
        yield ClusterGroup(nodes, nodes, tls)


def member(number: int, node: Node) -> str:
    """A node's line in `nodes.conf`: written beforehand, they need not meet first."""
    shard = number % 3
    first, last = shard * SLOTS // 3, (shard + 1) * SLOTS // 3 - 1
    role = f"slave {shard:040x}" if number >= 3 else "master -"
    slots = f" {first}-{last}" if number < 3 else ""
    place = f"{node.address}@{free_port()}"
    return f"{number:040x} {place} {role} 0 0 {shard + 1} connected{slots}"


def follows(node: Node) -> bool:
    return node.told("replication").get("master_link_status") == "up"


def is_whole(node: Node) -> bool:
    return bool(dict(node.run("CLUSTER INFO"))["cluster_state"] == "ok")


# ---- watched -------------------------------------------------------------------------


@contextmanager
def a_watched_group(
    command: str, folder: Path, tls: Authority | None = None
) -> Iterator[WatchedGroup]:
    """A primary, two replicas and three Sentinels."""
    nodes = [
        Node(command, folder / f"node-{number}", *NODE, tls=tls) for number in range(3)
    ]
    sentinels = [
        Node(command, folder / f"sentinel-{number}", tls=tls) for number in range(3)
    ]
    primary, *replicas = nodes
    for node in replicas:
        node.set_down("node.conf", f"replicaof {HOST} {primary.port}")
    for number, sentinel in enumerate(sentinels):
        sentinel.set_down("node.conf", *watch(number, sentinels, primary, replicas))
    with running(nodes), running(sentinels, "--sentinel"):
        until(lambda: all(map(follows, replicas)), "both replicas follow")
        until(lambda: all(map(sees_all, sentinels)), "the Sentinels see all")
        yield WatchedGroup(nodes, sentinels, tls)


def watch(
    number: int, sentinels: Sequence[Node], primary: Node, replicas: Sequence[Node]
) -> list[str]:
    """What a Sentinel would find out in a while is written beforehand."""
    others = [at for at in range(len(sentinels)) if at != number]
    return [
        f"bind {HOST}",
        f"sentinel myid {number:040x}",
        f"sentinel monitor anpai {HOST} {primary.port} 2",
        f"sentinel auth-pass anpai {WORD}",
        f"sentinel down-after-milliseconds anpai {DOWN_AFTER_MS}",
        "sentinel failover-timeout anpai 5000",
        *(f"sentinel known-replica anpai {HOST} {one.port}" for one in replicas),
        *(
            f"sentinel known-sentinel anpai {HOST} {sentinels[at].port} {at:040x}"
            for at in others
        ),
    ]


def sees_all(sentinel: Node) -> bool:
    with sentinel.client(None) as client:
        (primary,) = client.sentinel_masters().values()
    return (primary["num-other-sentinels"], primary["num-slaves"]) == (2, 2)


@contextmanager
def running(nodes: Sequence[Node], *more: str) -> Iterator[None]:
    try:
        for node in nodes:
            node.start(*more)
        until(lambda: all(map(answers, nodes)), "all nodes answer")
        yield
    finally:
        for node in nodes:
            node.kill()
            shutil.rmtree(node.folder, ignore_errors=True)


def answers(node: Node) -> bool:
    assert node.lives, (node.folder / "log").read_text()[-2000:]
    try:
        with node.client(None) as client:
            return bool(client.ping())
    except redis.AuthenticationError:
        return True
    except redis.RedisError:
        return False
