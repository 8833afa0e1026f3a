"""Which decks may be played (GW-1, 12, 13): every fault is named, not the first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.pieces import FACTIONS, Faction, Kind, Printed
from services.engine.kernel import Deck, DeckFault, Text

# No set has so many cards; what is larger is not looked at card by card.
MOST_CARDS = 150
LONGEST_NAME = 40


FACTION_NAMES = {
    Faction.NEUTRAL: Text("Neutral", "中立"),
    Faction.MONSTERS: Text("Monsters", "怪物"),
    Faction.NILFGAARD: Text("Nilfgaard", "尼弗迦德"),
    Faction.NORTHERN_REALMS: Text("Northern Realms", "北方领域"),
    Faction.SCOIATAEL: Text("Scoia'tael", "松鼠党"),
    Faction.SKELLIGE: Text("Skellige", "史凯利格"),
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How many of what a deck must and may have; None: as many as there are."""

    least_units: int = 22
    specials: int = 10
    spies: int | None = None
    medics: int | None = None
    strength: int | None = None


PLAIN = Limits()
ADVANCED = Limits(specials=5, spies=2, medics=2, strength=130)
LIMITS = {"advanced": ADVANCED, "tournament": ADVANCED}
# How many decks a seat brings; solo is played with whole sets (GW-16.1).
SETS = {"tournament": 3, "solo": 0, "solo-leaders": 0}


def faults(variant: str, decks: Sequence[Deck]) -> list[DeckFault]:
    """All that is wrong with the decks one seat brings; to bring none is allowed."""
    wanted = SETS.get(variant, 1)
    if not decks:
        return []
    found = []
    if len(decks) != wanted:
        found.append(DeckFault(min(len(decks), wanted), "", how_many(decks, wanted)))
    limits = LIMITS.get(variant, PLAIN)
    for number, deck in enumerate(decks[:wanted]):
        found += [DeckFault(number, *fault) for fault in deck_faults(deck, limits)]
    return [*found, *set_faults(decks[:wanted])]


def how_many(decks: Sequence[Deck], wanted: int) -> Text:
    """Three in a tournament, none in solo, else one (GW-13.1, GW-16.1)."""
    if wanted == 0:
        return Text(
            "Whole sets are played here: bring no deck.", "这里使用整套牌，不带牌组。"
        )
    one = "1 deck" if wanted == 1 else f"{wanted} decks"
    return Text(
        f"Bring {one}, not {len(decks)}.", f"需要{wanted}套牌组，这里有{len(decks)}套。"
    )


# -- one deck ------------------------------------------------------------------------

Fault = tuple[str, Text]


def deck_faults(deck: Deck, limits: Limits = PLAIN) -> Iterator[Fault]:
    """What is wrong with one deck: (face or "", sentence)."""
    if len(deck) > MOST_CARDS:
        yield "", too_large(deck)
        return
    copies = Counter(deck)
    known = [CARDS[face] for face in deck if face in CARDS]
    yield from leader_faults(known)
    yield from count_faults(known, limits)
    faction = faction_of(deck)
    for face in in_order(copies):
        yield from ((face[:LONGEST_NAME], one) for one in unknown(face))
        if face in CARDS:
            yield from ((face, one) for one in foreign(CARDS[face], faction))
            yield from ((face, one) for one in surplus(CARDS[face], copies[face]))


def too_large(deck: Deck) -> Text:
    """There are not so many cards that may lie in one deck."""
    return Text(
        f"{len(deck)} cards are no deck; there are not so many of one faction.",
        f"{len(deck)}张牌不成牌组；一个阵营没有这么多牌。",
    )


def in_order(faces: Iterable[str]) -> list[str]:
    """As the catalogue has them, unknown ones last."""
    ranks = {face: rank for rank, face in enumerate(CARDS)}
    return sorted(faces, key=lambda face: (ranks.get(face, len(ranks)), face))


def faction_of(deck: Iterable[str]) -> Faction | None:
    """That of its leader; or, without one, that of most of its cards."""
    known = [CARDS[face] for face in deck if face in CARDS]
    sided = [one for one in known if one.faction is not Faction.NEUTRAL]
    leaders = [one for one in sided if one.kind is Kind.LEADER]
    counted = Counter(one.faction for one in leaders or sided)
    if not counted:
        return None
    return max(FACTIONS, key=lambda faction: counted[faction])


def leader_faults(cards: Sequence[Printed]) -> Iterator[Fault]:
    """A deck has exactly one leader (GW-1.1)."""
    leaders = [one for one in cards if one.kind is Kind.LEADER]
    if not leaders:
        yield "", Text("The deck has no leader.", "牌组里没有领袖牌。")
    elif len(leaders) > 1:
        yield (
            leaders[1].id,
            Text(
                f"The deck has {len(leaders)} leaders; it takes one.",
                f"牌组里有{len(leaders)}张领袖牌，只能有1张。",
            ),
        )


def count_faults(cards: Sequence[Printed], limits: Limits) -> Iterator[Fault]:
    """So many units at least, of others at most (GW-1.2, GW-12.1, GW-12.2)."""
    units = sum(one.kind in (Kind.UNIT, Kind.HERO) for one in cards)
    if units < limits.least_units:
        yield "", too_few_units(units, limits.least_units)
    specials = sum(one.kind in (Kind.SPECIAL, Kind.WEATHER) for one in cards)
    spies = sum(one.has("spy") for one in cards)
    medics = sum(one.has("medic") for one in cards)
    strength = sum(one.strength for one in cards if one.kind is not Kind.TOKEN)
    yield from too_many(SPECIALS, specials, limits.specials)
    yield from too_many(SPIES, spies, limits.spies)
    yield from too_many(MEDICS, medics, limits.medics)
    yield from too_many(STRENGTH, strength, limits.strength)


def too_few_units(units: int, least: int) -> Text:
    """Heroes are units too (GW-1.2)."""
    missing = least - units
    are = "is" if missing == 1 else "are"
    return Text(
        f"{missing} of {least} units {are} missing: the deck has {units}, heroes "
        "counted.",
        f"至少要{least}张单位牌（含英雄），牌组里有{units}张，还差{missing}张。",
    )


SPECIALS = Text(
    "The deck has {number} special cards, weather counted; {most} at most.",
    "特殊牌（含天气牌）有{number}张，最多{most}张。",
)
SPIES = Text(
    "The deck has {number} spies; {most} at most.", "间谍有{number}张，最多{most}张。"
)
MEDICS = Text(
    "The deck has {number} medics; {most} at most.",
    "医疗单位有{number}张，最多{most}张。",
)
STRENGTH = Text(
    "The printed strength of the deck is {number}; {most} at most.",
    "印刷战力总和为{number}，最多{most}。",
)


def too_many(says: Text, number: int, most: int | None) -> Iterator[Fault]:
    """More of something than a deck may have (GW-1.2, GW-12.1, GW-12.2)."""
    if most is not None and number > most:
        told = {"number": number, "most": most}
        yield "", Text(says.en.format(**told), says.zh.format(**told))


# -- one face ------------------------------------------------------------------------


def unknown(face: str) -> Iterator[Text]:
    """A card is one of the catalogue's."""
    name = face[:LONGEST_NAME]
    if "/" in face:
        yield Text(f"“{name}” is a card of another game.", f"“{name}”是其他游戏的牌。")
    elif face not in CARDS:
        yield Text(f"There is no card “{name}”.", f"没有“{name}”这张牌。")


def foreign(card: Printed, faction: Faction | None) -> Iterator[Text]:
    """All are of one faction, or neutral; none of the side deck (GW-1.1, GW-1.3)."""
    if card.kind is Kind.TOKEN:
        yield Text(
            f"{card.name.en} waits in the side deck and is never part of a deck.",
            f"{card.name.zh}属于辅助牌组，不能编入牌组。",
        )
    elif card.faction not in (Faction.NEUTRAL, faction) and faction is not None:
        own, other = FACTION_NAMES[card.faction], FACTION_NAMES[faction]
        yield Text(
            f"{card.name.en} belongs to {own.en}; this is a deck of {other.en}.",
            f"{card.name.zh}属于{own.zh}，而这是{other.zh}的牌组。",
        )


def surplus(card: Printed, number: int) -> Iterator[Text]:
    """No more copies than a set has (GW-1.3); leaders are counted elsewhere."""
    if number > card.copies and card.kind not in (Kind.LEADER, Kind.TOKEN):
        yield Text(
            f"{card.name.en}: {number} copies, and the set has {card.copies}.",
            f"{card.name.zh}：编入{number}张，全套只有{card.copies}张。",
        )


# -- several decks -------------------------------------------------------------------


def set_faults(decks: Sequence[Deck]) -> Iterator[DeckFault]:
    """The decks of a tournament differ in faction and share no hero (GW-13.1)."""
    for (first, one), (second, other) in combinations(enumerate(decks), 2):
        faction = faction_of(one)
        if faction is not None and faction is faction_of(other):
            yield DeckFault(second, "", same_faction(first, second, faction))
        for face in in_order(set(one) & set(other)):
            if face in CARDS and CARDS[face].kind is Kind.HERO:
                text = same_hero(first, second, CARDS[face])
                yield DeckFault(second, face, text)


def same_faction(first: int, second: int, faction: Faction) -> Text:
    name = FACTION_NAMES[faction]
    return Text(
        f"Decks {first + 1} and {second + 1} are both of {name.en}; "
        "each must have a faction of its own.",
        f"第{first + 1}套和第{second + 1}套都是{name.zh}牌组，阵营必须各不相同。",
    )


def same_hero(first: int, second: int, hero: Printed) -> Text:
    return Text(
        f"{hero.name.en} is in decks {first + 1} and {second + 1}; a hero goes into "
        "one deck only.",
        f"{hero.name.zh}同时在第{first + 1}套和第{second + 1}套里；"
        "一名英雄只能编入一套牌组。",
    )
