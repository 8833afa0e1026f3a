"""What a client itself heard, kept as JSON lines, to hold against the disclosure later.

The first line is {"table", "viewer", "commitment"}; then one line for each message
received: {"revision", "update"}, the update being a base64 `TableUpdate` with a view or
with events, and the revision the one after it.
"""

import base64
import json
import os
from pathlib import Path
from typing import Any

from anpai.engine.v1.engine_service_pb2 import TableUpdate
from anpai.engine.v1.table_pb2 import View


class Record:
    """Appends to a file; one that exists must be of the same table and viewer."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._file = self._path.open("a+", encoding="utf-8")
        self._begun = False

    def hear(self, update: TableUpdate) -> None:
        """Write an update down before anybody acts on it; heartbeats tell nothing."""
        if update.HasField("view"):
            self._begin(update.view)
            revision = update.view.revision
        elif update.HasField("events"):
            revision = update.events.events[-1].revision
        else:
            return
        told = base64.b64encode(update.SerializeToString()).decode()
        self._write({"revision": revision, "update": told})

    def close(self) -> None:
        """Nothing is heard any more."""
        self._file.close()

    def _begin(self, view: View) -> None:
        """Raises FileExistsError for a file that is the record of something else."""
        if self._begun:
            return
        self._begun = True
        viewer = view.viewer if view.HasField("viewer") else None
        head = {
            "table": view.table_id,
            "viewer": viewer,
            "commitment": view.commitment,
        }
        self._file.seek(0)
        first = self._file.readline()
        if not f"{json.dumps(head)}\n".startswith(first):
            raise FileExistsError(f"{self._path} is the record of something else")
        self._cut_off_what_was_not_ended()
        if not first.endswith("\n"):
            self._write(head)

    def _cut_off_what_was_not_ended(self) -> None:
        """The last line of whoever was killed while he wrote it."""
        told = self._path.read_bytes()
        os.truncate(self._path, told.rfind(b"\n") + 1)

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
