"""What is said of decks that may not be played: at the ticket as at the table."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from services.chassis.errors import AnpaiError, Violation

# A refusal travels in a trailer, of which a client reads no more than 8 KiB, and says
# each sentence twice.
ROOM = 1_500


class Fault(NamedTuple):
    """What is wrong with the `deck`-th of some decks; `face` is as it was sent."""

    deck: int
    face: str
    sentence: str


Decks = Sequence[Sequence[str]]


def illegal(
    game: str, variant: str, decks: Decks, faults: Sequence[Fault]
) -> AnpaiError:
    """DECK_ILLEGAL, with every fault that there is room for."""
    told = [
        Violation(field_of(fault, decks), sentence_of(fault, decks)) for fault in faults
    ]
    fitting = list(as_fit(told))
    sentences = [one.sentence for one in fitting]
    if left := len(told) - len(fitting):
        sentences.append(f"There is more wrong: {left} in all.")
    return AnpaiError(
        "DECK_ILLEGAL",
        " ".join(sentences),
        violations=fitting,
        game=game,
        variant=variant,
    )


def field_of(fault: Fault, decks: Decks) -> str:
    """The field of the request that has the deck, or the card."""
    if fault.deck >= len(decks):
        return "decks"
    faces, field = list(decks[fault.deck]), f"decks[{fault.deck}].faces"
    return f"{field}[{faces.index(fault.face)}]" if fault.face in faces else field


def sentence_of(fault: Fault, decks: Decks) -> str:
    is_plain = len(decks) == 1 or fault.deck >= len(decks)
    return fault.sentence if is_plain else f"Deck {fault.deck + 1}: {fault.sentence}"


def as_fit(told: Sequence[Violation]) -> Iterator[Violation]:
    room = ROOM
    for one in told:
        room -= len(one.sentence.encode())
        if room < 0:
            return
        yield one
