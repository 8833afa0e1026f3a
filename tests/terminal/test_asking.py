"""Questions as numbered lists, and what may be typed."""

import pytest

from anpai import question_of
from anpai.engine.v1.question_pb2 import (
    ChooseCards,
    ChooseMoves,
    ChooseWords,
    MoveOption,
    WordOption,
)
from anpai.engine.v1.question_pb2 import Question as Message
from clients.terminal.screen.asking import (
    NotUnderstood,
    asked,
    chosen,
    explained,
    listing,
)
from tests.terminal.scenes import plain, reader, second_round

PLACING = Message(
    id="q1",
    seat=0,
    name="place",
    min=0,
    max=1,
    moves=ChooseMoves(
        options=[
            MoveOption(id="h1>sniper", handle="h1", place="sniper", place_seat=0),
            MoveOption(id="h2>scout", handle="h2", place="scout", place_seat=1),
            MoveOption(id="h4>tactic", handle="h4", place="tactic", place_seat=0),
        ]
    ),
)


def ask(message, language="en"):
    return asked(second_round(), question_of(message), reader(language))


def words_of(number, least=1, most=1):
    options = [WordOption(id=f"option-{one}") for one in range(1, number + 1)]
    return ask(
        Message(
            id="q",
            name="throw",
            min=least,
            max=most,
            words=ChooseWords(options=options),
        )
    )


def test_options_are_numbered_in_the_order_of_the_catalogue():
    shown = plain(listing(second_round(), ask(PLACING), reader(), 80))
    assert shown == (
        "Lay a card face down, or say that you are done.\n"
        "   1 Lurker 2 → 陈晨's Scout row\n"
        "   2 Blind Shot 7 → Sniper row\n"
        "   3 Fog → Tactic slot\n"
        "   0 done placing (Enter)"
    )


def test_the_same_list_in_chinese():
    shown = plain(listing(second_round(), ask(PLACING, "zh"), reader("zh"), 80))
    assert shown == (
        "盖放一张牌，或者表示放置完毕。\n"
        "   1 猥琐流 2 → 陈晨的侦察位\n"
        "   2 盲狙 7 → 狙击位\n"
        "   3 雾 → 战术位\n"
        "   0 放置完毕（回车）"
    )


def test_a_face_down_card_is_named_by_where_it_lies():
    message = Message(id="q", name="sniper_god", min=1, max=1, cards=ChooseCards())
    for handle in ("s3", "s1"):
        message.cards.options.add(id=handle, handle=handle)
    shown = plain(listing(second_round(), ask(message), reader(), 80))
    assert "face-down card 3, 陈晨's Scout row" in shown
    assert "Spotter 3 [Warded] (陈晨's Scout row)" in shown


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("2", ["option-2"]),
        (" 1 3 ", ["option-1", "option-3"]),
        ("1,3", ["option-1", "option-3"]),
        ("1，2", ["option-1", "option-2"]),
        ("1、2", ["option-1", "option-2"]),
        ("１　３", ["option-1", "option-3"]),
        ("１－３", ["option-1", "option-2", "option-3"]),
        ("０", []),
        ("1-3", ["option-1", "option-2", "option-3"]),
        ("", []),
        ("0", []),
    ],
)
def test_what_may_be_typed(typed, expected):
    options = chosen(typed, words_of(4, least=0, most=4), reader())
    assert [option.id for option in options] == expected


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "must be answered"),
        ("0", "must be answered"),
        ("x", "Not understood: x"),
        ("5", "no option 5"),
        ("3-1", "no option 3-1"),
        ("1 1", "twice"),
        ("1 2 3", "Choose 1 to 2"),
        ("-1", "Not understood"),
        ("1-", "Not understood"),
    ],
)
def test_what_is_not_understood_is_said_in_a_sentence(typed, sentence):
    with pytest.raises(NotUnderstood, match=sentence):
        chosen(typed, words_of(4, least=1, most=2), reader())


def test_a_question_mark_explains_the_cards_among_the_options():
    shown = plain(explained(second_round(), ask(PLACING), reader(), [2], 80))
    assert shown == "  Blind Shot\n    -3 while nobody spots for it."


def test_all_options_are_explained_where_none_is_named():
    shown = plain(explained(second_round(), ask(PLACING), reader(), [], 80))
    assert [line for line in shown.splitlines() if line[2] != " "] == [
        "  Lurker",
        "  Blind Shot",
        "  Fog",
    ]
