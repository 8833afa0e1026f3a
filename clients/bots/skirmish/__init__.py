"""Skirmish, played with plain sense.

Why it wins: every point counts for ever and a card left in hand counts 1, so lay three
soldiers every round, together with those that make each other stronger, and spend a
tactic where it takes more from the others than it costs.
"""

from clients.bots.skirmish.choosing import play_skirmish

__all__ = ["play_skirmish"]
