"""What a seat is asked, and an answer to it: as cheap as reading a message can be.

Bare messages, so that any client can use it, whatever it is built on.
"""

import random
from typing import Any

Choice = tuple[str, ...]


def asked_after(update: Any, question: Any, seat: int) -> Any:
    """What a seat is asked after an update, if it was asked `question` before."""
    if update.HasField("view"):
        return update.view.question if update.view.HasField("question") else None
    for event in update.events.events:
        match event.WhichOneof("verb"):
            case "questions_asked":
                verb = event.questions_asked
                question = verb.question if verb.HasField("question") else None
            case "questions_answered" if seat in event.questions_answered.seats:
                question = None
            case "ended":
                question = None
    return question


def chosen(question: Any, dice: random.Random) -> Choice:
    """One way or several, each as likely as another; to decline is one way more.

    Were it declined half the time, whoever may pass would soon have passed, and a game
    of some length would be measured by its beginning.
    """
    options = getattr(question, question.WhichOneof("kind")).options
    if not question.min and not dice.randrange(len(options) + 1):
        return ()
    number = dice.randint(max(1, question.min), question.max)
    return tuple(one.id for one in dice.sample(options, number))
