"""Reads names aloud: seats, places, cards, markers, in one language.

Nothing here knows more than a view and the catalogue tell.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from anpai import Card, Catalog, Counter, Face, Place, View, place_of
from clients.terminal.screen.layout import LAYOUTS, Layout, layout_for, seats_of
from clients.terminal.words import Words

HIDDEN = "▒"
STAR = "★"


class Reader:
    """One catalogue in one language."""

    def __init__(self, catalog: Catalog, words: Words, title: str = ""):
        self.words = words
        self.game = catalog.game
        self.layout = LAYOUTS.get(catalog.game, Layout())
        self.title = title or catalog.game
        self._faces = {face.id: face for face in catalog.faces}
        self._order = {face.id: number for number, face in enumerate(catalog.faces)}
        self._words = dict(catalog.words)

    # -- words ------------------------------------------------------------------------

    def word(self, chapter: str, name: str) -> str:
        """The catalogue's words; the bare name where it has none."""
        return self._words.get(f"{chapter}.{name}", name)

    def decline(self, question: str) -> str:
        """What an answer without options says."""
        return self._words.get(f"decline.{question}") or self.words("ask.decline")

    def about(self, word: str) -> tuple[str, str] | None:
        """An option's words, and what the catalogue has to say about it."""
        text = self._words.get(f"about.{word}")
        return (self.any_word(word), text) if text else None

    def about_like(self, text: str) -> list[tuple[str, str]]:
        """Of all whose words hold this text, each sentence once."""
        wanted, chapter = text.casefold(), "about."
        words = [key.removeprefix(chapter) for key in self._words if chapter in key]
        named = {said: name for name, said in filter(None, map(self.about, words))}
        return [(n, said) for said, n in named.items() if wanted in n.casefold()]

    def any_word(self, name: str) -> str:
        """The words of an option; or of a question or rule that goes by this name."""
        chapters = ("option", "question", "rule", "place")
        found = (self._words.get(f"{chapter}.{name}") for chapter in chapters)
        return next((text.rstrip("?？.。") for text in found if text), name)

    def sentence(self, name: str, values: Mapping[str, str]) -> str:
        """A declared event; without words of its own, its name and what it is about."""
        pattern = self._words.get(f"event.{name}")
        if pattern is None:
            told = " ".join(value for value in values.values() if value)
            return f"{name}: {told}".rstrip(": ")
        return pattern.format_map(Known(values))

    # -- seats and places -------------------------------------------------------------

    def seat(self, view: View, number: int) -> str:
        """A seat's name; numbered where two seats have the same."""
        name = view.seats[number].name or f"#{number + 1}"
        alike = [seat for seat in view.seats if seat.name == name]
        return f"{name} #{number + 1}" if len(alike) > 1 else name

    def place(self, view: View, place: Place) -> str:
        """A place with its owner: Ben's Scout row."""
        name, seats = self.word("place", place.name), holders(view, place)
        if not seats:
            return name
        return self.words("place.of", seat=self.together(view, seats), place=name)

    def bare(self, place: Place) -> str:
        """A place by its name alone, the automaton's too."""
        front = self.layout.front
        prefix = front.automaton if front else ""
        bare = self._words.get(f"place.{place.name.removeprefix(prefix)}")
        return bare or self.word("place", place.name)

    def together(self, view: View, seats: Iterable[int]) -> str:
        """One seat's name, or those of partners: Anna and Cem."""
        return self.words.listed([self.seat(view, seat) for seat in seats])

    # -- cards ------------------------------------------------------------------------

    def face(self, face: str) -> Face | None:
        return self._faces.get(face)

    def face_name(self, face: str) -> str:
        known = self._faces.get(face)
        return known.name if known else face

    def attribute(self, face: str, name: str) -> str:
        """What is printed on a face under this name; "" where nothing is."""
        known = self._faces.get(face)
        return known.attributes.get(name, "") if known else ""

    def faces_like(self, text: str) -> list[Face]:
        """Those whose name holds this text, however it is written."""
        wanted = text.casefold()
        return [face for face in self._faces.values() if wanted in face.name.casefold()]

    def printed(self, face: Face, *but: str) -> list[str]:
        """What the layout wants told of a card besides its text, in words."""
        told = []
        for name in (one for one in self.layout.printed if one not in but):
            value = face.attributes.get(name, "")
            if value.isdecimal():
                told.append(f"{self.word('marker', name)} {value}")
            else:
                words = [(word, self.any_word(word)) for word in value.split()]
                told.append("/".join(text for word, text in words if text != word))
        return [text for text in told if text]

    def abilities(self, face: str) -> str:
        """Of a card that stands on a row, in brackets; those of others are its name."""
        if not self.attribute(face, self.layout.strength):
            return ""
        words = self.attribute(face, self.layout.abilities).split()
        told = self.words("list.comma").join(map(self.any_word, words))
        return f" ({told})" if told else ""

    def rank(self, face: str) -> int:
        """Where a face stands in the catalogue; unknown ones come last."""
        return self._order.get(face, len(self._order))

    def label(self, view: View, card: Card) -> str:
        """A card as it lies, in a few characters: ▒, Spotter 3, ▒Spy 2 [Warded]."""
        layout = layout_for(view)
        told = HIDDEN if is_covered(card) else ""
        if card.HasField("face"):
            told += STAR if self.attribute(card.face, layout.star) else ""
            told += self.face_name(card.face) + self._strength(view, card, layout)
        notes = "".join(f" [{note}]" for note in self._notes(view, card, layout))
        return (told or HIDDEN) + notes

    def _strength(self, view: View, card: Card, layout: Layout) -> str:
        printed, now = self._strengths(view, card, layout)
        if now != printed:
            return f" {printed}→{now}"
        return f" {printed}" if printed else ""

    def _strengths(self, view: View, card: Card, layout: Layout) -> tuple[str, str]:
        """As printed, and as it is at the moment."""
        printed = self.attribute(card.face, layout.strength)
        now = marker_value(view, layout.strength_now, card.handle)
        return printed, printed if now is None else now

    def tone(self, view: View, card: Card) -> str:
        """A colour for a card that is stronger or weaker than what is printed."""
        strengths = self._strengths(view, card, layout_for(view))
        if not all(value.lstrip("-").isdecimal() for value in strengths):
            return ""
        printed, now = map(int, strengths)
        return "green" if now > printed else "red" if now < printed else ""

    def _notes(self, view: View, card: Card, layout: Layout) -> Iterable[str]:
        for marker in view.markers:
            if marker.on == card.handle and shows(layout, marker.name):
                yield self.marker(view, marker.name, marker.value)
        found = place_of(view, card.handle)
        seats = holders(view, found[0].place) if found else ()
        if card.HasField("bringer") and seats and card.bringer not in seats:
            yield self.seat(view, card.bringer)

    def named(self, view: View, handle: str) -> str:
        """A card in a sentence: its name, or where the face-down card lies."""
        found = place_of(view, handle)
        if found is None:
            return self.words("card.hidden")
        place, card = found
        if card.HasField("face"):
            return self.face_name(card.face)
        number = [one.handle for one in place.cards].index(handle) + 1
        where = self.place(view, place.place)
        return self.words("card.hidden_in", number=number, place=where)

    # -- markers ----------------------------------------------------------------------

    def marker(self, view: View, name: str, value: str) -> str:
        told = self.value(view, value)
        if name in layout_for(view).by_value:
            return told
        return f"{self.word('marker', name)} {told}".rstrip()

    def value(self, view: View, value: str) -> str:
        """What a marker says: a number, a card, a face, or words."""
        face = self._faces.get(f"{self.game}/{value}") or self._faces.get(value)
        if face is not None:
            return face.name
        if value and place_of(view, value) is not None:
            return self.named(view, value)
        return self.words.listed([self.any_word(word) for word in value.split(" ")])


def titled(game: str, variant: Sequence[str], variants: int) -> str:
    """A game's title, with that of the variant played where there are several."""
    return " · ".join([game, *variant]) if variants > 1 else game


class Known(dict[str, str]):
    """Leaves out what a sentence asks for and nobody has said."""

    def __missing__(self, key: str) -> str:
        return ""


def owner(place: Place | Counter) -> int | None:
    """Whose place or counter it is; None for the table's own."""
    return place.seat if place.HasField("seat") else None


def holders(view: View, place: Place) -> tuple[int, ...]:
    """The seats whose place it is; none for the table's own."""
    seat = owner(place)
    return () if seat is None else seats_of(view, place.name, seat)


def is_covered(card: Card) -> bool:
    """A face-down card on the table, known to its viewer or not."""
    return not card.face_up and card.HasField("bringer")


def shows(layout: Layout, marker: str) -> bool:
    return marker not in layout.hidden_markers and marker != layout.strength_now


def marker_value(view: View, name: str, on: str) -> str | None:
    """What a marker on something says; None where it does not lie there."""
    for marker in view.markers:
        if marker.name == name and marker.on == on:
            return marker.value
    return None


def at_seat(items: Iterable[Any], seat: int | None) -> list[Any]:
    """Those of a seat, or of the table."""
    return [item for item in items if owner(item) == seat]
