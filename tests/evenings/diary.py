"""What guests were told, written down at once: it outlives the process they are in.

A line for each thing, so that after a SIGKILL all but a torn last one can be read.
"""

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anpai import Assignment


@dataclass
class Guest:
    """One guest's page. `told` has the revision of each answer that was accepted;
    whoever is `gone` has left without a word and may come back."""

    name: str
    token: str = ""
    ticket: str = ""
    seat: Assignment | None = None
    looks_on: bool = False
    told: dict[str, int] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    outcome: bool = False
    over: bool = False
    gone: bool = False
    lives: int = 1


class Diary:
    """`about` is every guest's page, by name; `troubles` are what must not happen.

    Whoever `forgets` the pages of guests who are at home again can write for ever.
    """

    def __init__(self, path: Path, *, forgets: bool = False) -> None:
        mend(path)
        self.path = path
        self.guests = 0
        self._forgets = forgets
        self.about: dict[str, Guest] = {}
        self.troubles: list[str] = []
        for line in lines_of(path):
            self._take(**line)
        self._file = path.open("a", encoding="utf-8")

    def note(self, guest: str, **what: Any) -> None:
        """Of this guest this is so from now on."""
        self._take(guest, **what)
        self._file.write(json.dumps({"guest": guest, **what}) + "\n")
        self._file.flush()

    def record_of(self, guest: str) -> Path:
        """Where all that this guest hears is kept."""
        return self.path.with_name(f"{self.path.stem}-{guest}.heard")

    def _take(self, guest: str, **line: Any) -> None:
        page = self._page_of(guest)
        match line:
            case {"trouble": trouble}:
                self.troubles.append(f"{guest}: {trouble}")
            case {"seat": seat}:
                page.seat = Assignment.FromString(base64.b64decode(seat))
            case {"accepted": answer, "revision": revision}:
                self._accepted(page, answer, revision)
            case {"refused": answer}:
                page.refused.add(answer)
            case {"again": lives}:
                page.lives = lives
            case _:
                for word, value in line.items():
                    setattr(page, word, value)
        if self._forgets and page.over:
            del self.about[guest]

    def _page_of(self, guest: str) -> Guest:
        if guest not in self.about:
            self.guests += 1
            self.about[guest] = Guest(guest)
        return self.about[guest]

    def _accepted(self, page: Guest, answer: str, revision: int) -> None:
        first = page.told.setdefault(answer, revision)
        if first != revision:
            self.troubles.append(
                f"{page.name}: {answer} was accepted at {first}, then at {revision}"
            )


def told_of(seat: Assignment) -> str:
    """A seat as the diary has it."""
    return base64.b64encode(seat.SerializeToString()).decode()


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        yield from map(json.loads, path.read_text().splitlines())


def mend(path: Path) -> None:
    """Cut a last line off that whoever wrote it did not live to end."""
    if path.exists():
        whole, _, torn = path.read_bytes().rpartition(b"\n")
        if torn:
            path.write_bytes(whole + b"\n" if whole else b"")
