"""Holding a game against what one client heard of it, as the SDK records it.

The file has JSON lines: first {"table", "viewer", "commitment"}, then {"revision",
"update"}, the update being a base64 `anpai.engine.v1.TableUpdate`: a view, or events.
"""

import base64
import json
from collections.abc import Iterable
from typing import Any

from google.protobuf.message import DecodeError

from anpai.engine.v1.engine_service_pb2 import TableUpdate
from anpai.engine.v1.event_pb2 import Event
from anpai.engine.v1.table_pb2 import View
from services.engine.kernel.play import Play
from services.engine.projection import Viewer, event_for, view_for
from services.local.findings import Finding


class Heard:
    """What one viewer heard; compare it with `watch` after each entry of a re-run.

    A view is taken between two entries, so it must equal the re-run's at one of the
    moments when the table had that revision; an event must equal the re-run's.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        head, *updates = [line for line in lines if line.strip()] or [""]
        self.table, self.viewer, self.commitment = _head(head)
        self.events: dict[int, list[Event]] = {}
        self.views: dict[int, list[View]] = {}
        self.count = 0
        self._is_undone = False
        for number, line in enumerate(updates, 2):
            self._hear(number, line)
        self._checked = 0

    def watch(self, play: Play) -> None:
        """Compare the events since the last entry, and the views of this moment."""
        for revision in range(self._checked + 1, play.revision + 1):
            self._compare(play, revision)
        self._checked = play.revision
        if play.revision in self.views:
            now = view_for(play, self.viewer)
            waiting = self.views[play.revision]
            self.views[play.revision] = [view for view in waiting if view != now]

    def finish(self) -> None:
        """All that was heard must have happened."""
        later = [one for one in self.events if one > self._checked]
        if later:
            told = f"Event {min(later)} was heard, but the game had ended."
            raise self._finding(told)
        odd = [revision for revision, views in self.views.items() if views]
        if odd:
            raise self._finding(f"The view heard at revision {min(odd)} was another.")

    def _hear(self, number: int, line: str) -> None:
        update = _update(number, line)
        self.count += len(update.events.events) or 1
        self._is_undone |= update.undone
        if update.HasField("view"):
            self.views.setdefault(update.view.revision, []).append(update.view)
        for event in update.events.events:
            self.events.setdefault(event.revision, []).append(event)

    def _compare(self, play: Play, revision: int) -> None:
        heard = self.events.get(revision, ())
        if not heard:
            return
        happened = play.table.events[revision - 1]
        made = event_for(happened, revision, self.viewer, play.game.name)
        if any(event != made for event in heard):
            raise self._finding(f"Event {revision} was heard otherwise at the table.")

    def _finding(self, sentence: str) -> Finding:
        """That it was told at the table explains it; that it is so remains."""
        why = " The table had told that it lost some of what was heard."
        return Finding(sentence + why * self._is_undone)


def _head(line: str) -> tuple[str, Viewer, str]:
    try:
        told = json.loads(line)
        table, viewer = told["table"], told["viewer"]
        if viewer is None or type(viewer) is int:
            return table, viewer, told["commitment"]
    except (ValueError, TypeError, LookupError):
        pass
    raise Finding("The record of what was heard does not say of which table.")


def _update(number: int, line: str) -> TableUpdate:
    try:
        told: Any = json.loads(line)
        update = TableUpdate.FromString(base64.b64decode(told["update"], validate=True))
    except (ValueError, TypeError, LookupError, DecodeError):
        raise Finding(f"Line {number} of what was heard cannot be read.") from None
    if not update.HasField("view") and not update.events.events:
        raise Finding(f"Line {number} of what was heard is neither view nor events.")
    return update
