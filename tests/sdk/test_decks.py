"""Decks as text: what a person may write, what is said of mistakes, and back again."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import anpai
from anpai import DeckUnreadable, LineTrouble, read_deck, read_decks, written
from anpai.decks import MOST_LINES


def face(id, name, kind="unit", faction="north"):
    attributes = {"faction": faction, "copies": "3"}
    return anpai.Face(id=f"toy/{id}", name=name, kind=kind, attributes=attributes)


ENGLISH = anpai.Catalog(
    game="toy",
    locale="en",
    faces=[
        face("king", "King: The Old", "leader"),
        face("queen", "Queen: The New", "leader", "south"),
        face("elf", "Síle d'Arc"),
        face("crone", "Crone: Weavess"),
        face("twin_1", "Twin"),
        face("twin_2", "Twin"),
        face("legion", "7 of the Legion"),
        face("hash", "Number #9"),
        face("rain", "Rain", "weather", "neutral"),
    ],
    words={"option.north": "Northern Realms", "option.south": "The South"},
)
CHINESE = anpai.Catalog(
    game="toy",
    locale="zh-CN",
    faces=[
        face("king", "国王：老的", "leader"),
        face("elf", "席儿·德·阿克"),
        face("rain", "倾盆大雨", "weather", "neutral"),
    ],
    words={"option.north": "北方领域"},
)

DECK = """
    # my first deck
    faction: Northern Realms
    leader: King: The Old

    3 Crone: Weavess      # they come together
    síle d’arc
    Rain
"""


def cards(*names):
    return tuple(f"toy/{name}" for name in names)


FIRST = cards("king", "elf", "crone", "crone", "crone", "rain")


def test_a_deck_is_read_with_its_leader_in_the_catalogues_order():
    assert read_deck(DECK, ENGLISH) == FIRST


@pytest.mark.parametrize(
    "line",
    [
        "Síle d'Arc",
        "sile D ARC",
        "elf",
        "toy/elf",
        "1 elf",
        "1x elf",
        "1× Síle d'Arc",
        "席儿·德·阿克",
        "1张席儿德阿克",
        "１ 席儿·德·阿克",
    ],
)
def test_a_card_goes_by_any_name_however_it_is_written(line):
    assert read_deck(line, ENGLISH, CHINESE) == cards("elf")


def test_a_chinese_deck_reads_the_same():
    text = "阵营：北方领域\n领袖：国王：老的\n倾盆大雨\n2 elf"
    expected = cards("king", "elf", "elf", "rain")
    assert read_deck(text, CHINESE) == expected
    assert read_deck(text, ENGLISH, CHINESE) == expected


def test_a_name_that_begins_with_a_number_is_no_count():
    assert read_deck("7 of the Legion", ENGLISH) == cards("legion")
    assert read_deck("2 7 of the Legion", ENGLISH) == cards("legion", "legion")


def faults_of(text, *catalogs):
    with pytest.raises(DeckUnreadable) as caught:
        read_deck(text, *(catalogs or (ENGLISH,)))
    return [(one.line, one.trouble, one.word) for one in caught.value.faults]


def test_every_mistake_is_named_at_once_with_its_line():
    text = """faction: Northen Realms
        leader: Rain
        0 Rain
        100 Rain

        Twin
        Somebody
        leader: King: The Old
        """
    assert faults_of(text) == [
        (1, LineTrouble.UNKNOWN_FACTION, "Northen Realms"),
        (2, LineTrouble.NOT_A_LEADER, "Rain"),
        (3, LineTrouble.BAD_COUNT, "0"),
        (4, LineTrouble.BAD_COUNT, "100"),
        (6, LineTrouble.AMBIGUOUS_CARD, "Twin"),
        (7, LineTrouble.UNKNOWN_CARD, "Somebody"),
        (8, LineTrouble.SAID_TWICE, "leader"),
    ]


def test_a_mistyped_name_comes_with_what_may_be_meant():
    with pytest.raises(DeckUnreadable) as caught:
        read_deck("2 Crone: Waevess\nTwin", ENGLISH)
    unknown, ambiguous = caught.value.faults
    assert unknown.hints[0] == "Crone: Weavess"
    assert ambiguous.hints == ("toy/twin_1", "toy/twin_2")
    assert str(unknown).startswith("line 1: there is no card 'Crone: Waevess'")


def test_a_leader_of_another_faction_is_told_at_the_factions_line():
    text = "leader: Queen: The New\nfaction: north\nRain"
    assert faults_of(text) == [(2, LineTrouble.OTHER_FACTION, "north")]


@pytest.mark.parametrize("text", ["", "\n# nothing\n", "faction: north"])
def test_a_text_without_cards_is_no_deck(text):
    ((_, trouble, _),) = faults_of(text)
    assert trouble is LineTrouble.NO_CARDS


def test_a_file_may_hold_three_decks_but_where_one_is_wanted_only_one():
    text = "Rain\n---\n2 elf\n-----\nleader: King: The Old"
    decks = [cards("rain"), cards("elf", "elf"), cards("king")]
    assert [one.deck for one in read_decks(text, ENGLISH)] == decks
    assert faults_of("Rain\n---\nelf") == [(2, LineTrouble.ANOTHER_DECK, "")]


def test_lines_are_numbered_on_from_deck_to_deck():
    with pytest.raises(DeckUnreadable) as caught:
        read_decks("Rain\n---\n\nNobody", ENGLISH)
    assert [fault.line for fault in caught.value.faults] == [4]


def test_a_deck_remembers_the_line_that_names_a_card_first():
    first, second = read_decks("\nRain\nelf\nRain\n---\nRain", ENGLISH)
    assert first.lines == {"toy/rain": 2, "toy/elf": 3}
    assert second.lines == {"toy/rain": 6}


def test_what_no_person_would_write_ends_quickly():
    assert faults_of("Rain\n" * 10_000) == [(MOST_LINES + 1, LineTrouble.TOO_LONG, "")]
    assert faults_of("9" * 100_000) == [(1, LineTrouble.TOO_LONG, "")]
    assert len(faults_of("nobody at all\n" * MOST_LINES)) == MOST_LINES


def test_a_deck_is_written_as_a_person_would():
    assert written(FIRST, ENGLISH, title="my first deck") == (
        "# my first deck\n"
        "faction: Northern Realms\n"
        "leader: King: The Old\n"
        "\n"
        "Síle d'Arc\n"
        "3 Crone: Weavess\n"
        "\n"
        "Rain\n"
    )
    assert written(cards("king", "rain"), CHINESE).splitlines() == [
        "阵营：北方领域",
        "领袖：国王：老的",
        "",
        "倾盆大雨",
    ]


def test_where_a_name_would_not_do_the_id_is_written():
    text = written(cards("twin_2", "legion", "hash"), ENGLISH)
    assert text.splitlines() == ["toy/twin_2", "toy/legion", "toy/hash"]


IDS = [one.id for one in ENGLISH.faces]


@given(st.lists(st.sampled_from(IDS), min_size=1, max_size=60))
@example(["toy/king", "toy/king"])
@example(["toy/queen", "toy/king", "toy/elf"])
def test_what_is_written_is_read_back(deck):
    expected = tuple(sorted(deck, key=IDS.index))
    assert read_deck(written(deck, ENGLISH), ENGLISH) == expected


def outcome(text):
    try:
        return read_deck(text, ENGLISH, CHINESE)
    except DeckUnreadable as error:
        return error.faults


LINES = st.sampled_from(["leader: queen", "faction: south", "2 elf", "---", "# no", ""])


@given(st.lists(LINES | st.text(max_size=30), max_size=12).map("\n".join))
def test_any_text_is_a_deck_or_a_list_of_mistakes(text):
    assert outcome(text)
