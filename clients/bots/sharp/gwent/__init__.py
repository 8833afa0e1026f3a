"""Thinking ahead at gwent."""

from clients.bots.sharp.gwent.ahead import GwentAhead

__all__ = ["GwentAhead"]
