"""A script, a call of it, and what became of that."""

import asyncio
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from redis.exceptions import (
    ClusterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)

from services.chassis.errors import AnpaiError

Argument = str | bytes | int
Command = tuple[Argument, ...]

# A store that cannot serve now has run nothing. Redis 6.2 wraps what befalls a script.
UNFIT_CLASSES = (ReadOnlyError, ClusterDownError, TryAgainError, OutOfMemoryError)
UNFIT = re.compile(r"(^|-)(READONLY|NOREPLICAS|MISCONF|BUSY|OOM) ")


class StoreUnavailable(AnpaiError):
    """The store did not confirm: the write may or may not have happened."""

    def __init__(self) -> None:
        super().__init__(
            "PART_UNAVAILABLE",
            "The store does not answer; try again.",
            retry_after=0.5,
            part="store",
        )


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script; all its keys share one hash tag."""

    name: str
    source: str
    sha: str = field(init=False)

    def __post_init__(self) -> None:
        digest = hashlib.sha1(self.source.encode()).hexdigest()
        object.__setattr__(self, "sha", digest)


@dataclass(slots=True)
class Call:
    """`sent` counts: what was surely not executed may be sent again, not for ever.

    `asking`: to a node that is just being given the keys.
    """

    script: Script
    keys: Sequence[str | bytes]
    args: Sequence[Argument]
    reply: "asyncio.Future[Any]"
    sent: int = 0
    asking: bool = False

    def command(self, is_loaded: bool) -> Command:
        """The source the first time (which loads it), its hash from then on."""
        name, body = ("EVALSHA", self.script.sha), ("EVAL", self.script.source)
        return *(name if is_loaded else body), len(self.keys), *self.keys, *self.args

    def settle(self, reply: Any) -> None:
        if self.reply.done():
            return
        if isinstance(reply, Exception):
            self.reply.set_exception(reply)
            self.reply.exception()  # whoever asked may be gone: that is no stray error
        else:
            self.reply.set_result(reply)

    def give_up(self) -> None:
        self.settle(StoreUnavailable())


def is_unfit(reply: Any) -> bool:
    """Whether a store refused to serve at all, whatever it was asked."""
    return isinstance(reply, UNFIT_CLASSES) or (
        isinstance(reply, ResponseError) and UNFIT.search(str(reply)) is not None
    )
