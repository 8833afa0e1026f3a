"""RULES 6: the end of a round."""

import pytest

from tests.rules.skirmish.layout import placing, reckoning, turning_up


@pytest.mark.rule("SK-6.1")
def test_points_are_added_to_the_totals():
    table = reckoning("""
        anna  scout: Cover   total: 10
        ben   assault: Rookie   total: 4
    """)
    assert table.totals == [13, 6]
    assert table.declared("round_won") == ["anna 3"]


@pytest.mark.rule("SK-6.1")
def test_on_a_tie_nobody_has_won_the_round():
    table = reckoning("""
        anna  Vulture   scout: Cover
        ben   scout: Spotter
        cleo  assault: Rookie
        soldier deck: Hot Blood
    """)
    assert table.is_over
    assert table.declared("round_tied") == ["3"]


@pytest.mark.rule("SK-6.2")
def test_vulture_may_draw_a_soldier_having_won_the_round():
    table = reckoning("""
        anna  Vulture   scout: Cover
        ben   assault: Rookie   hand: Lurker
        soldier deck: Hot Blood, Adrenaline
        """)
    assert table.anna.is_asked == "scavenge"
    table.anna.chooses("draw")
    assert table.anna.hand == ["Hot Blood"]
    assert not table.ben.sees("Hot Blood")


@pytest.mark.rule("SK-6.2")
def test_vulture_may_decline():
    table = reckoning("""
        anna  Vulture   scout: Cover
        ben   assault: Rookie
        soldier deck: Hot Blood
    """)
    table.anna.declines("scavenge")
    assert table.is_over
    assert table.anna.hand == []


@pytest.mark.rule("SK-6.2")
def test_vulture_draws_nothing_having_lost():
    table = reckoning("""
        anna  Vulture   assault: Rookie
        ben   scout: Cover
        soldier deck: Hot Blood
    """)
    assert table.is_over


@pytest.mark.rule("SK-6.3")
def test_who_has_not_won_may_take_any_soldiers_of_its_side_home():
    table = reckoning("""
        anna  tactic: French Salute   scout: Cover, Lurker, Spy {by ben}
        ben   sniper: Recluse   hand: Hot Blood
    """)
    assert table.anna.options == ["Cover", "Lurker", "Spy"]
    table.anna.chooses("Spy", "Cover", of="salute")
    assert (
        table
        == """
        anna  scout: Lurker {stayed}   hand: Cover, Spy
        discard: Recluse, French Salute
    """
    )


@pytest.mark.rule("SK-6.3")
def test_who_has_won_takes_nobody_home():
    table = reckoning("""
        anna  tactic: French Salute   scout: Cover
        ben   assault: Rookie
    """)
    assert table.is_over


@pytest.mark.rule("SK-6.3", "SK-6.1")
def test_on_a_tie_the_salute_holds():
    table = reckoning("""
        anna  tactic: French Salute   scout: Cover
        ben   scout: Spotter
    """)
    assert table.anna.is_asked == "salute"


@pytest.mark.rule("SK-6.3")
@pytest.mark.parametrize(
    "position", ["tactic: French Salute", "tactic: Clear   scout: Cover"]
)
def test_nobody_is_asked_without_a_salute_or_without_soldiers(position):
    table = reckoning(f"""
        anna  {position}
        ben   sniper: Recluse
    """)
    assert table.is_over


@pytest.mark.rule("SK-6.3")
def test_the_dead_do_not_go_home():
    table = reckoning("""
        anna  tactic: French Salute   scout: Lone Ranger   assault: Rookie
        ben   sniper: Recluse
        disaster: Wildfire
    """)
    assert table.anna.options == ["Lone Ranger"]


@pytest.mark.rule("SK-6.3", "SK-5.9")
def test_no_tactic_moves_a_seeing_eye_home():
    table = reckoning("""
        anna  tactic: French Salute   sniper: Seeing Eye   scout: Cover {warded}
        ben   sniper: Precision Rifle, Recluse
    """)
    assert table.anna.options == ["Cover"]


@pytest.mark.rule("SK-6.3", "SK-1.6")
def test_it_is_told_when_nobody_is_taken_home():
    table = reckoning("""
        anna  tactic: French Salute   scout: Cover
        ben   sniper: Recluse
    """)
    table.anna.declines("salute")
    assert table.declared("declines") == ["anna salute"]


@pytest.mark.rule("SK-6.3", "SK-2.5")
def test_what_goes_home_is_its_own_card():
    table = reckoning("""
        anna  tactic: French Salute   scout: Lurker {as Cover, x2}
        ben   sniper: Recluse
    """)
    table.anna.chooses("Lurker")
    assert table.anna.hand == ["Lurker"]


@pytest.mark.rule("SK-6.4")
def test_a_living_lurker_stays_for_the_side_it_lies_on():
    table = reckoning("""
        anna  scout: Cover   tactic: Snow
        ben   scout: Lurker {by anna}
    """)
    assert (
        table
        == """
        anna
        ben   scout: Lurker {stayed}
        discard: Cover, Snow
    """
    )
    assert table.marker("attack", "Lurker") is None


@pytest.mark.rule("SK-6.4")
def test_a_dead_lurker_does_not_stay():
    table = reckoning("""
        anna  scout: Lurker
        ben   sniper: Recluse
        disaster: Wildfire
    """)
    assert (
        table
        == """
        anna
        ben
        discard: Lurker, Recluse
    """
    )


@pytest.mark.rule("SK-6.4")
def test_a_lurker_that_became_a_copy_stays_as_itself():
    table = reckoning("""
        anna  scout: Lurker {as Cover}
        ben   sniper: Recluse
    """)
    assert table == "anna  scout: Lurker {stayed}"


@pytest.mark.rule("SK-6.4", "SK-3.8")
def test_a_lurker_stays_for_round_after_round():
    table = reckoning("""
        anna  scout: Lurker {stayed}   hand: Rookie
        ben   sniper: Recluse   hand: Cover
    """)
    table.ben.places("Cover")
    table.anna.places("Rookie")
    table.quiet()
    assert table == "anna  scout: Lurker {stayed}"
    assert table.points == [4, 3]


def first_of(text, **chance):
    table = reckoning(text, **chance)
    assert len(table.waits_for) == 1, table.waits_for
    return table.waits_for[0].split(":")[0]


@pytest.mark.rule("SK-6.5")
def test_most_points_this_round_places_first():
    first = first_of("""
        anna  scout: Lurker   hand: Rookie   total: 50
        ben   scout: Cover    hand: Hot Blood
    """)
    assert first == "ben"


@pytest.mark.rule("SK-6.5")
def test_everybody_sees_who_places_first_now():
    table = placing("""
        anna  hand: Lurker, Rookie
        ben   hand: Cover, Hot Blood
    """)
    table.anna.places("Lurker").is_done()
    table.ben.places("Cover").is_done()
    table.quiet()
    assert table.marker("first", "anna") is None
    assert table.marker("first", "ben") is not None


@pytest.mark.rule("SK-6.5")
def test_then_the_highest_total_among_those_tied():
    first = first_of("""
        anna  scout: Lurker    hand: Rookie      total: 90
        ben   scout: Cover     hand: Hot Blood   total: 1
        cleo  scout: Spotter   hand: Recluse     total: 2
    """)
    assert first == "cleo"


@pytest.mark.rule("SK-6.5")
def test_then_the_most_soldiers_in_hand_among_those_tied():
    first = first_of("""
        anna  scout: Lurker    hand: Rookie, Snow, Rain, Fog
        ben   scout: Cover     hand: Hot Blood, Snow
        cleo  scout: Spotter   hand: Recluse, Blind Shot
    """)
    assert first == "cleo"


@pytest.mark.rule("SK-6.5")
def test_then_the_most_tactics_in_hand_among_those_tied():
    first = first_of("""
        anna  scout: Cover     hand: Hot Blood, Snow
        ben   scout: Spotter   hand: Recluse, Fog, Rain
    """)
    assert first == "ben"


TIED = """
    anna  scout: Cover     hand: Hot Blood
    ben   scout: Spotter   hand: Recluse
    cleo  scout: Spotter   hand: Rookie
"""


@pytest.mark.rule("SK-6.5")
def test_then_they_throw_and_who_shows_the_losing_sign_places_first():
    table = reckoning(TIED)
    assert table.waits_for == ["anna: throw", "ben: throw", "cleo: throw"]
    table.ben.chooses("scissors")
    table.anna.chooses("rock")
    table.cleo.chooses("rock")
    assert table.waits_for == ["ben: place"]
    assert table.declared("throws") == ["anna rock", "ben scissors", "cleo rock"]


@pytest.mark.rule("SK-6.5")
@pytest.mark.parametrize(
    ("loser", "winner"),
    [("rock", "paper"), ("paper", "scissors"), ("scissors", "rock")],
)
def test_those_with_the_losing_sign_stay_in(loser, winner):
    table = reckoning(TIED)
    table.anna.chooses(winner)
    table.ben.chooses(loser)
    table.cleo.chooses(loser)
    assert table.waits_for == ["ben: throw", "cleo: throw"]


@pytest.mark.rule("SK-6.5")
def test_with_one_sign_or_three_all_stay_in_and_after_three_chance_draws():
    table = reckoning(TIED, lots=[1])
    for signs in [("rock",) * 3, ("rock", "paper", "scissors"), ("paper",) * 3]:
        table.anna.chooses(signs[0], of="throw")
        table.ben.chooses(signs[1], of="throw")
        table.cleo.chooses(signs[2], of="throw")
    assert table.waits_for == ["ben: place"]


@pytest.mark.rule("SK-6.5")
def test_they_throw_in_secret_and_at_once():
    table = reckoning(TIED)
    before = len(table.events)
    table.anna.chooses("rock")
    assert len(table.events) == before
    assert table.play.asking.secret


@pytest.mark.rule("SK-6.5", "SK-7.2")
def test_fire_fox_draws_after_the_first_placer_is_found():
    table = reckoning("""
        anna  Fire Fox   scout: Cover     hand: Hot Blood, Snow
        ben   Vulture    scout: Spotter   hand: Recluse, Fog
        tactic deck: Rain
    """)
    assert table.asked == "throw"
    assert table.anna.tactics == 1


@pytest.mark.rule("SK-6.5", "SK-8.1")
def test_the_end_of_the_game_is_looked_at_before_the_first_placer():
    table = reckoning("""
        anna  scout: Cover     hand: Snow
        ben   scout: Spotter   hand: Fog
    """)
    assert table.is_over


@pytest.mark.rule("SK-6.1", "SK-2.5")
def test_the_salute_and_the_discard_see_a_copy_as_its_own_card():
    table = turning_up("""
        anna  scout: Cover   tactic: (Gene Copy)
        ben   scout: Lurker
    """)
    table.quiet()
    assert (
        table
        == """
        anna
        ben   scout: Lurker {stayed}
        discard: Cover, Gene Copy
    """
    )
