"""Whether client and server are of releases that were made for each other.

The contract only grows within a major release (before 1.0: within a minor one), so that
any two of one line understand each other. Others may, and their user is told.
"""

import re
import warnings
from importlib.metadata import version


class ServerDiffers(UserWarning):
    """The server is of another line of releases than this client."""


def own_version() -> str:
    """This SDK's."""
    return version("anpai")


def line_of(release: str) -> tuple[int, ...] | None:
    """What is the same while the contract only grows; None for what is no release."""
    numbers = re.match(r"(\d+)\.(\d+)(\.|$)", release)
    if numbers is None:
        return None
    major, minor = int(numbers[1]), int(numbers[2])
    return (major,) if major else (major, minor)


def compare(server: str) -> None:
    """Warn with ServerDiffers where they do not fit. A server of long ago says nothing
    of itself, and nothing is said of it."""
    ours, theirs = line_of(own_version()), line_of(server)
    if ours is None or theirs is None or ours == theirs:
        return
    advice = "update the client" if ours < theirs else "the server is older"
    warnings.warn(
        f"This client is anpai {own_version()}, the server {server}: {advice}. "
        "What one of them does not know may be missing.",
        ServerDiffers,
        stacklevel=3,
    )
