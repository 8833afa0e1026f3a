"""What each operation does to a table's cards, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.vault.holdings import Holdings
from services.vault.refusal import OperationRefused

FACES = tuple(f"face-{number}" for number in range(30))


class Table:
    """Holdings with a deck, resolved batch by batch under made-up digests."""

    def __init__(self, reface=None):
        self.holdings = Holdings("t", b"s" * 32, reface)
        self.number = 0
        self.does((("", ""), "begin"), ("deck", FACES, "build"))

    def does(self, *operations):
        """The result of the last operation of a batch."""
        self.number += 1
        return self.holdings.resolve(f"{self.number:064x}", operations)[-1]

    def draws(self, number, *seats):
        return self.does(("deck", number, seats, "draw")).cards


def handles(cards):
    return tuple(card.handle for card in cards)


def faces(cards):
    return [card.face for card in cards]


@pytest.fixture
def table():
    return Table()


def test_a_card_drawn_for_nobody_has_no_face(table):
    assert faces(table.draws(3)) == [None, None, None]


def test_a_card_drawn_for_a_seat_has_its_face(table):
    assert set(faces(table.draws(3, 1))) < set(FACES)


def test_a_deck_gives_each_card_once(table):
    drawn = faces(table.draws(30, 0))

    assert sorted(drawn) == sorted(FACES)
    assert drawn != list(FACES)


def test_showing_gives_the_face_of_the_card_that_was_drawn(table):
    hidden = table.draws(1)
    (shown,) = table.does((handles(hidden), (0,), "show")).cards

    assert shown.handle == hidden[0].handle
    assert shown.face in FACES


def test_a_concealed_card_is_the_same_under_a_new_handle(table):
    (card,) = table.draws(1, 0)
    (hidden,) = table.does(((card.handle,), (), "conceal")).cards
    (shown,) = table.does(((hidden.handle,), (-1,), "show")).cards

    assert hidden.handle != card.handle
    assert (hidden.face, shown.face) == (None, card.face)


def test_the_old_handle_of_a_concealed_card_is_gone(table):
    (card,) = table.draws(1, 0)
    table.does(((card.handle,), (), "conceal"))

    with pytest.raises(OperationRefused):
        table.does(((card.handle,), (0,), "show"))


def test_mixed_cards_are_the_same_ones_in_another_order(table):
    cards = table.draws(30, 0)
    mixed = table.does((handles(cards), (), "mix")).cards
    shown = table.does((handles(mixed), (-1,), "show")).cards

    assert faces(mixed) == [None] * 30
    assert sorted(faces(shown)) == sorted(faces(cards))
    assert faces(shown) != faces(cards)


def test_the_first_of_stacked_cards_is_drawn_first(table):
    cards = table.draws(3, 0)
    table.does(("deck", handles(cards), False, "stack"))

    assert faces(table.draws(3, 0)) == faces(cards)


def test_the_first_of_cards_laid_under_is_drawn_last(table):
    cards = table.draws(3, 0)
    table.does(("deck", handles(cards), True, "stack"))

    assert faces(table.draws(30, 0))[:-4:-1] == faces(cards)


def test_cards_shuffled_in_lie_anywhere(table):
    cards = table.draws(29, 0)
    table.does(("deck", handles(cards), "shuffle"))

    assert sorted(faces(table.draws(30, 0))) == sorted(FACES)


def test_dice_count_from_one(table):
    numbers = table.does((6, 300, "roll")).numbers

    assert set(numbers) == {1, 2, 3, 4, 5, 6}


def test_the_least_and_the_most_can_be_thrown_and_drawn(table):
    assert table.does((1, 2, "roll")).numbers == (1, 1)
    assert table.does((6, 0, "roll")).numbers == ()
    assert len(table.does((2**32, 1_000, "roll")).numbers) == 1_000
    assert sorted(table.does((3, 3, "pick")).numbers) == [0, 1, 2]
    assert table.does((3, 0, "pick")).numbers == ()


def test_lots_are_different_numbers(table):
    numbers = table.does((10, 10, "pick")).numbers

    assert sorted(numbers) == list(range(10))


def test_another_face_leaves_handles_order_and_draws_alone(table):
    other = Table(reface={3: "other"})
    drawn, refaced = table.draws(30, 0), other.draws(30, 0)

    assert handles(refaced) == handles(drawn)
    assert [("face-3" if one == "other" else one) for one in faces(refaced)] == faces(
        drawn
    )
    assert other.does((6, 9, "roll")) == table.does((6, 9, "roll"))


@pytest.mark.parametrize(
    "operation",
    [
        (("nobody",), (0,), "show"),
        (("nobody",), (0,), "conceal"),
        (("nobody",), (0,), "mix"),
        ("deck", ("nobody",), "shuffle"),
        ("deck", ("nobody",), False, "stack"),
        ("no deck", 1, (), "draw"),
        ("no deck", (), "shuffle"),
        ("deck", 31, (), "draw"),
        ("deck", ("a",), "build"),
        (0, 1, "roll"),
        (6, 1_001, "roll"),
        (6, -1, "roll"),
        (2**32 + 1, 1, "roll"),
        (3, 4, "pick"),
        ((), "begin"),
        ("",),
        (1, 2, "steal"),
    ],
)
def test_what_cannot_be_done_is_refused(table, operation):
    with pytest.raises(OperationRefused):
        table.does(operation)


def test_a_deck_that_has_run_empty_is_built_anew(table):
    table.does(("deck", 30, (), "draw"))

    table.does(("deck", ("a", "b"), "build"))

    assert sorted(faces(table.draws(2, 0))) == ["a", "b"]


def test_a_card_is_not_moved_twice_at_once(table):
    (card,) = table.draws(1, 0)

    with pytest.raises(OperationRefused):
        table.does(((card.handle, card.handle), (), "conceal"))


def test_nothing_happens_before_a_table_begins():
    with pytest.raises(OperationRefused):
        Holdings("t", b"s" * 32).resolve("0" * 64, [(6, 1, "roll")])


@given(st.lists(st.sampled_from(["draw", "conceal", "mix", "shuffle"]), max_size=20))
def test_no_handle_is_ever_given_twice(verbs):
    table, hand, given_out = Table(), [], []
    for verb in verbs:
        named = ()
        if verb == "draw" and len(hand) < 20:
            named = table.draws(2)
        elif verb in ("conceal", "mix"):
            named, hand = table.does((handles(hand), (), verb)).cards, []
        elif verb == "shuffle":
            table.does(("deck", handles(hand), "shuffle"))
            hand = []
        hand += named
        given_out += handles(named)

    assert len(set(given_out)) == len(given_out)
