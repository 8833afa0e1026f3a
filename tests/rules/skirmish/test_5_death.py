"""RULES 5: death, Cover and Rookie."""

import pytest

from tests.rules.skirmish.layout import reckoning, turning_up, window


@pytest.mark.rule("SK-5.20")
def test_the_dead_go_to_the_one_discard_face_up():
    table = turning_up("""
        anna  sniper: (Sniper God)
        ben   sniper: (Quick Draw)
    """)
    assert (
        table
        == """
        anna
        ben
        discard: Quick Draw, Sniper God
    """
    )
    assert table.public_sees("Quick Draw")


@pytest.mark.rule("SK-5.20")
def test_who_dies_face_down_is_shown_without_its_skill():
    table = turning_up("""
        anna  sniper: (Sniper God)   scout: Lurker
        ben   sniper: (Quick Draw)   scout: Cover
    """)
    table.ben.declines()
    assert table.fallen == ["Quick Draw"]
    assert table.turned_up == ["Sniper God"]


@pytest.mark.rule("SK-5.21")
def test_cover_may_die_in_place_of_one_of_its_side():
    table = turning_up("""
        anna  sniper: (Sniper God)
        ben   scout: Cover   sniper: Recluse
    """)
    assert table.ben.options == ["Recluse"]
    table.ben.chooses("Recluse", of="cover")
    assert table.declared("covers") == ["ben"]
    assert table.fallen == ["Cover"]
    assert table.points == [6, 8]


@pytest.mark.rule("SK-5.21")
def test_whom_cover_saves_face_down_stays_unseen():
    table = turning_up("""
        anna  sniper: (Sniper God)
        ben   scout: Cover   sniper: (Recluse), (Blind Shot)
    """)
    table.anna.chooses("Recluse")
    table.ben.chooses("Recluse", of="cover")
    assert table.asked == "turn_up"
    assert (
        table
        == """
        anna  sniper: Sniper God
        ben   sniper: (Recluse), (Blind Shot)
    """
    )


@pytest.mark.rule("SK-5.21")
def test_cover_saves_one_of_many_and_dies_in_its_place():
    table = reckoning("""
        anna  scout: Cover   sniper: Recluse, Sniper God
        ben   assault: Hot Blood
        disaster: Thunderstorm
    """)
    assert table.anna.options == ["Recluse", "Sniper God"]
    table.anna.chooses("Recluse", of="cover")
    assert sorted(table.fallen) == ["Cover", "Hot Blood", "Sniper God"]
    assert table.attacks == {"Recluse": 8}
    assert table.deaths == 1


@pytest.mark.rule("SK-5.21")
def test_a_cover_that_dies_itself_saves_nobody():
    table = reckoning("""
        anna  scout: Cover   assault: Rookie
        ben   sniper: Recluse
        disaster: Wildfire
    """)
    assert table.asked is None
    assert sorted(table.fallen) == ["Cover", "Rookie"]


@pytest.mark.rule("SK-5.21")
def test_cover_saves_nobody_of_another_side():
    table = turning_up("""
        anna  sniper: (Sniper God)   scout: Cover
        ben   sniper: Recluse
    """)
    assert table.fallen == ["Recluse"]


@pytest.mark.rule("SK-5.21")
def test_a_face_down_cover_saves_nobody_in_the_bombs_window():
    table = window("""
        anna  assault: (Suicide Bomber), (Rookie)   scout: (Cover)
        ben   tactic: (Snow)
    """)
    table.anna.chooses("Suicide Bomber").chooses("assault", of="blast")
    assert table.fallen == ["Rookie", "Suicide Bomber"]


@pytest.mark.rule("SK-5.21")
def test_two_covers_save_two():
    table = reckoning("""
        anna  scout: Cover, Rookie {as Cover}   sniper: Recluse, Sniper God
        ben   hand: Lurker
        disaster: Thunderstorm
    """)
    table.anna.chooses("Recluse", of="cover")
    assert table.anna.options == ["Sniper God"]
    table.anna.chooses("Sniper God", of="cover")
    assert sorted(table.fallen) == ["Cover", "Rookie"]


@pytest.mark.rule("SK-5.22")
def test_of_a_rookies_side_only_it_may_be_chosen_to_die():
    table = turning_up("""
        anna  sniper: (Quick Draw)   scout: Lurker
        ben   assault: Rookie, Hot Blood   scout: Cover
    """)
    assert table.anna.options == ["Lurker", "Rookie"]


@pytest.mark.rule("SK-5.22")
def test_another_rookie_may_be_chosen_too():
    table = turning_up("""
        anna  sniper: (Quick Draw)
        ben   assault: Rookie, Hot Blood   scout: Spotter {as Rookie}
    """)
    assert table.anna.options == ["Rookie", "Spotter"]


@pytest.mark.rule("SK-5.22")
def test_a_rookie_that_may_not_be_chosen_shields_nobody():
    table = turning_up("""
        anna  sniper: (Sniper God)
        ben   assault: Rookie   sniper: Recluse, (Blind Shot)
    """)
    assert table.anna.options == ["Blind Shot", "Recluse"]


@pytest.mark.rule("SK-5.22")
def test_a_rookie_shields_nobody_where_nobody_chooses():
    table = reckoning("""
        anna  assault: Rookie {x2}   scout: Lurker
        ben   hand: Lone Ranger
        disaster: Thunderstorm
    """)
    assert table.fallen == ["Rookie"]


@pytest.mark.rule("SK-5.23", "SK-4.9")
def test_who_died_in_the_reckoning_is_among_the_fallen_of_the_round():
    table = reckoning("""
        anna  sniper: Sniper God   scout: Lurker {=1}   total: 9
        anna  hand: Soul Chaser, Hot Blood
        ben   scout: Cover, Spotter {x2}   hand: Bugle Call, Rookie
        disaster: Wildfire
    """)
    table.anna.places("Soul Chaser").is_done()
    table.ben.places("Rookie").is_done()
    table.anna.declines("bomb")
    table.ben.declines("bomb")
    assert table.anna.options == ["Cover", "Lurker"]


@pytest.mark.rule("SK-5.23", "SK-4.9")
def test_who_did_not_die_or_died_earlier_is_not_among_the_fallen():
    table = reckoning("""
        anna  scout: Cover   hand: Soul Chaser, Hot Blood   total: 9
        ben   scout: Spotter   hand: Bugle Call, Rookie
        discard: Recluse {fell}
    """)
    table.anna.places("Soul Chaser").is_done()
    table.ben.places("Rookie").is_done()
    table.anna.declines("bomb")
    table.ben.declines("bomb")
    assert table.asked != "chase"


@pytest.mark.rule("SK-5.23")
def test_who_left_the_discard_meanwhile_is_no_longer_fallen():
    table = turning_up("""
        anna  tactic: (Resurrection)   hand: Hot Blood, Adrenaline
        ben   assault: Rookie   hand: Soul Chaser, Bugle Call
        discard: Spotter {fell}
    """)
    assert table.went("Spotter").to.name == "discard"
    assert table.fallen == []
    assert table.marker("fallen", "Spotter") is None
