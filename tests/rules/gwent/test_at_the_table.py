"""What may come to a table and what servers get wrong: bad answers, waiting."""

import pytest

from services.engine.kernel.ask import IllegalAnswer
from services.engine.kernel.entry import Draft, EntryKind
from services.engine.kernel.waiting import StaleQuestion
from tests.rules.gwent.layout import free_for_all, gwent, team, whole


def answers(table, seat, *choice, to=None):
    """Judged as any caller's answer is; `to` is the id of the question meant."""
    asked = table.play.question(seat.seat)
    return table.play.judge(seat.seat, to or asked[0], choice)


def refuses(table, seat, *choice):
    """Whether the open question does not take this answer, and still stands."""
    with pytest.raises(IllegalAnswer):
        answers(table, seat, *choice)
    return seat.is_asked is not None


def key(table, name, place):
    """How a move is named in an answer."""
    return f"{table.card(name).handle}>{place}"


# -- bad answers ---------------------------------------------------------------------


@pytest.mark.rule("GW-8.1")
def test_a_leader_that_was_used_is_refused():
    table = gwent("anna  Siegemaster\nben  hand: 2 Ves")
    horn = key(table, "Siegemaster", "leader:0")
    assert answers(table, table.anna, horn)
    table.anna.uses_leader()
    table.ben.plays("Ves")
    assert refuses(table, table.anna, horn)


@pytest.mark.rule("GW-8.14")
def test_an_undone_or_passive_leader_is_refused():
    table = gwent("anna  Siegemaster\nben  White Flame")
    assert refuses(table, table.anna, key(table, "Siegemaster", "leader:0"))
    table.anna.passes()
    assert refuses(table, table.ben, key(table, "White Flame", "leader:1"))


@pytest.mark.rule("GW-3.2")
def test_who_has_passed_answers_nothing_more():
    table = gwent("anna  hand: Ves\nben  hand: 2 Zoltan")
    asked, _ = table.play.question(0)
    ves = key(table, "Ves", "melee:0")
    table.anna.passes()
    with pytest.raises(StaleQuestion):
        answers(table, table.anna, ves, to=asked)
    with pytest.raises(StaleQuestion):
        answers(table, table.anna, ves, to=table.play.question(1)[0])


@pytest.mark.rule("GW-4.1", "GW-4.5", "GW-6.5")
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("Ves", "ranged:0"),  # not her row
        ("Ves", "melee:1"),  # not a spy
        ("Ves", "weather"),
        ("Ves", "discard:0"),
        ("Ves", "leader:0"),
        ("Thaler", "siege:0"),  # a spy on the own side
        ("Thaler", "melee:1"),
        ("Decoy", "melee:0"),  # a hero alone stands there
        ("Decoy", "melee:1"),  # the opponent's side
        ("Commander's Horn", "melee_slot:1"),
        ("Commander's Horn", "siege_slot:0"),  # taken
        ("Biting Frost", "melee:1"),
    ],
)
def test_a_place_that_is_not_offered_is_refused(name, place):
    table = gwent("""
        anna  hand: Ves, Thaler, Decoy, Commander's Horn, Biting Frost
              melee: Draug   siege slot: Mardroeme   ranged: Milva
        ben   melee: Zoltan
    """)
    assert refuses(table, table.anna, key(table, name, place))


@pytest.mark.rule("GW-4.7", "GW-6.5")
@pytest.mark.case(39)
@pytest.mark.parametrize("target", ["Draug", "Scorch", "Vesemir", "Birna"])
def test_a_target_that_is_not_offered_is_refused(target):
    table = gwent("""
        anna  hand: Birna   discard: Ves, Zoltan, Draug, Scorch
        ben   discard: Vesemir   hand: Cow
    """)
    table.anna.plays("Birna")
    assert table.anna.options == ["Ves", "Zoltan Chivay"]
    assert refuses(table, table.anna, table.card(target).handle)


@pytest.mark.note(113)
def test_options_of_another_question_are_refused():
    table = gwent("anna  hand: Birna, Ves   discard: Milva, Zoltan")
    move, card = key(table, "Ves", "melee:0"), table.card("Zoltan").handle
    assert refuses(table, table.anna, card)
    table.anna.plays("Birna")
    assert refuses(table, table.anna, move)
    assert answers(table, table.anna, card)


@pytest.mark.note(110, 111)
@pytest.mark.parametrize("name", ["Ves", "Milva", "Zoltan"])
def test_a_card_that_is_not_in_the_own_hand_is_refused(name):
    table = team("""
        anna  hand: Cow
        ben   hand: Ves
        cleo  hand: Milva
        dan   melee: Zoltan
    """)
    row = "ranged:0" if name == "Milva" else "melee:0"
    assert refuses(table, table.anna, key(table, name, row))


@pytest.mark.note(111)
@pytest.mark.parametrize("choice", ["", "0", "ves>melee:0", "gwent/ves", "Ves", ">"])
def test_a_hands_positions_and_names_are_no_answer(choice):
    table = gwent("anna  hand: Ves, Zoltan")
    assert refuses(table, table.anna, choice)


@pytest.mark.rule("GW-3.1")
def test_two_cards_in_one_turn_are_refused():
    table = gwent("anna  hand: Ves, Zoltan")
    both = [key(table, name, "melee:0") for name in ("Ves", "Zoltan")]
    assert refuses(table, table.anna, *both)


@pytest.mark.rule("GW-3.1")
@pytest.mark.case(50)
def test_of_two_answers_at_once_the_second_is_stale():
    table = gwent("anna  hand: Ves, Zoltan\nben  hand: Cow")
    asked, _ = table.play.question(0)
    table.anna.plays("Ves")
    with pytest.raises(StaleQuestion):
        answers(table, table.anna, key(table, "Zoltan", "melee:0"), to=asked)
    table.shows("anna  melee: Ves   hand: Zoltan")


@pytest.mark.note(113)
def test_another_seats_question_is_not_answered():
    table = gwent("anna  hand: Ves\nben  hand: Cow")
    with pytest.raises(StaleQuestion):
        answers(table, table.ben, to=table.play.question(0)[0])


@pytest.mark.note(73)
@pytest.mark.case(47)
def test_an_exchange_sent_twice_is_stale():
    table = whole()
    table.anna.chooses("starter_monsters")
    table.ben.chooses("starter_skellige")
    asked, question = table.play.question(0)
    table.anna.declines(of="exchange")
    with pytest.raises(StaleQuestion):
        answers(table, table.anna, question.ids[0], to=asked)


# -- waiting -------------------------------------------------------------------------


@pytest.mark.rule("GW-3.5")
@pytest.mark.note(34, 113)
def test_while_a_seat_chooses_the_turn_does_not_move_and_nobody_else_is_asked():
    table = gwent("anna  hand: Birna   discard: Ves, Zoltan\nben  hand: Cow")
    table.anna.plays("Birna")
    assert (table.turn, table.waits_for) == ("anna", ["anna: medic"])
    assert not table.anna.may_decline
    table.anna.runs_out_of_time()
    assert (table.turn, table.waits_for) == ("ben", ["ben: turn"])


@pytest.mark.rule("GW-3.5", "GW-1.10")
@pytest.mark.note(113)
def test_a_choice_has_a_time_and_the_next_turn_a_time_of_its_own():
    table = gwent("anna  hand: Birna   discard: Ves, Zoltan\nben  hand: Cow")
    whole_time = table.play.deadline(0)
    late(table, table.anna, 30_000)
    assert table.asked == "medic"
    assert table.play.deadline(0) == 30_000 + whole_time
    late(table, table.anna, 50_000)
    assert table.play.deadline(1) == 50_000 + whole_time


def late(table, seat, at):
    """The seat takes its first option, at this time."""
    choice = (seat.question.ids[0],)
    table.move(Draft(EntryKind.ANSWER, seat.seat, f"at{at}", choice, at))


@pytest.mark.rule("GW-8.1")
@pytest.mark.note(114)
@pytest.mark.case(13)
def test_a_leaders_use_starts_the_next_turns_clock():
    table = gwent("anna  Siegemaster   hand: nothing\nben  hand: Cow")
    whole_time = table.play.deadline(0)
    late(table, table.anna, 40_000)
    assert table.waits_for == ["ben: turn"]
    assert table.play.deadline(1) == 40_000 + whole_time


# -- what is seen, comes and counts --------------------------------------------------


@pytest.mark.rule("GW-1.9")
@pytest.mark.note(110)
def test_hands_and_piles_are_hidden_and_all_that_lies_open_is_seen():
    table = gwent("""
        anna  hand: Ves   pile: Milva   melee: Zoltan   discard: Scorch
        ben   hand: Cow
        weather: Biting Frost
    """)
    assert not table.ben.sees("Ves")
    assert not table.public_sees("Ves")
    for name in ("Zoltan", "Scorch", "Biting Frost", "Bovine"):
        assert table.public_sees(name)


@pytest.mark.rule("GW-4.3")
@pytest.mark.note(112)
@pytest.mark.case(31)
@pytest.mark.parametrize(
    ("cards", "played"),
    [
        ("hand: Young Berserker", "Young Berserker"),
        ("hand: Birna   discard: Young Berserker", "Birna"),
    ],
)
def test_a_berserker_is_transformed_whichever_way_it_comes(cards, played):
    table = gwent(f"anna  Skellige   {cards}   ranged slot: Mardroeme")
    table.anna.plays(played)
    came = table.names_in(table.side("anna").rows[1])
    assert came == ["Transformed Young Vildkaarl"]


@pytest.mark.rule("GW-4.3", "GW-9.5")
@pytest.mark.note(112)
def test_what_skellige_bring_back_comes_the_same_way():
    table = gwent("""
        anna  Skellige   discard: Young Berserker, Ermion, Birna, Vattier   pile: 2 Cow
        round: 2
        lots: 2, 1
    """)
    table.anna.passes()
    table.ben.passes()
    table.shows("""
        anna  melee: Birna   ranged: Young Berserker   hand: Vesemir, 2 Cow
              discard: Ermion
        ben   melee: Vattier
    """)


@pytest.mark.rule("GW-4.3", "GW-4.16")
@pytest.mark.note(112)
def test_what_was_summoned_is_counted_with_the_rest_of_its_row():
    table = gwent("""
        anna  hand: Scorch   ranged: Cow   melee slot: Commander's Horn
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Bovine 16   melee slot: Commander's Horn   total: 16
    """)


@pytest.mark.note(29, 115)
def test_seat_zero_and_strength_zero_are_as_good_as_any_other():
    table = free_for_all("""
        anna  ranged: Cow
        ben   hand: Thaler   pile: Ves, Zoltan
        cleo
        turn: ben
    """)
    table.ben.plays("Thaler", "anna's siege")
    table.shows("anna  ranged: Cow 0   siege: Thaler 1\nben  hand: Ves, Zoltan")
    assert table.totals == [1, 0, 0]
