"""Gwent, played with plain sense.

Why it wins: cards are the clock. A round is won with as few of them as will do, one
that is lost is given up early, spies come first because they bring two more, and what
doubles, burns or freezes waits until it moves more than a unit would.
"""

from clients.bots.gwent.choosing import play_gwent

__all__ = ["play_gwent"]
