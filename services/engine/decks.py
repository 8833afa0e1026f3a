"""Decks as they travel, and as the rules judge them.

Outside a face is `game/face`. The rules know their own by the second half alone, and
are told any other as it came.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from anpai.engine.v1 import catalog_pb2 as pb
from services.chassis import decks as told
from services.chassis.errors import AnpaiError
from services.engine import fields
from services.engine.catalog import in_language
from services.engine.kernel.game import Deck, DeckFault, Game, Variant

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
    found = [
        told.Fault(one.deck, one.face, in_language(one.text, "en"))
        for one in _faults(game, variant, decks)
    ]
    return told.illegal(game.name, variant, decks, found) if found else None


def faults_in(
    game: Game, variant: str, decks: Sequence[Deck], locale: str
) -> Iterator[pb.DeckFault]:
    """All that is wrong, the faces as they were sent."""
    for one in _faults(game, variant, decks):
        is_own = one.face and "/" not in one.face
        face = f"{game.name}/{one.face}" if is_own else one.face
        message = in_language(one.text, locale)
        yield pb.DeckFault(deck=one.deck, face=face, message=message)


def _faults(game: Game, variant: str, decks: Sequence[Deck]) -> list[DeckFault]:
    """To bring none is no fault, whatever the rules."""
    return game.deck_faults(variant, decks) if decks else []
