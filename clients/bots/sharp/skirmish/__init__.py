"""Thinking ahead at skirmish."""

from clients.bots.sharp.skirmish.ahead import SkirmishAhead

__all__ = ["SkirmishAhead"]
