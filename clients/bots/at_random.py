"""Plays anything that is legal, each way as likely as another."""

import random

from anpai import Question, View
from clients.bots.strategy import Choice, Faces


def at_random(
    view: View, question: Question, faces: Faces, chance: random.Random
) -> Choice:
    """First how many options, then which."""
    number = chance.randint(question.min, question.max)
    return tuple(option.id for option in chance.sample(question.options, number))
