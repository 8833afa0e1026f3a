"""Gwent in sentences: what happened, and what is asked."""

import pytest

from anpai import Event, Marker, Outcome, Place, question_of
from anpai.engine.v1.question_pb2 import ChooseCards
from anpai.engine.v1.question_pb2 import Question as Message
from clients.terminal.screen.asking import (
    NotUnderstood,
    asked,
    chosen,
    explain_like,
    explained,
    listing,
)
from clients.terminal.screen.page import is_worth_a_look
from clients.terminal.screen.telling import tell, tell_all
from tests.terminal.gwent import (
    duel,
    free_for_all,
    held,
    lying,
    playing,
    reader,
    solo,
    team,
)
from tests.terminal.scenes import moments, plain, played


def moved(*ways):
    """Each way: from, whose, to, whose, and the face if it is known."""
    event = Event(revision=123)
    for origin, start, to, end, face in ways:
        move = event.cards_moved.moves.add(to=Place(name=to, seat=end))
        getattr(move, "from").CopyFrom(Place(name=origin, seat=start))
        if face:
            move.card.CopyFrom(lying("x", face))
    return event


def told(event, view=None, language="en"):
    view = view or duel()
    return tell_all(event, view, view, reader(language))


# ---- what happened -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "english", "chinese"),
    [
        (
            ("hand", 1, "melee", 1, "poor_infantry"),
            "陈晨 plays Poor Infantry (Melee).",
            "陈晨打出可怜的步兵（近战排）。",
        ),
        (
            ("hand", 1, "melee", 0, "shilard"),
            "陈晨 plays Shilard Fitz-Oesterlen (Anna's Melee).",
            "陈晨打出希拉德·费兹-奥耶斯泰兰（Anna的近战排）。",
        ),
        (
            ("hand", 0, "weather", None, "biting_frost"),
            "Anna plays Biting Frost.",
            "Anna打出刺骨冰霜。",
        ),
        (("hand", 0, "discard", 0, "scorch"), "Anna plays Scorch.", "Anna打出烧灼。"),
        (("pile", 1, "hand", 1, None), "陈晨 draws a card (Pile).", None),
        (("hand", 1, "aside", 1, None), "陈晨 sets a card aside.", None),
        (
            ("melee", 0, "hand", 0, "vesemir"),
            "Anna takes Vesemir (Melee).",
            "Anna拿走维瑟米尔（近战排）。",
        ),
        (
            ("discard", 0, "siege", 1, "thaler"),
            "Anna brings back Thaler (陈晨's Siege).",
            None,
        ),
        (("box", 0, "leader", 0, "crach"), "Anna is led by Crach an Craite.", None),
    ],
)
def test_a_cards_way_is_told_in_the_words_of_the_game(way, english, chinese):
    assert told(moved(way)) == [english]
    if chinese:
        assert told(moved(way), language="zh") == [chinese]


def test_two_cards_out_of_a_hand_are_discarded_not_played():
    two = [("hand", 0, "discard", 0, face) for face in ("scorch", "decoy")]
    assert told(moved(*two)) == ["Anna discards Scorch and Decoy."]


def test_what_a_round_leaves_is_one_sentence_for_each_discard():
    event = moved(
        ("melee", 0, "discard", 0, "vesemir"),
        ("siege", 0, "discard", 0, "catapult"),
        ("melee", 1, "discard", 1, "letho"),
    )
    assert told(event) == [
        "Vesemir and Catapult → Anna's Discard.",
        "Letho of Gulet → 陈晨's Discard.",
    ]


def test_partners_share_a_row_a_total_and_a_round():
    event = moved(("hand", 2, "melee", 0, "griffin"))
    assert told(event, team()) == ["Cem plays Griffin (Melee)."]
    event = moved(("hand", 3, "melee", 0, "shilard"))
    assert "(Anna and Cem's Melee)" in told(event, team())[0]
    won = Event()
    won.declared.name, won.declared.seat, won.declared.number = "round_won", 1, 40
    assert told(won, team()) == ["The round goes to 陈晨 and Dora with 40."]


def test_strengths_are_told_as_totals_when_a_turn_begins():
    event, view = Event(), duel()
    event.markers_put.markers.add(name="strength", on="m1", value="5")
    assert told(event) == []
    event.marker_put.marker.CopyFrom(Marker(name="turn", on="seat:1"))
    assert told(event) == ["— Anna 72, 陈晨 10. 陈晨's turn."]
    event.marker_put.marker.on = "seat:0"
    assert tell(event, view, view, reader()) == []
    assert told(event, language="zh") == ["— Anna 72、陈晨 10。轮到Anna。"]


def test_the_end_tells_gems_and_a_draw_is_one():
    event = Event()
    event.ended.outcome.CopyFrom(Outcome(ranks=[1, 2], scores=[1, 0]))
    assert told(event)[0] == "Anna won (Gems 1)."
    event.ended.outcome.CopyFrom(Outcome(ranks=[1, 1], scores=[0, 0]))
    assert told(event)[0] == "A draw: nobody won."


def test_the_automaton_plays_and_wins_by_its_name():
    event = moved(("automaton_turned", None, "automaton_melee", None, "vesemir"))
    assert told(event, solo()) == ["Automaton plays Vesemir (Melee)."]
    assert told(event, solo(), "zh") == ["自动对手打出维瑟米尔（近战排）。"]
    end = Event()
    end.ended.outcome.CopyFrom(Outcome(ranks=[2], scores=[0]))
    assert told(end, solo())[0] == "Automaton won."
    end.ended.outcome.CopyFrom(Outcome(ranks=[1], scores=[0]))
    assert told(end, solo())[0] == "A draw: nobody won."


def test_after_the_last_seats_score_everybody_looks_at_the_table():
    event, view = Event(), free_for_all()
    event.declared.name = "scores"
    seats = []
    for event.declared.seat in range(3):
        seats += [event.declared.seat] if is_worth_a_look(event, view) else []
    assert seats == [2]


MODES = [
    ("duel", 2),
    ("team", 4),
    ("free-for-all", 3),
    ("solo-leaders", 1),
    ("tournament", 2),
]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("variant", "seats"), MODES)
def test_everything_is_told_in_words_not_names(variant, seats, language):
    words = reader(language)
    table = played(seats, 7, "gwent", variant)
    for moment in moments(table, viewer=1):
        for sentence in tell_all(moment.event, moment.before, moment.after, words):
            assert "{" not in sentence
            assert "gwent/" not in sentence
            assert "_" not in sentence


# ---- what is asked -------------------------------------------------------------------

TURN = playing(
    ("h01", "melee", 0),
    ("h00", "melee", 0),
    ("h03", "melee", 0),
    ("h03", "ranged", 0),
    ("h02", "discard", 0),
    ("l0", "leader", 0),
)


def ask(message=TURN, view=None, language="en"):
    view = view or duel()
    words = reader(language)
    now = asked(view, question_of(message), words)
    return now, plain(listing(view, now, words, 80))


def test_like_cards_are_one_option_and_a_cards_rows_stand_on_its_line():
    assert ask()[1] == (
        "Play a card, use your leader, or pass.\n"
        "   1 Olgierd von Everec 6 (Agile, Morale boost) → Melee   2 Ranged\n"
        "   3 Scorch\n"
        "   4 Poor Infantry 1 (Tight bond) → Melee\n"
        "   5 Leader: Foltest: The Siegemaster [Used]\n"
        "   0 pass"
    )


def test_the_same_list_in_chinese():
    assert ask(language="zh")[1].splitlines()[4:] == [
        "   5 领袖：弗尔泰斯特：攻城之王 [已使用]",
        "   0 弃权",
    ]


def test_units_on_the_table_that_read_alike_are_one_option_too():
    question = Message(id="q", name="decoy", min=1, max=1, cards=ChooseCards())
    for handle in ("s1", "s2", "r1"):
        question.cards.options.add(id=handle, handle=handle)
    assert ask(question)[1].splitlines()[1:] == [
        "   1 Keira Metz 5→1 (Ranged)",
        "   2 Catapult 8→32 (Tight bond) (Siege)",
    ]
    view = duel()
    view.markers.add(name="brought", on="s2", value="0")
    assert "3 Catapult" in ask(question, view)[1]


def test_a_spy_has_every_opponents_row_on_its_lines():
    view = free_for_all()
    view.viewer = 0
    view.places.append(held(0, "shilard"))
    spying = playing(("h00", "melee", 1), ("h00", "melee", 2))
    line = ask(spying, view)[1].splitlines()[1]
    assert line.endswith("(Spy) → Ben's Melee   2 陈晨's Melee")


def test_a_pass_is_typed():
    now, _ = ask()
    assert chosen("0", now, reader()) == []
    with pytest.raises(NotUnderstood, match="0 for: pass"):
        chosen("", now, reader())


def test_a_question_mark_tells_faction_row_strength_and_text():
    now, _ = ask()
    assert plain(explained(duel(), now, reader(), [4], 80)) == (
        "  Poor Infantry · Northern Realms · Melee · Strength 1\n"
        "    Tight bond: its strength is multiplied by the number of cards of this name"
        "\n    on your side."
    )


def test_decks_to_choose_among_are_explained_by_their_faction():
    message = playing()
    message.words.options.add(id="monsters")
    now = asked(duel(), question_of(message), reader())
    shown = plain(explained(duel(), now, reader(), [], 80))
    assert shown.startswith("  Monsters\n    After each round one of your units")


def test_a_word_is_explained_like_a_card():
    assert plain(explain_like("medic", reader(), 80)).splitlines()[-2:] == [
        "  Medic",
        "    Choose a unit of your discard pile, no hero; it is played at once.",
    ]
    assert explain_like("no such thing", reader(), 80) == []
