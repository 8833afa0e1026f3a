"""The seats a host has taken on, kept so that it plays them on after a restart.

Once a host has confirmed a seat it is called for again only after nobody has been there
for a minute. The file holds the bots' tokens, hence mode 0600.
"""

import base64
import json
import os
from pathlib import Path

from google.protobuf.message import DecodeError

from anpai import BotCall


class Notebook:
    """Without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._calls: dict[str, str] = {}

    def read(self) -> list[BotCall]:
        """The seats that were being played; none where nothing was kept. ValueError
        where it cannot be told which."""
        if self._path is None or not self._path.exists():
            return []
        try:
            kept = json.loads(self._path.read_text())
            calls = [call_in(told) for told in kept.values()]
        except (ValueError, AttributeError, TypeError, DecodeError):
            raise ValueError(f"{self._path} is damaged. Delete it.") from None
        self._calls = kept
        return calls

    def begin(self, call: BotCall) -> None:
        """This seat is played from now on."""
        told = base64.b64encode(call.SerializeToString()).decode()
        self._calls[call.call_id] = told
        self._write()

    def end(self, call: BotCall) -> None:
        """This one is not, any more."""
        self._calls.pop(call.call_id, None)
        self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "w") as file:
            json.dump(self._calls, file)
        draft.replace(self._path)


def call_in(told: str) -> BotCall:
    return BotCall.FromString(base64.b64decode(told, validate=True))
