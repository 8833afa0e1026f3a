"""Working on several messages of one stream at a time."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

Request = TypeVar("Request")

AT_ONCE = 64


async def overlapping(
    requests: AsyncIterator[Request],
    work: Callable[[Request], Awaitable[None]],
    at_once: int = AT_ONCE,
) -> None:
    """Start on each request as it comes, `at_once` of them at most under way.

    Ends when all are done, or with the first error; what is under way then is dropped,
    and has ended before the error is raised: two cannot speak on one stream at once.
    """
    running: set[asyncio.Task[None]] = set()
    try:
        async for request in requests:
            task = asyncio.ensure_future(work(request))
            task.add_done_callback(noticed)
            running.add(task)
            running = await some_done(running, leave=at_once - 1)
        await some_done(running, leave=0)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def some_done(
    running: "set[asyncio.Task[None]]", leave: int
) -> "set[asyncio.Task[None]]":
    """Wait until no more than `leave` are under way; the error of one is raised."""
    ended = {task for task in running if task.done()}
    running = running - ended
    while len(running) > leave:
        done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        ended |= done
    for task in ended:
        task.result()
    return running


def noticed(task: "asyncio.Task[None]") -> None:
    """A caller who has gone is told nothing, and nobody else need be either."""
    if not task.cancelled():
        task.exception()
