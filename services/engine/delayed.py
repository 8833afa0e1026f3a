"""The table as spectators see it who are behind: a fold of events, as clients make it.

It only goes forward. Nothing is made before somebody looks; then all that was told up
to there is folded once, and later what came since.
"""

import asyncio

from anpai.fold import fold_into
from services.engine.kernel.play import Play
from services.engine.live import LiveTable
from services.engine.projection import event_for, view_for
from services.engine.ring import View

BREATH = 100  # events folded before others have their turn


class Delayed:
    """The public view at a revision that is past."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live
        nothing_yet = Play(live.game, live.play.opening, b"")
        self._view = view_for(nothing_yet, None)

    async def at(self, revision: int) -> View:
        """The view at this revision, which is not to be changed; never an older one."""
        while self._view.revision < revision:
            self._go_on(min(revision, self._view.revision + BREATH))
            await asyncio.sleep(0)
        return self._view

    def _go_on(self, revision: int) -> None:
        begun, game = self._view.revision, self._live.game.name
        events = self._live.play.table.events[begun:revision]
        for number, event in enumerate(events, begun + 1):
            fold_into(self._view, event_for(event, number, None, game))
