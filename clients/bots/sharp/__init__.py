"""A bot that thinks ahead, knowing no more than its seat.

It deals what it cannot know at random, as often as there is time, plays each of its
options out in the same worlds by the rules themselves, with the plain sense of `steady`
at every seat, and keeps to those that do best (information-set Monte Carlo).
"""

from clients.bots.sharp.thinking import Effort, sharp, sharp_with

__all__ = ["Effort", "sharp", "sharp_with"]
