"""Looking for faces where none may be.

The id of a face is a canary: whoever is sent it has heard of that card. At skirmish
each soldier's is on one card alone; at gwent all that is in a deck brought is secret.
"""

import base64
import re
from collections.abc import Iterator
from typing import Any

from services.engine.games import GAMES
from services.engine.kernel import Game as Rules
from services.engine.kernel import event as happened
from services.engine.kernel.sight import sees
from services.local import disclosure
from services.local.rerun import Rerun
from tests.evenings.players import Game, Played

WORD = re.compile(r"[a-z0-9_]+")


def unmistakable(game: Rules) -> frozenset[str]:
    """Ids of faces that mean nothing else in the game, as `decoy` does."""
    names = {key.partition(".")[2] for key in game.catalog.words}
    return frozenset(game.catalog.faces) - names


FACES = {name: unmistakable(game) for name, game in GAMES.items()}

# Where ids stand alone, short ones can be taken for anything, and skirmish's weather
# for the weather; these cannot.
BARE = sorted(
    face
    for game, faces in FACES.items()
    for face in faces
    if len(face) > 4 and ("_" in face or game != "skirmish")
)
CANARY = re.compile(rf"(?:{'|'.join(GAMES)})/[a-z_]+|\b(?:{'|'.join(BARE)})\b")


def faces_in(text: str, game: str) -> frozenset[str]:
    """Every id of a face that stands in a text: whole, or as a word of its own."""
    whole = re.findall(rf"\b{game}/([a-z0-9_]+)", text)
    return FACES[game].intersection(WORD.findall(text)) | frozenset(whole)


def canaries_in(text: str) -> set[str]:
    """What can only be a face, wherever it stands."""
    return set(CANARY.findall(text))


def forms_of(secret: bytes) -> set[str]:
    """As it is, in hex, in base64 of both kinds, and as Python would print it."""
    return {
        secret.decode("latin-1"),
        secret.hex(),
        base64.b64encode(secret).decode().rstrip("="),
        base64.urlsafe_b64encode(secret).decode().rstrip("="),
        repr(secret)[2:-1],
    }


# ---- who could know what -------------------------------------------------------------


def known_after(game: Game, viewer: int | None) -> list[set[str]]:
    """The faces a viewer could know after each revision, and on which cards, by the
    rules alone: the game is run again, and what makes messages has no part in it."""
    rerun = Rerun(disclosure.read(game.text), lambda play: None)
    rerun.run()
    known: list[set[str]] = [set()]
    for event in rerun.play.table.events:
        known.append(known[-1] | set(shown_to(viewer, event)))
    return known


def shown_to(viewer: int | None, event: happened.Event) -> Iterator[str]:
    """Faces, and faces with the handle of their card: there may be several copies."""
    if isinstance(event, happened.CardsMoved):
        for move in event.cards:
            if move.face and sees(move.seers, viewer):
                yield from (move.face, named(move.handle, move.face))
            if move.face and sees(move.knew, viewer):
                yield from (move.face, named(move.old_handle, move.face))
    elif isinstance(event, happened.CardsTurnedUp | happened.CardsPeeked):
        for card in event.cards:
            if card.face and sees(card.seers, viewer):
                yield from (card.face, named(card.handle, card.face))


def named(handle: str, face: str) -> str:
    """That this card has this face."""
    return f"{handle} is {face.rpartition('/')[2]}"


# ---- what was sent -------------------------------------------------------------------


def told_too_soon(game: Game, one: Played) -> list[str]:
    """Faces this client was sent before it could know them, piece by piece."""
    known, revision, found = known_after(game, one.viewer), 0, []
    for path, piece in pieces(one):
        revision = max(revision, revision_of(piece))
        played = one.seat.game
        told = {face for text in texts(piece) for face in faces_in(text, played)}
        told |= set(cards_in(piece))
        early = told - known[revision]
        found += [f"{path} at {revision}: {face}" for face in sorted(early)]
    return found


def pieces(one: Played) -> Iterator[tuple[str, Any]]:
    """What was sent, of events that came together each by itself."""
    for sent in one.tap.sent:
        update = getattr(sent.message, "update", None)
        if update is not None and update.HasField("events"):
            yield from ((sent.path, event) for event in update.events.events)
        else:
            yield sent.path, sent.message


def hidden_bytes(one: Played) -> list[str]:
    """Messages with more in their bytes than their fields tell."""
    odd = []
    for sent in one.tap.sent:
        plain = type(sent.message).FromString(sent.raw)
        plain.DiscardUnknownFields()
        if plain.ByteSize() != len(sent.raw):
            odd.append(sent.path)
    return odd


def revision_of(message: Any) -> int:
    """The revision a message is of; 0 where it says none."""
    update = getattr(message, "update", None)
    return int(getattr(message if update is None else update.view, "revision", 0))


def cards_in(message: Any) -> Iterator[str]:
    """Every card in a message that it tells the face of, however deep."""
    if getattr(message, "handle", "") and getattr(message, "face", ""):
        yield named(message.handle, message.face)
    for field, value in message.ListFields():
        if field.message_type and not field.message_type.GetOptions().map_entry:
            for one in value if field.is_repeated else [value]:
                yield from cards_in(one)


def texts(message: Any) -> Iterator[str]:
    """Every text in a message, however deep."""
    for field, value in message.ListFields():
        if field.message_type and field.message_type.GetOptions().map_entry:
            for key, one in value.items():
                yield from (str(key), str(one))
            continue
        for one in value if field.is_repeated else [value]:
            if field.message_type:
                yield from texts(one)
            elif isinstance(one, str):
                yield one
            elif isinstance(one, bytes):
                yield one.decode("latin-1")
