"""Ports for whoever must know his own before he listens there."""

import os
import random
import socket

HOST = "127.0.0.1"
FIRST, EACH, PARTS = 20_000, 1_500, 8
GIVEN: set[int] = set()


def free_port() -> int:
    """Below those that systems lend to whoever dials out: a process that is killed and
    comes back must find its own again. None is given twice, also not by another worker
    of this run while nobody listens there yet, and by another run hardly ever."""
    first = FIRST + (run() + worker()) % PARTS * EACH
    while True:
        port = random.randrange(first, first + EACH)
        with socket.socket() as probe:
            if port not in GIVEN and probe.connect_ex((HOST, port)) != 0:
                GIVEN.add(port)
                return port


def run() -> int:
    """Another number for each of those that go on at once, as a rule."""
    return int(os.environ.get("PYTEST_XDIST_TESTRUNUID", "0"), 16)


def worker() -> int:
    """Of those that share the tests, which number this is."""
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
