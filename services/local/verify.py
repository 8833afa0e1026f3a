"""Checking a finished game: was all that happened fixed by the seed and the answers?

No service is needed: the disclosure is a file, and this program runs the game again.
A file alone proves that it agrees with itself. That it is the game that was played, two
things a client kept prove: the commitment it was given before play (`commitment`), and
what it heard while it played (`heard`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from services.engine.kernel.outcome import Outcome
from services.engine.kernel.play import Play
from services.local import disclosure as papers
from services.local.disclosure import Disclosure
from services.local.findings import Finding
from services.local.heard import Heard
from services.local.rerun import Rerun


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found. `problem` is "" where all agrees.

    The counts are of what was run again and agreed; `heard` counts the views and events
    held against it. `promised` says whether a client's own commitment was compared.
    """

    problem: str
    table: str = ""
    game: str = ""
    commitment: str = ""
    entries: int = 0
    batches: int = 0
    events: int = 0
    outcome: Outcome | None = None
    promised: bool = False
    heard: int = 0

    @property
    def ok(self) -> bool:
        """Whether all agrees."""
        return not self.problem


def verify(
    disclosure: bytes | str | Mapping[str, Any],
    *,
    commitment: str | None = None,
    heard: Iterable[str] | None = None,
) -> Report:
    """Run a disclosed game again and compare everything.

    `commitment` (hex) is what a client was told before play, `heard` the lines of what
    it recorded. Never raises for a bad file: the report says what is wrong with it.
    """
    try:
        return _agreed(papers.read(disclosure), commitment, heard)
    except Finding as finding:
        return Report(str(finding))


def _agreed(
    paper: Disclosure, commitment: str | None, lines: Iterable[str] | None
) -> Report:
    heard = None if lines is None else Heard(lines)
    if commitment is not None and commitment.lower() != paper.commitment:
        raise Finding("The seed is not the one you were promised (--commitment).")
    if heard is not None:
        _same_table(paper, heard)
    rerun = Rerun(paper, heard.watch if heard is not None else _unwatched)
    outcome = rerun.run()
    if heard is not None:
        heard.finish()
    return Report(
        problem="",
        table=paper.table,
        game=paper.game.name,
        commitment=paper.commitment,
        entries=rerun.play.position,
        batches=rerun.batches,
        events=rerun.play.revision,
        outcome=outcome,
        promised=commitment is not None or heard is not None,
        heard=heard.count if heard is not None else 0,
    )


def _same_table(paper: Disclosure, heard: Heard) -> None:
    if heard.table != paper.table:
        raise Finding(f"What was heard is of another table, {heard.table!r}.")
    if heard.commitment != paper.commitment:
        raise Finding("The seed is not the one that was promised at the table.")


def _unwatched(play: Play) -> None:
    """Nothing was heard that could be compared."""
