"""The seats a host has taken on, kept so that it plays them on after a restart.

Nobody calls for a seat again once a host has confirmed it. The file holds the bots'
tokens, hence mode 0600.
"""

import base64
import json
import os
from pathlib import Path

from anpai import BotCall


class Notebook:
    """Without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._calls: dict[str, str] = {}

    def read(self) -> list[BotCall]:
        """The seats that were being played; none where nothing was kept."""
        if self._path is None or not self._path.exists():
            return []
        self._calls = json.loads(self._path.read_text())
        return [BotCall.FromString(base64.b64decode(c)) for c in self._calls.values()]

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
