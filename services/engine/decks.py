"""Decks as they travel, and as the rules judge them.

Outside a face is `game/face`. The rules know their own by the second half alone, and
are told any other as it came.
"""

import re
from collections.abc import Sequence
from typing import Protocol

from services.chassis.decks import Fault, illegal
from services.chassis.errors import AnpaiError
from services.engine import fields
from services.engine.catalog import in_language
from services.engine.kernel.game import Deck, Game, Variant

FACE = re.compile(r"[a-z0-9_-]{1,40}/[a-z0-9_-]{1,60}", re.ASCII)
FACES = 200


class SentDeck(Protocol):
    """A deck as it was sent."""

    @property
    def faces(self) -> Sequence[str]: ...


def brought(sent: Sequence[SentDeck], game: Game, variant: Variant) -> tuple[Deck, ...]:
    """The decks as the rules know them; INVALID_FIELD for what cannot be any."""
    if len(sent) > variant.decks:
        most = f"at most {variant.decks}" if variant.decks else "empty in this variant"
        fields.refuse("decks", most)
    return tuple(_deck(f"decks[{n}]", one.faces, game) for n, one in enumerate(sent))


def _deck(field: str, faces: Sequence[str], game: Game) -> Deck:
    if not 0 < len(faces) <= FACES:
        fields.refuse(f"{field}.faces", f"1-{FACES} faces")
    for index, face in enumerate(faces):
        if not FACE.fullmatch(face):
            fields.refuse(f"{field}.faces[{index}]", "a face, as game/face")
    return tuple(face.removeprefix(f"{game.name}/") for face in faces)


def refusal(game: Game, variant: str, decks: Sequence[Deck]) -> AnpaiError | None:
    """DECK_ILLEGAL, if a seat may not bring these."""
    found = _faults(game, variant, decks, "en")
    return illegal(game.name, variant, decks, found) if found else None


def faults(game: Game, variant: str, decks: Sequence[Deck], locale: str) -> list[Fault]:
    """All that is wrong, the faces as they were sent."""
    found = _faults(game, variant, decks, locale)
    return [one._replace(face=_outside(one.face, game)) for one in found]


def _faults(
    game: Game, variant: str, decks: Sequence[Deck], locale: str
) -> list[Fault]:
    """To bring none is no fault, whatever the rules."""
    found = game.deck_faults(variant, decks) if decks else []
    return [Fault(it.deck, it.face, in_language(it.text, locale)) for it in found]


def _outside(face: str, game: Game) -> str:
    return f"{game.name}/{face}" if face and "/" not in face else face
