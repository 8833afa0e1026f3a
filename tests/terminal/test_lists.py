"""Boards and tables as lists: who is best, and where one sits."""

import io
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from anpai import Assignment, Rating
from clients.terminal.commands import leaderboard, tables
from clients.terminal.commands.leaderboard import Page
from clients.terminal.commands.play import CLOSED, no_seat
from clients.terminal.commands.tables import Seat
from clients.terminal.finding import Where, option_for
from clients.terminal.words import Words

SPACED = Where("127.0.0.1:1", Path("."), option_for(Path("my games")))
HERE = Where("127.0.0.1:1", Path("."), " --dir here")
ANNA = Rating(player_id="p-a", name="Anna", rank=1, points=1069, games=3, wins=2)
CHEN = Rating(player_id="p-c", name="陈晨", rank=2, points=987, games=2)
NEW = Rating(player_id="p-n", points=1000)


def shown(tell, *told, language="en") -> str:
    said = io.StringIO()
    tell(*told, Words(language), Console(file=said, width=80, color_system=None))
    return said.getvalue()


def a_page(*ratings, number=1, is_last=True, own=NEW) -> Page:
    return Page("gwent", "duel", number, list(ratings), is_last, own)


def test_a_board_has_a_line_for_each_and_says_where_one_stands():
    text = shown(leaderboard.print_page, a_page(ANNA, CHEN, own=CHEN))

    lines = text.splitlines()
    assert lines[0] == "gwent, duel: the best"
    assert lines[1].split() == ["#", "player", "points", "games", "won"]
    assert lines[2].split() == ["1", "Anna", "1069", "3", "2"]
    assert lines[3].split() == ["2", "陈晨", "987", "2", "0"]
    assert lines[4] == "You: place 2, 987 points."
    assert max(map(cell_len, lines)) <= 80


def test_whoever_has_not_played_is_told_of_no_place():
    assert "You:" not in shown(leaderboard.print_page, a_page(ANNA))


def test_a_page_that_is_not_the_last_names_the_next():
    text = shown(leaderboard.print_page, a_page(ANNA, number=2, is_last=False))

    assert text.splitlines()[-1] == "Next: --page 3"


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, "Nobody has played a rated game of gwent, duel yet."),
        (9, "There is no such page."),
    ],
)
def test_an_empty_page_is_a_sentence(number, told):
    assert shown(leaderboard.print_page, a_page(number=number)).strip() == told


def test_a_board_reads_in_chinese():
    text = shown(leaderboard.print_page, a_page(CHEN, own=CHEN), language="zh")

    assert text.splitlines()[0] == "gwent duel：排行榜"
    assert "你：第2名，987分。" in text


def a_seat(number: int, is_asked: bool) -> Seat:
    at = Assignment(table_id=f"t-{number}", game="gwent", seat=number, seats=2)
    return Seat(at, "Gwent · Duel", is_asked)


def print_seats(*told) -> None:
    seats, *rest = told
    tables.print_seats(seats, "Anna", HERE, *rest)


def test_seats_are_listed_with_whose_move_it_is():
    lines = shown(print_seats, [a_seat(0, True), a_seat(1, False)]).splitlines()

    assert lines == [
        "t-0  Gwent · Duel, seat 1 of 2, your move",
        "t-1  Gwent · Duel, seat 2 of 2",
        "Go on at one with: anpai play --table TABLE --dir here --name Anna",
    ]


def test_who_sits_nowhere_is_told_how_to_find_a_seat():
    assert "anpai play --dir here --name Anna" in shown(print_seats, [])


def test_what_is_to_be_typed_next_can_be_typed_as_it_is_shown():
    text = shown_at(SPACED, name="Anna B")

    assert "anpai play --dir 'my games' --name 'Anna B'" in text


def shown_at(where, name):
    said = io.StringIO()
    out = Console(file=said, width=80, color_system=None)
    tables.print_seats([], name, where, Words("en"), out)
    return said.getvalue()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_why_a_ticket_is_closed_is_said_in_words(language):
    words = Words(language)
    known = {why: no_seat(why, words) for why in CLOSED}

    assert len(set(known.values())) == len(CLOSED)
    assert not any(why in said for why, said in known.items() if "_" in why)
    assert "moon_too_full" in no_seat("moon_too_full", words)
