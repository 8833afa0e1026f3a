"""RULES 2: principles."""

import pytest

from tests.rules.skirmish.layout import placing, reckoning, turning_up, window


@pytest.mark.rule("SK-2.1")
def test_a_face_down_brother_counts_for_no_brother():
    table = turning_up("""
        anna  sniper: (Quick Draw)
        ben   scout: Band of Brothers, (Band of Brothers)   assault: (Rookie)
    """)
    assert table.turned_up[0] == "Quick Draw"
    assert "Band of Brothers" in table.discarded
    assert "Rookie" not in table.fallen


@pytest.mark.rule("SK-2.1")
def test_a_face_down_rookie_shields_nobody():
    table = turning_up("""
        anna  sniper: (Sniper God)
        ben   sniper: (Rookie), Recluse
    """)
    assert table.anna.options == ["Recluse", "Rookie"]


@pytest.mark.rule("SK-2.1")
def test_a_face_down_cover_saves_nobody():
    table = turning_up("""
        anna  sniper: (Quick Draw)
        ben   scout: (Cover)   assault: Rookie
    """)
    assert table.turned_up[0] == "Quick Draw"
    assert "Rookie" in table.fallen
    assert table.asked is None


@pytest.mark.rule("SK-2.1")
def test_a_face_down_soldier_is_a_body_on_its_side():
    table = turning_up("""
        anna  sniper: (Quick Draw)
        ben   sniper: Recluse   scout: (Lurker), (Cover), (Spotter)
    """)
    assert "Recluse" in table.fallen


@pytest.mark.rule("SK-2.2")
def test_what_must_be_done_is_done_unasked_or_not_at_all():
    table = turning_up("""
        anna  sniper: (Sniper God)   tactic: (Coercion)
        ben   hand: Rookie
    """)
    table.anna.turns_up("Coercion")
    assert table.is_over
    assert table.fallen == []


@pytest.mark.rule("SK-2.2")
@pytest.mark.parametrize(
    ("question", "position"),
    [
        ("bomb", "anna  assault: (Suicide Bomber), (Rookie)"),
        ("call_up", "anna  assault: (Call of Duty)   hand: Rookie"),
        ("chase", "anna  assault: (Soul Chaser)"),
        ("cover", "anna  scout: Cover   sniper: Recluse, (Sniper God)"),
        ("salute", "anna  scout: Rookie {=1}   tactic: (French Salute)"),
        ("scavenge", "anna  Vulture   sniper: (Recluse)"),
    ],
)
def test_what_a_card_says_may_be_done_may_be_declined(question, position):
    table = window(f"""
        {position}
        ben   scout: Lurker   hand: Hot Blood
        discard: Bugle Call {{fell}}
        soldier deck: Adrenaline
    """)
    table.quiet(until=question)
    assert table.anna.may_decline


@pytest.mark.rule("SK-2.2")
@pytest.mark.parametrize(
    ("card", "question"),
    [
        ("scout: (Part-time Medic), Lurker", "ward"),
        ("sniper: (Quick Draw)", "quick_draw"),
        ("tactic: (Gene Mutation)   scout: Lurker", "mutate"),
        ("tactic: (Coercion)", "coerce"),
        ("tactic: (Resurrection)", "raise"),
    ],
)
def test_what_must_be_done_may_not_be_declined(card, question):
    table = turning_up(f"""
        anna  {card}
        ben   assault: Hot Blood, Soul Chaser   scout: Spotter
        discard: Cover, Bugle Call
    """)
    assert table.asked == question
    assert not table.anna.may_decline


@pytest.mark.rule("SK-2.3")
def test_a_single_public_choice_is_not_asked():
    table = turning_up("""
        anna  sniper: (Sniper God)
        ben   sniper: (Recluse)
    """)
    assert table.anna.is_asked is None
    assert "Recluse" in table.fallen


@pytest.mark.rule("SK-2.3")
def test_a_single_choice_out_of_a_hand_is_asked_all_the_same():
    table = placing("""
        anna  hand: Rookie
        ben   hand: Lurker
    """)
    assert table.anna.is_asked == "place"
    assert table.anna.options == ["Rookie to assault"]


@pytest.mark.rule("SK-2.3")
def test_an_empty_list_is_asked_if_only_the_seat_knows_that_it_is_empty():
    table = turning_up("""
        anna  scout: Lone Ranger   assault: (Call of Duty)   hand: Spotter
        ben   hand: Lurker
    """)
    assert table.anna.is_asked == "call_up"
    assert table.anna.options == []


@pytest.mark.rule("SK-2.3")
def test_every_face_down_soldier_is_a_choice_where_one_is():
    table = turning_up("""
        anna  tactic: (Coercion)
        ben   sniper: (Seeing Eye), (Recluse)   scout: Lurker {warded}
    """)
    assert table.anna.options == ["Recluse", "Seeing Eye"]


@pytest.mark.rule("SK-2.3")
def test_time_to_answer_does_not_depend_on_the_list():
    table = window("""
        anna  assault: (Suicide Bomber)
        ben   assault: (Rookie)
    """)
    clocks = table.play.game.clocks
    assert clocks.seconds(table.anna.is_asked) == clocks.seconds(table.ben.is_asked)


@pytest.mark.rule("SK-2.4")
def test_who_runs_out_of_time_places_a_soldier_by_lot_then_is_done():
    table = placing(
        """
        anna  hand: Snow, Rookie, Spotter, Hot Blood
        ben   hand: Lurker
        """,
        lots=[1],
    )
    table.anna.runs_out_of_time()
    assert table == "anna  scout: (Spotter)"
    table.anna.runs_out_of_time()
    assert table.waits_for == ["ben: place"]


@pytest.mark.rule("SK-2.4")
def test_who_runs_out_of_time_after_a_tactic_still_places_a_soldier():
    table = placing("""
        anna  hand: Snow, Rookie
        ben   hand: Lurker
    """)
    table.anna.places("Snow").runs_out_of_time()
    assert table == "anna  assault: (Rookie)   tactic: (Snow)"


@pytest.mark.rule("SK-2.4")
def test_who_runs_out_of_time_turns_up_what_was_placed_first():
    table = turning_up("""
        anna  sniper: (Recluse)   scout: (Lurker)   tactic: (Snow)
        ben   hand: Rookie
    """)
    table.anna.runs_out_of_time()
    assert table.turned_up == ["Recluse"]


@pytest.mark.rule("SK-2.4")
def test_who_runs_out_of_time_declines_what_may_be_declined():
    table = turning_up("""
        anna  assault: (Call of Duty)   hand: Rookie
        ben   hand: Lurker
    """)
    table.anna.runs_out_of_time()
    assert table.anna.hand == ["Rookie"]


@pytest.mark.rule("SK-2.4")
def test_what_must_be_chosen_chance_chooses():
    table = turning_up(
        """
        anna  tactic: (Coercion)
        ben   assault: Rookie, Hot Blood, Adrenaline
        """,
        lots=[2],
    )
    table.anna.runs_out_of_time()
    assert table.points == [6, 7]


@pytest.mark.rule("SK-2.5")
def test_a_ward_goes_with_its_soldier_and_is_lost_when_it_leaves():
    table = turning_up("""
        anna  sniper: (Sniper God)   tactic: (Resurrection)
        ben   sniper: Recluse {warded}
    """)
    table.anna.turns_up("Sniper God")
    assert "Recluse" in table.fallen
    assert table.attack("Recluse") == 7
    assert table.heard("ward") == []


@pytest.mark.rule("SK-2.5")
def test_a_mutation_goes_with_its_soldier_to_another_side():
    table = turning_up("""
        anna  tactic: (Coercion)
        ben   scout: Bugle Call {x2}
    """)
    assert table.attack("Bugle Call") == 6
    assert table.points == [6, 0]


@pytest.mark.rule("SK-2.5")
def test_wolfs_leave_goes_with_its_soldier_to_another_side():
    table = turning_up("""
        anna  tactic: (Coercion)
        ben   Wolf  scout: Forced Dispatch 13
    """)
    assert table.points == [4, 0]


@pytest.mark.rule("SK-2.5")
def test_the_gambles_zero_lies_on_sides():
    table = turning_up("""
        anna  tactic: (Coercion)
        ben   scout: Bugle Call
        gambled: ben
    """)
    assert table.points == [3, 0]


@pytest.mark.rule("SK-2.5", "SK-6.1")
def test_nothing_outlives_the_round():
    table = reckoning("""
        anna  scout: Lurker {x2, warded, as Rookie}   hand: Rookie
        ben   hand: Spotter
        weather: Snow
        disaster: Tsunami
        gambled: ben
    """)
    assert (
        table
        == """
        anna  scout: Lurker {stayed}   hand: 1 card
        ben   hand: 1 card
        weather: nothing
        disaster: nothing
    """
    )
    assert table.marker("gamble", "ben") is None


@pytest.mark.rule("SK-2.5", "SK-6.4")
def test_a_copy_of_a_lurker_does_not_stay():
    table = reckoning("""
        anna  scout: Spotter {as Lurker}
        ben   hand: Rookie
    """)
    assert (
        table
        == """
        anna  scout:
        discard: Spotter
    """
    )


@pytest.mark.rule("SK-2.6")
def test_several_seats_are_asked_in_placing_order():
    table = reckoning("""
        anna  scout: Cover   sniper: Seeing Eye
        ben   scout: Lurker {as Cover}   sniper: Sniper God
        disaster: Thunderstorm
        first: ben
    """)
    assert table.waits_for == ["ben: cover"]
    table.ben.declines()
    assert table.waits_for == ["anna: cover"]


@pytest.mark.rule("SK-2.6")
def test_several_spotters_of_one_owner_each_spot_whom_the_owner_likes():
    table = turning_up("""
        anna  scout: Spotter, Spotter   sniper: Blind Shot, (Recluse)
        ben   hand: Rookie
    """)
    table.anna.chooses("Recluse", of="spot").chooses("Blind Shot", of="spot")
    assert table.attacks["Recluse"] == 6
    assert table.attacks["Blind Shot"] == 8


@pytest.mark.rule("SK-2.7")
def test_a_round_is_placing_turning_up_reckoning_and_its_end():
    table = placing("""
        anna  hand: Rookie, Hot Blood
        ben   hand: Spotter, Lurker
    """)
    table.anna.places("Hot Blood").is_done()
    table.ben.places("Spotter").is_done()
    table.anna.declines("bomb")
    table.ben.declines("bomb")
    assert table.points == [8, 3]
    assert table.waits_for == ["anna: place"]
    assert table.table.counter("round") == 3
