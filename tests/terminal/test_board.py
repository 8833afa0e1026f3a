"""The board at 80 columns: what lies where, and never a cell too wide."""

import pytest
from rich.cells import cell_len

from anpai import Counter, View
from clients.terminal.screen.board import board, everything_open
from tests.terminal.scenes import (
    moments,
    place,
    plain,
    played,
    reader,
    second_round,
)

ENGLISH = """\
── Skirmish · Round 2 · Weather Fog ──────────────────────────────────────── #87
  陈晨 (bot) · Vulture · Total 21 · Soldiers in hand 9 · Tactics in hand 4
  Places first
    Scout row    Spotter 3 [Warded] · Spy 2 [Anna] · ▒
    Tactic slot  ▒
  Anna (you) · Wolf · Total 17 · Soldiers in hand 3 · Tactics in hand 1
    Assault row  ▒Forced Dispatch 4
    Sniper row   Sniper God 6→1
  Soldiers in hand Lurker 2 · Forced Dispatch 5 · Blind Shot 7
  Tactics in hand Fog
  Soldier deck 16 · Discard 1"""

CHINESE = """\
── 士兵战 · 回合 2 · 天气 雾 ─────────────────────────────────────────────── #87
  陈晨 (机器人) · 秃鹫 · 总点数 21 · 士兵手牌 9 · 战术手牌 4 · 先手
    侦察位  观察手 3 [受护理] · 间谍 2 [Anna] · ▒
    战术位  ▒
  Anna (你) · 战狼 · 总点数 17 · 士兵手牌 3 · 战术手牌 1
    突击位  ▒强行调度 4
    狙击位  狙神 6→1
  士兵手牌 猥琐流 2 · 强行调度 5 · 盲狙 7
  战术手牌 雾
  士兵牌堆 16 · 弃牌堆 1"""


def test_a_board_reads_like_the_table_it_shows():
    assert plain(board(second_round(), reader("en"), 80)) == ENGLISH


def test_the_same_board_in_chinese_fits_in_as_many_cells():
    assert plain(board(second_round(), reader("zh"), 80)) == CHINESE


def test_who_is_waited_for_has_an_arrow():
    view = second_round()
    view.asked.add(seat=1)
    assert "▸ 陈晨 (bot)" in plain(board(view, reader(), 80))


def test_a_spectator_sees_the_seats_in_order_and_no_hand():
    view = second_round()
    view.ClearField("viewer")
    shown = plain(board(view, reader(), 80))
    assert shown.index("Anna") < shown.index("陈晨")
    assert "(you)" not in shown


def test_a_game_without_a_hint_is_laid_out_by_what_it_has():
    view = View(game="whist", revision=3, viewer=0)
    view.seats.add(number=0, name="Anna")
    view.places.append(place("trick", 0, count=0))
    view.places.append(place("stock", None, count=40, apart=False))
    view.counters.append(Counter(name="tricks", seat=0, value=2))
    assert "Anna (you) · tricks 2" in plain(board(view, reader(), 80))
    assert "stock 40" in plain(board(view, reader(), 80))


def test_two_seats_of_one_name_are_numbered():
    view = second_round()
    view.seats[1].name = "Anna"
    shown = plain(board(view, reader(), 80))
    assert "Anna #1 (you)" in shown
    assert "Anna #2 (bot)" in shown


def test_l_lists_what_lies_open_and_no_hidden_face():
    shown = plain(everything_open(second_round(), reader(), 80))
    assert "Discard (1) Cover 3" in shown
    assert "陈晨's Tactic slot (1) ▒" in shown


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("seats", [2, 4])
def test_no_line_of_a_whole_game_is_wider_than_80_cells(seats, language):
    table, words = played(seats, seed=seats), reader(language)
    for moment in moments(table, viewer=0):
        for line in board(moment.after, words, 80):
            assert cell_len(line.plain.rstrip()) <= 80, line.plain
