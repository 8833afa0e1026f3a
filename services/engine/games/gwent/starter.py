"""Decks that are ready to play: five to begin with, five within the advanced limits.

No hero is in two of the advanced ones, so any three of them make a tournament's set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from services.engine.games.gwent.board import SOLO
from services.engine.games.gwent.pieces import FACES, FACTIONS, Faction, Kind
from services.engine.kernel import Deck, Text


@dataclass(frozen=True, slots=True)
class Ready:
    """A deck that is ready to play: its id, its faction, its name, its faces."""

    id: str
    faction: Faction
    name: Text
    deck: Deck


def ready(id: str, faction: Faction, name: Text, *faces: str) -> Ready:
    return Ready(id, faction, name, faces)


def times(number: int, faces: Iterable[str]) -> list[str]:
    return [face for face in faces for _ in range(number)]


def two(*faces: str) -> list[str]:
    return times(2, faces)


def three(*faces: str) -> list[str]:
    return times(3, faces)


def four(*faces: str) -> list[str]:
    return times(4, faces)


# A row of a deck holds what works together.
# fmt: off
STARTERS = [
    ready(
        "starter_monsters", Faction.MONSTERS,
        Text("Monsters: the pack", "怪物：成群结队"),
        "eredin_king",
        "draug", "leshen",
        *three("arachas", "nekker", "ghoul"), "arachas_behemoth",
        "vampire_ekimmara", "vampire_fleder", "vampire_garkain", "vampire_bruxa",
        "vampire_katakan",
        "crone_brewess", "crone_weavess", "crone_whispess",
        "fiend", "griffin", "grave_hag", "earth_elemental", "fire_elemental",
        "decoy", "scorch",
        *two("impenetrable_fog", "torrential_rain"), "clear_weather",
    ),
    ready(
        "starter_nilfgaard", Faction.NILFGAARD,
        Text("Nilfgaard: eyes and ears", "尼弗迦德：耳目遍布"),
        "emhyr_imperial",
        "letho", "menno", "tibor", "morvran",
        "shilard", "stefan_skellen", "vattier",
        *two("etolian_archers"), "siege_technician",
        *four("impera_guard"), *three("nausicaa_rider"), *two("young_emissary"),
        *two("black_archer"), "assire", "fringilla", "cahir",
        "heavy_fire_scorpion", "siege_engineer",
        *two("decoy"), "commanders_horn", "scorch",
        *two("torrential_rain"), "clear_weather",
    ),
    ready(
        "starter_northern_realms", Faction.NORTHERN_REALMS,
        Text("Northern Realms: shoulder to shoulder", "北方领域：并肩作战"),
        "foltest_siegemaster",
        "vernon_roche", "philippa",
        *three("blue_stripes_commando", "crinfrid_hunter"), *four("poor_infantry"),
        *two("catapult", "trebuchet"), *three("siege_expert"),
        "thaler", "stennis", "dun_banner_medic",
        "siegfried", "ves", "keira", "dethmold",
        *two("commanders_horn"), "decoy",
        "biting_frost", "impenetrable_fog", "clear_weather",
    ),
    ready(
        "starter_scoiatael", Faction.SCOIATAEL,
        Text("Scoia'tael: out of the woods", "松鼠党：林中来客"),
        "francesca_beautiful",
        "eithne", "iorveth", "isengrim",
        *three("dol_blathanna_scout"), *two("vrihedd_veteran"),
        "filavandrel", "yaevinn", "barclay", "ciaran", "milva",
        *three("dwarven_skirmisher", "elven_skirmisher", "havekar_smuggler"),
        *two("havekar_healer"), *three("mahakaman_defender"),
        "commanders_horn", "decoy", "scorch",
        "biting_frost", "torrential_rain", "clear_weather",
    ),
    ready(
        "starter_skellige", Faction.SKELLIGE,
        Text("Skellige: the blood of bears", "史凯利格：熊之血"),
        "crach",
        "hjalmar", "cerys", "ermion",
        "berserker", *three("young_berserker"),
        *three("craite_warrior", "shield_maiden", "light_longship"),
        *two("war_longship", "brokvar_archer"),
        "birna", "draig", "kambi", "blueboy_lugos", "madman_lugos",
        *two("mardroeme"), "commanders_horn", "decoy",
        "biting_frost", "clear_weather",
    ),
]

ADVANCED = [
    ready(
        "advanced_monsters", Faction.MONSTERS,
        Text("Monsters, advanced: the brood", "怪物（进阶）：巢群"),
        "eredin_bringer",
        "draug", "imlerith", "leshen", "kayran", "mysterious_elf",
        *three("arachas", "nekker", "ghoul"), "arachas_behemoth",
        "vampire_ekimmara", "vampire_fleder", "vampire_garkain", "vampire_bruxa",
        "vampire_katakan",
        "crone_brewess", "crone_weavess", "crone_whispess",
        "griffin", "toad",
        "decoy", "scorch", "impenetrable_fog", "torrential_rain", "clear_weather",
    ),
    ready(
        "advanced_nilfgaard", Faction.NILFGAARD,
        Text("Nilfgaard, advanced: the long arm", "尼弗迦德（进阶）：帝国之手"),
        "emhyr_relentless",
        "letho", "menno", "tibor",
        "shilard", "stefan_skellen", "etolian_archers",
        *four("impera_guard"), *three("nausicaa_rider"), *two("young_emissary"),
        *two("black_archer"), "heavy_fire_scorpion",
        "assire", "fringilla", "cynthia", "morteisen", "albrich",
        *two("decoy"), "commanders_horn", "scorch", "clear_weather",
    ),
    ready(
        "advanced_northern_realms", Faction.NORTHERN_REALMS,
        Text("Northern Realms, advanced: the siege", "北方领域（进阶）：围城"),
        "foltest_siegemaster",
        "vernon_roche", "philippa", "john_natalis", "triss",
        *three("blue_stripes_commando", "crinfrid_hunter"), *four("poor_infantry"),
        *two("catapult", "trebuchet"), *three("siege_expert"),
        "thaler", "dijkstra", "dun_banner_medic", "keira", "dethmold",
        *two("commanders_horn"), "decoy", "biting_frost", "clear_weather",
    ),
    ready(
        "advanced_scoiatael", Faction.SCOIATAEL,
        Text("Scoia'tael, advanced: one step ahead", "松鼠党（进阶）：先行一步"),
        "francesca_beautiful",
        "eithne", "iorveth", "isengrim",
        *three("dol_blathanna_scout"), *two("vrihedd_veteran"),
        "filavandrel", "yaevinn", "barclay", "ciaran", "milva",
        *three("dwarven_skirmisher", "elven_skirmisher", "havekar_smuggler"),
        *two("havekar_healer"), "schirru",
        "commanders_horn", "decoy", "scorch", "torrential_rain", "clear_weather",
    ),
    ready(
        "advanced_skellige", Faction.SKELLIGE,
        Text("Skellige, advanced: the transformation", "史凯利格（进阶）：化身为熊"),
        "crach",
        "hjalmar", "cerys", "ermion",
        "berserker", *three("young_berserker"),
        *three("craite_warrior", "shield_maiden", "light_longship", "war_longship"),
        "birna", "draig", "kambi", "olaf", "dimun_pirate",
        *two("mardroeme"), "commanders_horn", "decoy", "clear_weather",
    ),
]
# fmt: on

READY = {one.id: one for one in (*STARTERS, *ADVANCED)}


def deck_of(id: str) -> Deck:
    """The faces of a ready deck, its leader's too; KeyError."""
    return READY[id].deck


def ready_for(variant: str) -> list[Ready]:
    """The decks one may choose from where none was brought (GW-1.4, GW-13.1)."""
    return ADVANCED if variant in ("advanced", "tournament") else STARTERS


def decks_for(variant: str) -> Sequence[Deck]:
    """The decks that nobody has to bring: ready ones, or whole sets (GW-16.1)."""
    if variant in SOLO:
        return [for_the_seat(whole_set(faction)) for faction in FACTIONS]
    return [one.deck for one in ready_for(variant)]


@cache
def whole_set(faction: Faction) -> Deck:
    """All there is of a faction, leaders too, and what is open to all (GW-16.1)."""
    return tuple(
        one.id
        for one in FACES.values()
        if one.faction in (Faction.NEUTRAL, faction) and one.kind is not Kind.TOKEN
        for _ in range(one.copies)
    )


@cache
def for_the_seat(cards: Deck) -> Deck:
    """The seat's own set has no weather but Clear Weather (GW-16.2)."""
    return tuple(
        face
        for face in cards
        if FACES[face].kind is not Kind.WEATHER or FACES[face].has("clear_weather")
    )
