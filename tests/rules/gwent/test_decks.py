"""Which decks may be played: each fault alone, all faults together, the ready ones."""

from itertools import combinations

import pytest

from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.decks import faults
from services.engine.games.gwent.pieces import FACTIONS, Kind
from services.engine.games.gwent.starter import (
    ADVANCED,
    READY,
    STARTERS,
    deck_of,
    ready_for,
)

NORTH = deck_of("starter_northern_realms")
ADVANCED_NORTH = deck_of("advanced_northern_realms")
PLAIN = ["duel", "team", "free-for-all"]
ALL_THREE = tuple(one.deck for one in ADVANCED[:3])


def without(deck, *faces):
    """A deck without these cards, one copy for each time they are named."""
    left = list(deck)
    for face in faces:
        left.remove(face)
    return tuple(left)


def said(deck, variant="duel"):
    """(face, sentence) for every fault of one deck."""
    return [(one.face, one.text.en) for one in faults(variant, [deck])]


def units_of(deck):
    return [face for face in deck if CARDS[face].kind in (Kind.UNIT, Kind.HERO)]


# ---- ready decks ---------------------------------------------------------------------


@pytest.mark.case(49)
@pytest.mark.rule("GW-1.4")
@pytest.mark.parametrize("ready", READY.values(), ids=lambda one: one.id)
def test_a_ready_deck_is_legal_and_of_its_faction(ready):
    variant = "advanced" if ready in ADVANCED else "duel"
    assert faults(variant, [ready.deck]) == []
    assert CARDS[ready.deck[0]].kind is Kind.LEADER
    assert CARDS[ready.deck[0]].faction is ready.faction


def test_there_is_one_to_begin_with_and_one_advanced_for_each_faction():
    for decks in (STARTERS, ADVANCED):
        assert [one.faction for one in decks] == list(FACTIONS)
    assert ready_for("tournament") == ready_for("advanced") == ADVANCED
    assert ready_for("duel") == ready_for("team") == STARTERS


@pytest.mark.rule("GW-13.1")
@pytest.mark.parametrize("three", [*combinations(ADVANCED, 3)])
def test_any_three_advanced_decks_make_a_tournaments_set(three):
    assert faults("tournament", [one.deck for one in three]) == []


# The seed's first chapter says what each faction is good at.
CHARACTERS = {
    "monsters": ("muster", 8),
    "nilfgaard": ("spy", 2),
    "northern_realms": ("tight_bond", 9),
    "scoiatael": ("agile", 7),
    "skellige": ("berserker", 4),
}


@pytest.mark.parametrize("ready", READY.values(), ids=lambda one: one.id)
def test_a_ready_deck_plays_as_its_faction_does(ready):
    ability, least = CHARACTERS[ready.faction]
    cards = [CARDS[face] for face in ready.deck]
    assert sum(c.is_agile if ability == "agile" else c.has(ability) for c in cards) >= (
        least
    )


@pytest.mark.rule("GW-16.1")
def test_solo_takes_whole_sets_and_no_deck():
    assert faults("solo", []) == []
    (fault,) = faults("solo-leaders", [NORTH])
    assert (fault.deck, fault.text.en) == (
        0,
        "Whole sets are played here: bring no deck.",
    )


# ---- one deck ------------------------------------------------------------------------


@pytest.mark.parametrize("variant", PLAIN)
def test_to_bring_no_deck_is_allowed(variant):
    assert faults(variant, []) == []


@pytest.mark.note(74)
@pytest.mark.rule("GW-1.1")
def test_a_deck_has_exactly_one_leader():
    assert said(NORTH[1:]) == [("", "The deck has no leader.")]
    for other in ("foltest_king", "foltest_siegemaster"):
        ((face, text),) = said((*NORTH, other))
        assert face in (other, "foltest_siegemaster")
        assert text == "The deck has 2 leaders; it takes one."


@pytest.mark.rule("GW-1.1")
def test_every_card_is_of_the_leaders_faction_or_neutral():
    assert said((*NORTH, "geralt", "cow", "skellige_storm")) == []
    assert said((*NORTH, "draug", "letho")) == [
        ("draug", "Draug belongs to Monsters; this is a deck of Northern Realms."),
        (
            "letho",
            "Letho of Gulet belongs to Nilfgaard; this is a deck of Northern Realms.",
        ),
    ]


@pytest.mark.rule("GW-1.1")
def test_without_a_leader_the_deck_is_of_the_faction_of_most_cards():
    assert [face for face, _ in said((*NORTH[1:], "draug"))] == ["", "draug"]


@pytest.mark.note(74)
@pytest.mark.note(75)
@pytest.mark.rule("GW-1.2")
def test_a_deck_has_22_units_or_more_heroes_counted():
    units = units_of(NORTH)
    few = ("foltest_king", *units[:22])
    assert said(few) == []
    assert said(few[:-2]) == [
        ("", "2 of 22 units are missing: the deck has 20, heroes counted.")
    ]
    assert "1 of 22 units is missing" in said(few[:-1])[0][1]


@pytest.mark.note(74)
@pytest.mark.case(13)
@pytest.mark.rule("GW-1.2")
def test_ten_special_cards_at_most_weather_counted():
    bare = ("foltest_king", *units_of(NORTH))
    ten = [face for face in ("scorch", "decoy", "clear_weather") for _ in range(3)]
    ten = [*ten, "biting_frost"]
    assert said((*bare, *ten)) == []
    ((face, text),) = said((*bare, *ten, "biting_frost"))
    assert (face, text) == (
        "",
        "The deck has 11 special cards, weather counted; 10 at most.",
    )


@pytest.mark.rule("GW-1.2")
def test_a_deck_may_be_as_large_as_the_faction():
    every = [
        face
        for face, card in CARDS.items()
        if card.faction in ("northern_realms", "neutral")
        and card.kind in (Kind.UNIT, Kind.HERO)
        for _ in range(card.copies)
    ]
    assert said(("foltest_king", *every)) == []


@pytest.mark.note(74)
@pytest.mark.case(12)
@pytest.mark.rule("GW-1.3")
def test_no_more_copies_than_the_set_has():
    assert said((*NORTH, "ballista", "ballista")) == []
    assert said((*NORTH, "geralt", "geralt", "siege_expert")) == [
        ("geralt", "Geralt of Rivia: 2 copies, and the set has 1."),
        ("siege_expert", "Kaedweni Siege Expert: 4 copies, and the set has 3."),
    ]


@pytest.mark.rule("GW-1.3")
def test_no_card_of_the_side_deck():
    for face in ("bovine_defense_force", "hemdall"):
        ((of, text),) = said((*NORTH, face))
        assert of == face
        assert text.endswith("waits in the side deck and is never part of a deck.")


def test_what_is_no_card_of_gwent_is_named():
    found = said((*NORTH, "nobody", "skirmish/gamble", "x" * 5000))
    assert [face for face, _ in found] == ["nobody", "skirmish/gamble", "x" * 40]
    assert found[0][1] == "There is no card “nobody”."
    assert found[1][1] == "“skirmish/gamble” is a card of another game."
    assert len(found[2][1]) < 80


def test_an_absurd_deck_is_refused_as_a_whole():
    (fault,) = faults("duel", [("scorch",) * 100_000])
    assert fault.text.en.startswith("100000 cards are no deck")


def test_every_fault_is_named_at_once_in_both_languages():
    deck = ("geralt", "geralt", "draug", "nobody", *["scorch"] * 11)
    found = faults("advanced", [deck])
    assert [fault.face for fault in found] == [
        "",
        "",
        "",
        "geralt",
        "scorch",
        "nobody",
    ]
    assert all(fault.text.zh for fault in found)


def test_the_order_of_a_deck_does_not_matter():
    deck = (*NORTH, "draug", "geralt", "geralt")
    assert faults("duel", [deck]) == faults("duel", [deck[::-1]])


# ---- advanced ------------------------------------------------------------------------


@pytest.mark.rule("GW-12.1")
@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            ["scorch"],
            "The deck has 6 special cards, weather counted; 5 at most.",
        ),
        (["mysterious_elf"], "The deck has 3 spies; 2 at most."),
        (["yennefer", "yennefer"], "The deck has 3 medics; 2 at most."),
    ],
)
def test_an_advanced_deck_has_few_specials_spies_and_medics(more, sentence):
    spared = without(ADVANCED_NORTH, "trebuchet", "catapult")
    found = [text for _, text in said((*spared, *more), "advanced")]
    assert sentence in found
    assert sentence not in [text for _, text in said((*spared, *more))]


@pytest.mark.rule("GW-12.2")
def test_an_advanced_deck_has_130_points_of_strength_at_most():
    spared = without(ADVANCED_NORTH, "dijkstra")
    heaviest = (*spared, "siege_tower", "ves", "yarpen", "redanian_soldier")
    assert sum(CARDS[face].strength for face in heaviest) == 130
    assert said(heaviest, "advanced") == []
    ((face, text),) = said((*heaviest, "redanian_soldier"), "advanced")
    assert (face, text) == ("", "The printed strength of the deck is 131; 130 at most.")


@pytest.mark.rule("GW-12.1")
def test_an_advanced_deck_needs_22_units_too():
    few = ("foltest_king", *units_of(ADVANCED_NORTH)[:21])
    assert any("1 of 22 units" in text for _, text in said(few, "advanced"))


# ---- tournament ----------------------------------------------------------------------


def of_set(*decks):
    return [(one.deck, one.face, one.text.en) for one in faults("tournament", decks)]


@pytest.mark.rule("GW-13.1")
def test_a_tournament_takes_three_decks():
    assert of_set(*ALL_THREE[:1]) == [(1, "", "Bring 3 decks, not 1.")]
    four = of_set(*ALL_THREE, ADVANCED[3].deck)
    assert four == [(3, "", "Bring 3 decks, not 4.")]
    assert [one.text.en for one in faults("duel", ALL_THREE)] == [
        "Bring 1 deck, not 3."
    ]


@pytest.mark.rule("GW-13.1")
def test_a_tournaments_decks_are_of_three_factions():
    found = of_set(ALL_THREE[0], ALL_THREE[1], ALL_THREE[0])
    assert found[0] == (
        2,
        "",
        "Decks 1 and 3 are both of Monsters; each must have a faction of its own.",
    )


@pytest.mark.note(77)
@pytest.mark.rule("GW-13.1")
def test_no_hero_is_in_two_decks_of_a_tournament():
    monsters, nilfgaard, north = ALL_THREE
    light = without(north, "trebuchet", "catapult")
    elves = (*without(nilfgaard, "shilard"), "mysterious_elf")
    assert of_set(monsters, elves, light) == [
        (
            1,
            "mysterious_elf",
            "Mysterious Elf is in decks 1 and 2; a hero goes into one deck only.",
        )
    ]


@pytest.mark.rule("GW-13.1")
def test_each_deck_of_a_tournament_keeps_the_advanced_limits():
    monsters, nilfgaard, _ = ALL_THREE
    assert of_set(monsters, nilfgaard, NORTH) == [
        (2, "", "The deck has 6 special cards, weather counted; 5 at most.")
    ]
