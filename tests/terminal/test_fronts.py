"""Gwent's board: two sides of three rows, or one beneath each other for more."""

from pathlib import Path

import pytest
from rich.cells import cell_len

from clients.terminal.screen.board import board
from tests.terminal.gwent import duel, free_for_all, reader, solo, team
from tests.terminal.scenes import moments, plain, played

BOARDS = Path(__file__).parent / "boards"
SCENES = {"duel": duel, "team": team, "free_for_all": free_for_all, "solo": solo}


@pytest.mark.parametrize(("language", "width"), [("en", 100), ("zh", 80)])
@pytest.mark.parametrize("scene", SCENES)
def test_a_board_reads_as_it_did(scene, language, width):
    shown = plain(board(SCENES[scene](), reader(language), width)) + "\n"
    assert shown == (BOARDS / f"{scene}.{language}.txt").read_text(encoding="utf-8")


def test_who_is_waited_for_has_an_arrow_partners_each_their_own():
    one, two = duel(), team()
    one.asked.add(seat=1)
    two.asked.add(seat=2)
    assert "▸  10  陈晨" in plain(board(one, reader(), 80))
    assert "     ▸ Cem · Hand 2" in plain(board(two, reader(), 80))


def test_a_spectator_sees_the_first_seat_above_and_no_hand():
    view = duel()
    view.ClearField("viewer")
    for place in view.places:
        if place.place.name == "hand":
            del place.cards[:]
    shown = plain(board(view, reader(), 80))
    assert shown.index("Anna") < shown.index("陈晨 ·")
    assert "Poor Infantry" not in shown
    assert "(you)" not in shown


def test_what_is_weaker_or_stronger_than_printed_has_a_colour():
    tones = {
        line.plain[span.start : span.end]: span.style
        for line in board(duel(), reader(), 100)
        for span in line.spans
    }
    assert tones["Keira Metz 5→1"] == "red"
    assert tones["Catapult 8→32 ×2"] == "green"
    assert "★Letho of Gulet 10" not in tones


MODES = [("duel", 2), ("advanced", 2), ("team", 4), ("free-for-all", 5), ("solo", 1)]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("variant", "seats"), MODES)
def test_no_line_of_a_whole_game_is_wider_than_80_cells(variant, seats, language):
    table = played(seats, seats, "gwent", variant)
    words = reader(language)
    for moment in list(moments(table, viewer=0))[::7]:
        for line in board(moment.after, words, 80):
            assert cell_len(line.plain.rstrip()) <= 80, line.plain
