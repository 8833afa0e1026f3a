"""Calls of scripts, in groups: what is called in one turn of the loop travels together.

Every write is a version-checked script. redis-py would repeat a write whose reply is
lost, up to ten times: here nothing is ever repeated that may have been done. The caller
is told "unknown" (`StoreUnavailable`) and asks again by its request id.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import structlog
from redis.exceptions import AskError, MovedError, NoScriptError, RedisError

from services.chassis.stores.calls import (
    Argument,
    Call,
    Command,
    Script,
    StoreUnavailable,
    is_unfit,
)
from services.chassis.stores.line import Line
from services.chassis.stores.primaries import Primaries
from services.chassis.telemetry import Metrics, noted_incident, timed
from services.chassis.traces import traces

log = structlog.get_logger()

WAIT_MS = 1000
SENDINGS = 5


class Pipeline:
    """A lane to each primary. With replicas a batch ends with WAIT: none of it succeeds
    before enough have confirmed."""

    def __init__(self, primaries: Primaries, metrics: Metrics, replicas: int = 0):
        self._primaries = primaries
        self._metrics = metrics
        self._replicas = replicas
        self._lanes: dict[str, Lane] = {}

    def call(
        self,
        script: Script,
        keys: Sequence[str | bytes] = (),
        args: Sequence[Argument] = (),
    ) -> "asyncio.Future[Any]":
        """The script's reply, its ResponseError, or StoreUnavailable.

        Cancelling the wait does not take the call back.
        """
        reply = asyncio.get_running_loop().create_future()
        traces().follow_write(script.name, reply)
        self.send(Call(script, keys, args, reply))
        return reply

    def call_everywhere(self, script: Script) -> "list[asyncio.Future[Any]]":
        """A script without keys, at each primary."""
        replies = []
        for primary in self._primaries.names():
            reply = asyncio.get_running_loop().create_future()
            self.send(Call(script, (), (), reply), primary)
            replies.append(reply)
        return replies

    def send(self, call: Call, primary: str | None = None) -> None:
        """To whoever has its keys, unless we were told to whom."""
        if primary is None:
            primary = self._primaries.of(call.keys)
        lane = self._lanes.get(primary)
        if lane is None:
            line = self._primaries.line_to(primary)
            lane = Lane(line, self._primaries, self._metrics, self._replicas, self.send)
            self._lanes[primary] = lane
        lane.put(call)

    async def close(self) -> None:
        """What was called is still sent."""
        while sending := [
            lane.sending for lane in self._lanes.values() if lane.sending
        ]:
            await asyncio.wait(sending)
        for lane in self._lanes.values():
            await lane.line.cut()


class Lane:
    """What goes to one primary: a batch is under way, what comes meanwhile makes the
    next. `send` takes what is to go elsewhere."""

    def __init__(
        self,
        line: Line,
        primaries: Primaries,
        metrics: Metrics,
        replicas: int,
        send: Callable[..., None],
    ):
        self.line = line
        self.sending: asyncio.Task[None] | None = None
        self._primaries = primaries
        self._metrics = metrics
        self._replicas = replicas
        self._send = send
        self._waiting: list[Call] = []
        self._loaded: set[str] = set()
        self._confirms = True
        self._is_lost = False

    def put(self, call: Call) -> None:
        self._waiting.append(call)
        if self.sending is None:
            self.sending = asyncio.create_task(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                await self._send_batch(batch)
        finally:
            self.sending = None

    async def _send_batch(self, batch: list[Call]) -> None:
        self._metrics.store_batch.observe(len(batch))
        try:
            with timed(self._metrics.store_seconds):
                replies = await self._exchange(batch)
        except (RedisError, OSError) as error:
            await self._lose(batch, error)
        except Exception as error:  # a call that cannot even be sent
            noted_incident(self._metrics, error, part="store")
            give_up(batch)
        except BaseException:
            give_up(batch)
            raise
        else:
            self._is_lost = False
            await self._deliver(batch, replies)

    async def _exchange(self, batch: list[Call]) -> list[Any]:
        commands = [command for call in batch for command in self._commands(call)]
        if self._replicas:
            commands.append(("WAIT", self._replicas, WAIT_MS))
        replies = await self.line.exchange(commands)
        if self._replicas and not self._is_reached(replies.pop()):
            replies = [unless_refused(reply) for reply in replies]
        given = iter(replies)
        return [reply_to(call, given) for call in batch]

    def _is_reached(self, confirmed: Any) -> bool:
        """Whether enough replicas have it; that they have not is told once."""
        reached = isinstance(confirmed, int) and confirmed >= self._replicas
        if not reached:
            self._metrics.store_unconfirmed.inc()
            if self._confirms:
                log.warning("too few replicas confirm", reply=str(confirmed))
        self._confirms = reached
        return reached

    def _commands(self, call: Call) -> list[Command]:
        call.sent += 1
        command = call.command(call.script.sha in self._loaded)
        self._loaded.add(call.script.sha)
        return [("ASKING",), command] if call.asking else [command]

    async def _deliver(self, batch: list[Call], replies: list[Any]) -> None:
        unfit = [reply for reply in replies if is_unfit(reply)]
        for call, reply in zip(batch, replies, strict=True):
            if isinstance(reply, (NoScriptError, AskError)) and call.sent < SENDINGS:
                self._send_again(call, reply)
            elif is_unfit(reply) or isinstance(reply, AskError):
                call.give_up()
            else:
                call.settle(reply)
        if unfit:
            log.warning("store unfit", error=type(unfit[0]).__name__, calls=len(unfit))
            await self.line.cut()
            await self._leave()

    def _send_again(self, call: Call, reply: NoScriptError | AskError) -> None:
        """It was not executed: the script was forgotten, or the keys are elsewhere."""
        call.asking = False
        if isinstance(reply, NoScriptError):
            self._loaded.discard(call.script.sha)
            self._send(call)
        elif isinstance(reply, MovedError):
            self._primaries.moved(reply)
            self._send(call)
        else:
            call.asking = True
            self._send(call, f"{reply.host}:{reply.port}")

    async def _lose(self, batch: list[Call], error: Exception) -> None:
        """That the store is lost is told once."""
        self._metrics.store_lost.inc()
        if not self._is_lost:
            log.warning("store lost", error=type(error).__name__, calls=len(batch))
        self._is_lost = True
        give_up(batch)
        await self._leave()

    async def _leave(self) -> None:
        """There may be another primary; what was not sent goes to that."""
        await self._primaries.learn()
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            self._send(call)


def give_up(calls: Sequence[Call]) -> None:
    for call in calls:
        call.give_up()


def unless_refused(reply: Any) -> Any:
    """Unconfirmed: what a script wrote may be lost; what was refused stays refused."""
    return reply if isinstance(reply, RedisError) else StoreUnavailable()


def reply_to(call: Call, given: Any) -> Any:
    """ASKING has a reply of its own, that tells nothing."""
    if call.asking:
        next(given)
    return next(given)
