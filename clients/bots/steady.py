"""Plays to win, by the plain sense of each game; where it knows none, at random."""

import random

from anpai import Question, View
from clients.bots.at_random import at_random
from clients.bots.gwent import play_gwent
from clients.bots.skirmish import play_skirmish
from clients.bots.strategy import Choice, Faces, Strategy

# The games it knows how to win.
BY_GAME: dict[str, Strategy] = {"gwent": play_gwent, "skirmish": play_skirmish}


def steady(
    view: View, question: Question, faces: Faces, chance: random.Random
) -> Choice:
    """The answer of whoever knows this game."""
    return BY_GAME.get(view.game, at_random)(view, question, faces, chance)
