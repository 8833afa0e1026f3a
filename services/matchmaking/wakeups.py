"""Wake-ups: something has changed, read it again.

Nothing is lost with one that is lost: whoever waits reads again after a while anyhow.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from services.chassis.errors import AnpaiError
from services.chassis.stores import Store
from services.matchmaking import keys

QUEUE = "queue"
CALLS = "calls"

POLL_SECONDS = 5.0


class Bell:
    """Rings when its subject has changed since the last `wait`."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, at_most_ms: int) -> None:
        # Not wait_for: before Python 3.12 it may swallow a cancellation.
        with suppress(TimeoutError):
            async with asyncio.timeout(at_most_ms / 1000):
                await self._rung.wait()
        self._rung.clear()


class Wakeups:
    """One subscription for the process, a bell for each that waits."""

    def __init__(self, store: Store):
        self._store = store
        self._bells: defaultdict[str, set[Bell]] = defaultdict(set)
        self._is_closing = False

    @contextmanager
    def bell(self, subject: str) -> Iterator[Bell]:
        """What `keys.CHANNEL` may name."""
        bell = Bell()
        self._bells[subject].add(bell)
        try:
            yield bell
        finally:
            self._bells[subject].discard(bell)
            if not self._bells[subject]:
                del self._bells[subject]

    def ring(self, subject: str) -> None:
        for bell in self._bells.get(subject, ()):
            bell.ring()

    def close(self) -> None:
        """Wake everybody up, to leave."""
        self._is_closing = True
        for subject in self._bells:
            self.ring(subject)

    def refuse_if_closing(self) -> None:
        if self._is_closing:
            raise AnpaiError(
                "PART_UNAVAILABLE",
                "This server is stopping; ask again.",
                retry_after=0.5,
                part="matchmaking",
            )

    async def listen(self) -> None:
        """For ever."""
        async with self._store.heard(keys.CHANNEL) as heard:
            while True:
                message = await heard.get_message(
                    ignore_subscribe_messages=True, timeout=POLL_SECONDS
                )
                if message is not None:
                    self.ring(message["data"].decode())
