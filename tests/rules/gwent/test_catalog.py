"""The catalogue: every card is what the set prints."""

from collections import Counter

import pytest

from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.pieces import Faction, Kind

# A line a card: `!` a hero, `+` of the side deck; strength, rows, copies, abilities.
PRINTED = {
    "neutral": """
        !geralt 15 M
        !ciri 15 M
        !triss 7 M
        !yennefer 7 R medic
        !mysterious_elf 0 M spy
        dandelion 2 M commanders_horn
        zoltan 5 M
        vesemir 6 M
        regis 5 M
        villentretenmerth 7 M scorch_melee
        olgierd 6 MR morale_boost
        gaunter_odimm 2 S muster
        gaunter_darkness 4 R x3 muster
        cow 0 R avenger
        +bovine_defense_force 8 M
    """,
    "special": """
        decoy x3 decoy
        commanders_horn x3 commanders_horn
        scorch x3 scorch
        mardroeme x3 mardroeme
    """,
    "weather": """
        biting_frost x3 weather
        impenetrable_fog x3 weather
        torrential_rain x3 weather
        skellige_storm x3 weather
        clear_weather x3 clear_weather
    """,
    "monsters": """
        !draug 10 M
        !imlerith 10 M
        !leshen 10 R
        !kayran 8 MR morale_boost
        toad 7 R scorch_ranged
        forktail 5 M
        earth_elemental 6 S
        fire_elemental 6 S
        fiend 6 M
        plague_maiden 5 M
        griffin 5 M
        werewolf 5 M
        botchling 4 M
        frightener 5 M
        ice_giant 5 S
        endrega 2 R
        cockatrice 2 R
        gargoyle 2 R
        grave_hag 5 R
        foglet 2 M
        wyvern 2 R
        harpy 2 MR
        celaeno_harpy 2 MR
        arachas 4 M x3 muster
        arachas_behemoth 6 S muster
        nekker 2 M x3 muster
        ghoul 1 M x3 muster
        vampire_ekimmara 4 M muster
        vampire_fleder 4 M muster
        vampire_garkain 4 M muster
        vampire_bruxa 4 M muster
        vampire_katakan 5 M muster
        crone_brewess 6 M muster
        crone_weavess 6 M muster
        crone_whispess 6 M muster
    """,
    "nilfgaard": """
        !letho 10 M
        !menno 10 M medic
        !morvran 10 S
        !tibor 10 R
        albrich 2 R
        assire 6 R
        cynthia 4 R
        fringilla 6 R
        morteisen 3 M
        rainfarn 4 M
        renuald 5 R
        rotten_mangonel 3 S
        sweers 2 R
        vanhemar 4 R
        vreemde 2 M
        cahir 6 M
        puttkammer 3 R
        heavy_fire_scorpion 10 S
        fire_scorpion 5 S
        siege_engineer 6 S
        shilard 7 M spy
        stefan_skellen 9 M spy
        vattier 4 M spy
        etolian_archers 1 R x2 medic
        siege_technician 0 S medic
        black_archer 10 R x2
        impera_guard 3 M x4 tight_bond
        nausicaa_rider 2 M x3 tight_bond
        young_emissary 5 M x2 tight_bond
    """,
    "northern_realms": """
        !vernon_roche 10 M
        !john_natalis 10 M
        !esterad 10 M
        !philippa 10 R
        thaler 1 S spy
        stennis 5 M spy
        dijkstra 4 M spy
        ves 5 M
        siegfried 5 M
        yarpen 2 M
        keira 5 R
        sile 5 R
        sabrina 4 R
        sheldon 4 R
        dethmold 6 R
        trebuchet 6 S x2
        ballista 6 S x2
        siege_tower 6 S
        catapult 8 S x2 tight_bond
        poor_infantry 1 M x4 tight_bond
        blue_stripes_commando 4 M x3 tight_bond
        crinfrid_hunter 5 R x3 tight_bond
        redanian_soldier 1 M x2
        siege_expert 1 S x3 morale_boost
        dun_banner_medic 5 S medic
    """,
    "scoiatael": """
        !eithne 10 R
        !saesenthessis 10 R
        !isengrim 10 M morale_boost
        !iorveth 10 R
        dennis_cranmer 6 M
        milva 10 R morale_boost
        ida_emean 6 R
        filavandrel 6 MR
        yaevinn 6 MR
        toruviel 2 R
        riordain 1 R
        ciaran 3 MR
        barclay 6 MR
        schirru 8 S scorch_siege
        havekar_smuggler 5 M x3 muster
        havekar_healer 0 R x3 medic
        vrihedd_veteran 5 MR x2
        vrihedd_recruit 4 R
        dol_blathanna_scout 6 MR x3
        dol_blathanna_archer 4 R
        dwarven_skirmisher 3 M x3 muster
        elven_skirmisher 2 R x3 muster
        mahakaman_defender 5 M x5
    """,
    "skellige": """
        !hjalmar 10 R
        !cerys 10 M muster
        !ermion 8 R mardroeme
        draig 2 S commanders_horn
        olaf 12 MR morale_boost
        holger 4 S
        madman_lugos 6 M
        donar 4 M
        udalryk 4 M
        blueboy_lugos 6 M
        svanrige 4 M
        armorsmith 4 M
        skald 4 M
        birna 2 M medic
        dimun_pirate 6 R scorch
        kambi 0 M avenger
        berserker 4 M berserker
        young_berserker 2 R x3 berserker
        craite_warrior 6 M x3 tight_bond
        shield_maiden 4 M x3 tight_bond
        light_longship 4 R x3 muster
        war_longship 6 S x3 tight_bond
        brokvar_archer 6 R x3
        +vildkaarl 14 M morale_boost
        +young_vildkaarl 8 R x3 tight_bond
        +!hemdall 11 M
    """,
}

LEADERS = {
    "monsters": """
        eredin_king
        eredin_commander
        eredin_destroyer
        eredin_bringer
        eredin_treacherous
    """,
    "nilfgaard": """
        emhyr_imperial
        emhyr_emperor
        emhyr_white_flame
        emhyr_relentless
        emhyr_invader
    """,
    "northern_realms": """
        foltest_king
        foltest_lord
        foltest_siegemaster
        foltest_steel_forged
        foltest_son_of_medell
    """,
    "scoiatael": """
        francesca_pureblood
        francesca_beautiful
        francesca_daisy
        francesca_queen
        francesca_hope
    """,
    "skellige": """
        crach
        king_bran
    """,
}

# Units, heroes and leaders of each faction, all copies; the side deck is not counted.
TOTALS = {
    Faction.MONSTERS: 46,
    Faction.NILFGAARD: 42,
    Faction.NORTHERN_REALMS: 43,
    Faction.SCOIATAEL: 43,
    Faction.SKELLIGE: 37,
    Faction.NEUTRAL: 16,
}

MAIN = (Kind.UNIT, Kind.HERO, Kind.LEADER)


def line_of(card):
    """A card as a line of PRINTED."""
    side = "+" if card.kind is Kind.TOKEN else ""
    hero = "!" if card.is_hero else ""
    fights = [str(card.strength), "".join(row[0].upper() for row in card.rows)]
    copies = f"x{card.copies}" if card.copies > 1 else ""
    abilities = [ability.name for ability in card.abilities]
    words = [side + hero + card.id, *(fights if card.rows else ()), copies, *abilities]
    return " ".join(word for word in words if word)


def chapter_of(card):
    """Special and weather cards are of no faction."""
    return card.kind if card.kind in (Kind.SPECIAL, Kind.WEATHER) else card.faction


@pytest.mark.case(71)
@pytest.mark.parametrize("chapter", PRINTED)
def test_every_card_is_what_the_set_prints(chapter):
    cards = [one for one in CARDS.values() if chapter_of(one) == chapter]
    lines = [line_of(one) for one in cards if one.kind is not Kind.LEADER]
    assert lines == [line.strip() for line in PRINTED[chapter].strip().splitlines()]


@pytest.mark.parametrize("faction", LEADERS)
def test_every_faction_has_its_leaders(faction):
    leaders = [one for one in CARDS.values() if one.kind is Kind.LEADER]
    found = [one.id for one in leaders if one.faction == faction]
    assert sorted(found) == sorted(LEADERS[faction].split())


@pytest.mark.case(10, 11)
@pytest.mark.parametrize("faction", TOTALS)
def test_the_sets_have_as_many_cards_as_the_box(faction):
    cards = [c for c in CARDS.values() if c.faction is faction and c.kind in MAIN]
    assert sum(card.copies for card in cards) == TOTALS[faction]


@pytest.mark.case(9)
def test_there_are_twelve_special_cards_and_fifteen_of_weather():
    copies = Counter()
    for card in CARDS.values():
        copies[card.kind] += card.copies
    assert (copies[Kind.SPECIAL], copies[Kind.WEATHER]) == (12, 15)
    assert {CARDS[one].copies for one in ("torrential_rain", "clear_weather")} == {3}
    assert (len(CARDS), copies[Kind.LEADER]) == (184, 22)


def test_side_decks_hold_what_is_summoned_and_nothing_else():
    tokens = {
        card.id: card.copies for card in CARDS.values() if card.kind is Kind.TOKEN
    }
    assert tokens == {
        "bovine_defense_force": 1,
        "vildkaarl": 1,
        "young_vildkaarl": 3,
        "hemdall": 1,
    }
    brought = {
        ability.faces[0]: card.copies
        for card in CARDS.values()
        for ability in card.abilities
        if ability.name in ("avenger", "berserker")
    }
    assert brought == tokens


def test_what_a_card_calls_is_in_the_set_and_musters_are_groups():
    calls = {
        (card.id, face)
        for card in CARDS.values()
        for ability in card.abilities
        for face in ability.faces
        if ability.name == "muster"
    }
    assert {face for _, face in calls} <= set(CARDS)
    one_way = {(card, face) for card, face in calls if (face, card) not in calls}
    assert one_way == {
        ("cerys", "shield_maiden"),
        ("gaunter_odimm", "gaunter_darkness"),
    }


def test_weather_touches_the_rows_it_names():
    rows = {
        card.id: " ".join(row for ability in card.abilities for row in ability.rows)
        for card in CARDS.values()
        if card.kind is Kind.WEATHER
    }
    assert rows == {
        "biting_frost": "melee",
        "impenetrable_fog": "ranged",
        "torrential_rain": "siege",
        "skellige_storm": "ranged siege",
        "clear_weather": "",
    }
