"""`anpai deck`: decks are built and checked with nothing running."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anpai import read_deck, written
from clients.terminal.__main__ import app
from clients.terminal.installed import catalog_of
from services.engine.games.gwent.starter import ADVANCED, READY

ENGLISH = ("--lang", "en")
LANGUAGES = ("en", "zh")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs `anpai deck` in a directory of its own."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments):
        result = CliRunner().invoke(app, ["deck", *map(str, arguments)])
        assert "Traceback" not in result.output
        assert "fault of anpai's own" not in result.output
        return result

    return command


@pytest.fixture
def file(tmp_path):
    """Writes decks to a file, `---` between them."""

    def write(name, *ids, more=""):
        texts = [
            written(whole(READY[id].deck), catalog_of("gwent", "en")) for id in ids
        ]
        path = tmp_path / name
        path.write_text("---\n".join(texts) + more, encoding="utf-8")
        return name

    return write


def whole(deck):
    return tuple(f"gwent/{face}" for face in deck)


def last(result):
    return json.loads(result.stdout.splitlines()[-1])


# ---- check ---------------------------------------------------------------------------


def test_a_legal_deck_is_told_in_numbers_and_exits_0(run, file):
    deck = file("mine.deck", "starter_northern_realms")
    result = run("check", deck, *ENGLISH)
    assert result.exit_code == 0
    assert "legal. Northern Realms, Foltest: The Siegemaster;" in flat(result.stdout)
    told = last(run("check", deck, "--json"))
    assert (told["legal"], told["variant"], told["faults"]) == (True, "duel", [])
    assert told["decks"][0]["units"] == 26
    assert told["decks"][0]["strength"] == 114


def flat(text):
    return " ".join(text.split())


def test_every_fault_is_told_with_the_line_of_its_card_and_exits_1(run, file):
    deck = file(
        "mine.deck", "starter_monsters", more="2 Geralt of Rivia\nLetho of Gulet"
    )
    result = run("check", deck, *ENGLISH)
    assert result.exit_code == 1
    said = flat(result.stdout)
    lines = len(Path(deck).read_text(encoding="utf-8").splitlines())
    assert f"{deck}:{lines - 1}: Geralt of Rivia: 2 copies, and the set has 1." in said
    assert f"{deck}:{lines}: Letho of Gulet belongs to Nilfgaard;" in said
    told = last(run("check", deck, "--json"))
    assert told["legal"] is False
    assert [fault["face"] for fault in told["faults"]] == [
        "gwent/geralt",
        "gwent/letho",
    ]
    assert [fault["line"] for fault in told["faults"]] == [lines - 1, lines]


def test_faults_are_told_in_the_language_asked_for(run, file):
    deck = file("mine.deck", "starter_monsters", more="2 Geralt of Rivia")
    assert "全套只有1张" in flat(run("check", deck, "--lang", "zh").stdout)


def test_the_advanced_limits_are_held_where_they_are_asked_for(run, file):
    deck = file("mine.deck", "starter_monsters")
    assert run("check", deck).exit_code == 0
    result = run("check", deck, "--advanced", *ENGLISH)
    assert result.exit_code == 1
    assert "special cards, weather counted; 5 at most" in flat(result.stdout)


def test_what_cannot_be_read_is_told_line_by_line_and_exits_2(run):
    deck = Path("mine.deck")
    deck.write_text("leader: Foltest\n3 Blue Stripe Comando\n0 Cow\n")
    result = run("check", deck, "none.deck", *ENGLISH)
    assert result.exit_code == 2
    said = flat(result.stdout)
    assert f"{deck}:1: there is no card “Foltest”." in said
    assert "Perhaps: Blue Stripes Commando" in said
    assert f"{deck}:3: a card is counted from 1 to 99, not 0." in said
    assert "none.deck: cannot be read: No such file or directory." in said
    told = last(run("check", deck, "--json"))["unreadable"]
    assert [(one["line"], one["trouble"]) for one in told] == [
        (1, "unknown_card"),
        (2, "unknown_card"),
        (3, "bad_count"),
    ]
    assert "没有“Foltest”这张牌" in flat(run("check", deck, "--lang", "zh").stdout)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"Cow\n" * 1_000_000])
def test_what_is_no_text_of_a_deck_is_not_read(run, content):
    deck = Path("mine.deck")
    deck.write_bytes(content)
    result = run("check", deck, *ENGLISH)
    assert result.exit_code == 2
    assert result.stdout.count("✗") == 1


def test_a_tournaments_decks_come_in_three_files_or_in_one(run, file):
    ids = [one.id for one in ADVANCED[:3]]
    assert run("check", file("all.deck", *ids), "--tournament").exit_code == 0
    files = [file(f"{id}.deck", id) for id in ids]
    assert run("check", *files, "--tournament").exit_code == 0
    result = run("check", *files[:2], files[0], "--tournament", *ENGLISH)
    assert result.exit_code == 1
    assert "Decks 1 and 3 are both of Monsters" in flat(result.stdout)
    result = run("check", *files[:2], "--tournament", *ENGLISH)
    assert "Bring 3 decks, not 2." in flat(result.stdout)


@pytest.mark.parametrize("options", [(), ("--advanced",), ("--tournament",)])
def test_a_game_without_decks_says_so(run, options):
    Path("mine.deck").write_text("skirmish/scout_7\n")
    for command in ("check", "show"):
        more = options if command == "check" else ()
        result = run(command, "mine.deck", "--game", "skirmish", *more, *ENGLISH)
        assert result.exit_code == 1
        assert result.stderr == "No decks are built for skirmish.\n"


def test_several_decks_of_a_file_are_shown_as_one_line_of_json(run, file):
    result = run("show", file("two.deck", *list(READY)[:2]), "--json")
    assert len(result.stdout.splitlines()) == 1
    assert [len(one["cards"]) > 10 for one in last(result)] == [True, True]


def test_decks_for_other_games_are_looked_at_one_by_one(run, file):
    assert run("check", file("two.deck", *list(READY)[:2])).exit_code == 0


# ---- new and show --------------------------------------------------------------------


@pytest.mark.parametrize(
    "faction", ["monsters", "Scoiatael", "Northern Realms", "怪物"]
)
@pytest.mark.parametrize("options", [(), ("--advanced",)])
def test_a_new_deck_is_legal(run, tmp_path, faction, options):
    result = run("new", "gwent", "--faction", faction, *options, *ENGLISH)
    assert result.exit_code == 0
    (deck,) = tmp_path.glob("*.deck")
    assert run("check", deck, *options).exit_code == 0
    assert f"anpai deck check {deck.name}" in flat(result.stdout)


def test_a_new_deck_comes_with_all_cards_it_could_have(run):
    said = run("new", "gwent", "--faction", "skellige", *ENGLISH).stdout
    lines = [flat(line) for line in said.splitlines()]
    assert "3/3 Young Berserker 2 Ranged Berserker" in lines
    assert "0/1 Geralt of Rivia 15 Melee" in lines
    assert "2/3 Mardroeme" in lines
    assert not any("Hemdall" in line or "Vernon" in line for line in lines)
    assert "\x1b" not in said


def test_a_deck_that_is_there_is_not_overwritten(run, tmp_path):
    (tmp_path / "mine.deck").write_text("Cow\n")
    options = ("new", "gwent", "--faction", "skellige", "-o", "mine.deck")
    result = run(*options, *ENGLISH)
    assert result.exit_code == 1
    assert result.stderr == "mine.deck is there already; name another with -o.\n"
    assert (tmp_path / "mine.deck").read_text() == "Cow\n"


def test_what_cannot_be_built_is_a_sentence(run):
    result = run("new", "gwent", "--faction", "elves", *ENGLISH)
    assert result.exit_code == 1
    assert result.stderr.startswith("There is no faction elves. There is: Monsters,")
    assert run("new", "skirmish", "--faction", "x").exit_code == 1
    assert run("new", "chess", "--faction", "x").exit_code == 1


def test_show_lists_the_deck_or_the_starter_decks_cards_or_all(run, file):
    deck = file("mine.deck", "starter_nilfgaard")
    counts = []
    for options in ((), ("--set", "base"), ("--set", "all")):
        told = last(run("show", deck, *options, "--json"))
        counts.append(len(told["cards"]))
        used = sum(card["used"] for card in told["cards"])
        assert used == len(READY["starter_nilfgaard"].deck)
        assert all(card["used"] <= card["available"] for card in told["cards"])
    assert counts[0] < counts[1] < counts[2]
    said = run("show", deck, "--lang", "zh").stdout
    assert "尼弗迦德，恩希尔·恩瑞斯：皇帝陛下。单位26张" in flat(said)
    assert "4/4  近卫军" in said


def test_show_of_what_is_no_deck_exits_2(run):
    assert run("show", "none.deck").exit_code == 2


# ---- every card by every name --------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_of_gwent_is_found_by_its_name_and_its_id(language):
    catalogs = [catalog_of("gwent", one) for one in LANGUAGES]
    for face in catalog_of("gwent", language).faces:
        for name in (face.name, face.id, face.id.removeprefix("gwent/")):
            assert read_deck(name, *catalogs) == (face.id,)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", READY)
def test_every_ready_deck_is_written_with_names_and_read_back(id, language):
    catalog = catalog_of("gwent", language)
    text = written(whole(READY[id].deck), catalog)
    assert "gwent/" not in text
    assert sorted(read_deck(text, catalog)) == sorted(whole(READY[id].deck))
