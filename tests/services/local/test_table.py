"""LocalTable: a whole game in one process."""

import pytest

from services.engine.games import GAMES
from services.engine.kernel.ask import IllegalAnswer
from services.engine.kernel.waiting import StaleQuestion
from services.local import LocalTable
from tests.services.local.conftest import finished

SKIRMISH = GAMES["skirmish"]


def test_a_game_goes_from_its_opening_to_its_outcome(game):
    assert game.outcome is not None
    assert game.waiting() == ()


def test_the_same_seed_and_answers_give_the_same_game(game):
    assert finished().disclosure() == game.disclosure()


def test_a_nonce_gives_another_deal(game):
    other = finished(nonces=("", "ab" * 32))

    assert other.commitment == game.commitment
    assert [one.results for one in other.ledger] != [one.results for one in game.ledger]


def test_without_a_seed_every_table_has_its_own():
    first, second = (LocalTable(SKIRMISH, 2) for _ in range(2))

    assert first.commitment != second.commitment


def test_an_illegal_answer_leaves_the_table_as_it_was():
    table = LocalTable(SKIRMISH, 2, seed=1)
    seat = table.waiting()[0]

    with pytest.raises(IllegalAnswer):
        table.answer(seat, ["no such option"])

    assert table.waiting()[0] == seat
    assert table.entries[-1].kind.value == "start"


def test_only_an_asked_seat_answers():
    table = LocalTable(SKIRMISH, 2, seed=1)

    with pytest.raises(StaleQuestion):
        table.answer(7, [])


def test_an_answer_may_name_options_or_their_ids():
    by_id, by_option = (LocalTable(SKIRMISH, 2, seed=1) for _ in range(2))
    seat = by_id.waiting()[0]
    question, same = by_id.question(seat), by_option.question(seat)

    by_id.answer(seat, question.ids[: question.most])
    by_option.answer(seat, same.options[: same.most])

    assert by_id.entries == by_option.entries


def test_another_face_on_a_card_changes_no_handle_and_no_order():
    table = LocalTable(SKIRMISH, 2, seed=1)
    swap = {0: "swapped"}

    other = LocalTable(SKIRMISH, 2, seed=1, reface=swap)

    assert handles(other) == handles(table)
    assert other.play.head == table.play.head
    assert [face for face in faces(other) if face == "swapped"] in ([], ["swapped"])


def handles(table):
    return [card.handle for card in dealt(table)]


def faces(table):
    return [card.face for card in dealt(table)]


def dealt(table):
    return [
        card for one in table.ledger for result in one.results for card in result[0]
    ]
