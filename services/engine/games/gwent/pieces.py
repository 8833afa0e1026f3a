"""The nouns of gwent: rows, factions, abilities, and what is printed on a card.

A row of `cards/` says what is printed; an `Ability` says what that does. Abilities that
last (tight bond, morale, horn) are only read by `strength.py`; the others carry what
happens when their card comes to lie on a row, or is played as a special card.
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from services.engine.kernel import Card, Place, Table, Text


class Row(StrEnum):
    """The three rows of a side."""

    MELEE = "melee"
    RANGED = "ranged"
    SIEGE = "siege"


MELEE, RANGED, SIEGE = ROWS = tuple(Row)
AGILE = (MELEE, RANGED)


class Faction(StrEnum):
    """Whose deck a card may be in; a neutral one may be in any."""

    NEUTRAL = "neutral"
    MONSTERS = "monsters"
    NILFGAARD = "nilfgaard"
    NORTHERN_REALMS = "northern_realms"
    SCOIATAEL = "scoiatael"
    SKELLIGE = "skellige"


FACTIONS = tuple(faction for faction in Faction if faction is not Faction.NEUTRAL)


class Kind(StrEnum):
    """What a card is; a token lies in the side deck, never in a main one."""

    UNIT = "unit"
    HERO = "hero"
    SPECIAL = "special"
    WEATHER = "weather"
    LEADER = "leader"
    TOKEN = "token"


NO_TEXT = Text("", "")

# (table, who, card): who is the seat that acts, None the automaton.
Enters = Callable[[Table, int | None, Card], Coroutine[Any, Any, None]]
# (table, who): where a special card may be played now.
Targets = Callable[[Table, int | None], Sequence[Place]]
# (table, who, card, place): a special card is played.
Plays = Callable[[Table, int | None, Card, Place], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Ability:
    """What a card can do.

    `enters`: what happens when a unit with it comes to lie on a row. `targets` and
    `plays`: how a special card with it is played. `automaton` and `automaton_plays`:
    the same where the automaton does it, if that differs. `faces` are the cards it
    calls or brings, `rows` those it touches. A `{}` in the text stands for the names of
    the faces.
    """

    name: str
    text: Text = NO_TEXT
    enters: Enters | None = None
    automaton: Enters | None = None
    targets: Targets | None = None
    plays: Plays | None = None
    automaton_plays: Enters | None = None
    faces: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()


# (table, who): what a leader does when it is used; whether, by what all can see, it
# would do anything.
LeaderEffect = Callable[[Table, int | None], Coroutine[Any, Any, None]]
LeaderIsUsable = Callable[[Table, int | None], bool]


@dataclass(frozen=True, slots=True)
class Printed:
    """What is printed on a card.

    `own_text` is that of special, weather and leader cards; a unit's text is that of
    its abilities. A leader without an effect is passive; one that seeks needs one of
    these faces in its pile.
    """

    id: str
    name: Text
    kind: Kind
    rows: tuple[Row, ...] = ()
    strength: int = 0
    abilities: tuple[Ability, ...] = ()
    faction: Faction = Faction.NEUTRAL
    copies: int = 1
    is_hero: bool = False
    own_text: Text = NO_TEXT
    effect: LeaderEffect | None = None
    is_usable: LeaderIsUsable | None = None
    seeks: tuple[str, ...] = ()

    @property
    def is_fighter(self) -> bool:
        """Whether it stands on a row with a strength: a unit, hero or token."""
        return bool(self.rows)

    @property
    def is_unit(self) -> bool:
        """Whether it stands on a row and is no hero: what effects can touch."""
        return bool(self.rows) and not self.is_hero

    @property
    def is_agile(self) -> bool:
        """Whether its player chooses between melee and ranged."""
        return len(self.rows) > 1

    @property
    def text(self) -> Text:
        """What the card does, in words."""
        if not self.is_fighter:
            return self.own_text
        texts = [AGILE_TEXT] if self.is_agile else []
        texts += [said(ability) for ability in self.abilities]
        return Text(" ".join(t.en for t in texts), "".join(t.zh for t in texts))

    def has(self, name: str) -> bool:
        """Whether an ability of this name is printed on it."""
        return any(ability.name == name for ability in self.abilities)


AGILE_TEXT = Text(
    "Agile: stands in melee or in ranged, as its player chooses.",
    "敏捷：由打出者决定放在近战排还是远程排。",
)

# Every face of the game by its id; `cards/` fills it.
FACES: dict[str, Printed] = {}


def said(ability: Ability) -> Text:
    """An ability's text, with the names of the cards it calls or brings."""
    names = [FACES[face].name for face in ability.faces]
    en, zh = ", ".join(n.en for n in names), "、".join(n.zh for n in names)
    return Text(ability.text.en.format(en), ability.text.zh.format(zh))


# -- one row each --------------------------------------------------------------------

Rows = Row | tuple[Row, ...]


def unit(
    face: str,
    en: str,
    zh: str,
    strength: int,
    rows: Rows,
    *abilities: Ability,
    copies: int = 1,
) -> Printed:
    """A unit; two rows make it agile."""
    return Printed(
        face,
        Text(en, zh),
        Kind.UNIT,
        rows if isinstance(rows, tuple) else (rows,),
        strength,
        abilities,
        copies=copies,
    )


def hero(
    face: str,
    en: str,
    zh: str,
    strength: int,
    rows: Rows,
    *abilities: Ability,
) -> Printed:
    """A hero, of whom there is one."""
    one = unit(face, en, zh, strength, rows, *abilities)
    return replace(one, kind=Kind.HERO, is_hero=True)


def token(
    face: str,
    en: str,
    zh: str,
    strength: int,
    rows: Rows,
    *abilities: Ability,
    copies: int = 1,
    is_hero: bool = False,
) -> Printed:
    """A card of the side deck."""
    one = unit(face, en, zh, strength, rows, *abilities, copies=copies)
    return replace(one, kind=Kind.TOKEN, is_hero=is_hero)


def special(
    face: str, en: str, zh: str, ability: Ability, text: Text, copies: int = 3
) -> Printed:
    """A special card, open to every faction."""
    return Printed(
        face,
        Text(en, zh),
        Kind.SPECIAL,
        abilities=(ability,),
        copies=copies,
        own_text=text,
    )


def weather_card(
    face: str, en: str, zh: str, ability: Ability, text: Text, copies: int = 3
) -> Printed:
    """A weather card, Clear Weather too; open to every faction."""
    one = special(face, en, zh, ability, text, copies)
    return replace(one, kind=Kind.WEATHER)


def leader(
    face: str,
    en: str,
    zh: str,
    text: Text,
    effect: LeaderEffect | None = None,
    is_usable: LeaderIsUsable | None = None,
    seeks: tuple[str, ...] = (),
) -> Printed:
    """A leader; without an effect a passive one."""
    return Printed(
        face,
        Text(en, zh),
        Kind.LEADER,
        own_text=text,
        effect=effect,
        is_usable=is_usable,
        seeks=seeks,
    )


def of_faction(faction: Faction, *rows: Printed) -> list[Printed]:
    """These rows as cards of a faction."""
    return [replace(row, faction=faction) for row in rows]
