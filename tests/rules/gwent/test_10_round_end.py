"""RULES 10: a round is scored, the table is cleared, and the next begins."""

import pytest

from tests.rules.gwent.layout import gwent


def ended(text):
    """The round is over: both have passed, anna first."""
    table = gwent(text)
    table.anna.passes()
    table.ben.passes()
    return table


@pytest.mark.note(62)
@pytest.mark.rule("GW-10.1")
@pytest.mark.parametrize(("ben", "gems"), [("Zoltan", [2, 1]), ("Olaf", [1, 2])])
def test_the_lower_side_loses_a_gem(ben, gems):
    assert ended(f"anna  melee: Vesemir 6\n ben  melee: {ben}").gems == gems


@pytest.mark.note(62)
@pytest.mark.rule("GW-10.1")
def test_on_a_tie_both_lose_one():
    table = ended("anna  melee: Vesemir\n ben  siege: Trebuchet")
    assert table.gems == [1, 1]
    assert len(table.declared("round_tied")) == 1


@pytest.mark.note(62)
@pytest.mark.rule("GW-10.1", "GW-9.2")
@pytest.mark.parametrize(
    ("anna", "ben", "gems"),
    [
        ("Nilfgaard", "Skellige", [2, 1]),
        ("Monsters", "Nilfgaard", [1, 2]),
        ("Nilfgaard", "Nilfgaard", [1, 1]),
    ],
)
def test_nilfgaard_wins_a_tie_unless_both_are(anna, ben, gems):
    assert ended(f"anna  {anna}   melee: Ves\n ben  {ben}   melee: Zoltan").gems == gems


@pytest.mark.rule("GW-10.1")
def test_the_totals_with_all_effects_are_compared():
    table = ended("""
        anna  melee: Olaf 1
        ben   melee: Yarpen 2   melee slot: Commander's Horn
        weather: Biting Frost
    """)
    assert table.gems == [1, 2]
    assert table.declared("round_won") == ["ben 2"]


@pytest.mark.note(63)
@pytest.mark.rule("GW-10.2")
def test_the_table_is_cleared_in_the_order_of_the_rules():
    table = ended("""
        anna  Northern Realms   melee: Ves, Decoy   ranged: Cow
              melee slot: Commander's Horn   pile: Zoltan
        ben   Monsters   siege: Trebuchet   ranged: Keira
        weather: Torrential Rain {by ben}
    """)
    assert table.moved == [
        [
            "Ves to anna's discard",
            "Cow to anna's discard",
            "Trebuchet to ben's discard",
        ],
        ["Torrential Rain to ben's discard"],
        ["Decoy to anna's discard", "Commander's Horn to anna's discard"],
        ["Bovine Defense Force to anna's melee"],
        ["Zoltan Chivay to anna's hand"],
    ]
    table.shows("anna  melee: Bovine Defense Force 8\n ben  ranged: Keira 5")


@pytest.mark.case(42)
@pytest.mark.rule("GW-10.2")
def test_every_card_is_somewhere_after_the_table_was_cleared():
    table = ended("""
        anna  melee: 3 Commando, Stennis {by ben}   ranged: Keira, Decoy
              siege: 2 Trebuchet, Thaler {by ben}   siege slot: Commander's Horn
        ben   melee: 4 Nekker   ranged: 3 Scout   siege: Draig
              melee slot: Mardroeme
        weather: Biting Frost, Torrential Rain {by ben}
    """)
    table.shows("""
        anna  discard: 3 Commando, Stennis, Keira, Decoy, 2 Trebuchet, Thaler,
              Commander's Horn, Biting Frost
        ben   discard: 4 Nekker, 3 Scout, Draig, Mardroeme, Torrential Rain
    """)


@pytest.mark.note(64)
@pytest.mark.case(6)
@pytest.mark.rule("GW-10.2", "GW-9.1")
@pytest.mark.parametrize("ben", ["Olaf", "Foglet"])
def test_monsters_keep_a_unit_whether_they_have_won_or_lost(ben):
    table = ended(f"""
        anna  Monsters   melee: Fiend, Geralt   ranged: Wyvern, Decoy
        ben   melee: {ben}, Draug
        lots: 1
    """)
    table.shows(f"""
        anna  ranged: Wyvern 2   discard: Fiend, Geralt, Decoy
        ben   discard: {ben}, Draug
    """)


@pytest.mark.note(64)
@pytest.mark.rule("GW-10.2", "GW-9.1", "GW-5.1")
def test_a_kept_unit_sets_nothing_off_and_is_counted_anew():
    table = ended("""
        anna  Monsters   melee: Nekker 2   melee slot: Commander's Horn   pile: Nekker
        weather: Biting Frost
    """)
    table.shows("""
        anna  melee: Nekker 2   pile: Nekker   total: 2
              discard: Commander's Horn, Biting Frost
    """)


@pytest.mark.note(47)
@pytest.mark.rule("GW-10.3")
def test_who_avenges_a_cleared_card_is_not_swept_off_with_it():
    table = ended("anna  side deck: Hemdall   melee: Kambi, Ves\n ben  melee: Olaf")
    table.shows("anna  melee: Hemdall   discard: Kambi, Ves\n round: 2")
    table.ben.passes()
    table.anna.passes()
    table.shows("anna  discard: Kambi, Ves, Hemdall")


@pytest.mark.note(68)
@pytest.mark.rule("GW-10.4")
@pytest.mark.parametrize("winner", ["anna", "ben"])
def test_the_winner_starts_the_next_round(winner):
    table = ended(f"{winner}  melee: Ves\n starts: anna")
    assert table.waits_for == [f"{winner}: turn"]
    table.shows(f"starts: {winner}")


@pytest.mark.note(68)
@pytest.mark.rule("GW-10.4")
@pytest.mark.parametrize("first", ["anna", "ben"])
def test_after_a_tie_the_starter_of_the_first_round_starts(first):
    table = ended(f"""
        anna  melee: Ves
        ben   melee: Zoltan
        first: {first}
    """)
    assert table.waits_for == [f"{first}: turn"]


@pytest.mark.note(69)
@pytest.mark.case(45)
@pytest.mark.case(46)
@pytest.mark.rule("GW-10.5")
def test_hands_stay_and_nothing_is_exchanged_again():
    table = ended("""
        anna  hand: Keira, Cow   melee: Ves   pile: 5 Zoltan
        ben   hand: Yarpen       pile: 5 Zoltan
    """)
    table.shows("""
        anna  hand: Keira, Cow   pile: 5 cards
        ben   hand: Yarpen       pile: 5 cards
        round: 2
    """)
    assert table.waits_for == ["anna: turn"]


@pytest.mark.note(65)
@pytest.mark.rule("GW-10.2", "GW-9.3")
@pytest.mark.parametrize(
    ("ben", "drawn"), [("Yarpen", "Keira"), ("Zoltan", "nothing"), ("Olaf", "nothing")]
)
def test_northern_realms_draw_for_a_round_they_win(ben, drawn):
    table = ended(f"""
        anna  Northern Realms   hand: Cow   melee: Ves   pile: Keira
        ben   melee: {ben}
    """)
    hand = "Cow" if drawn == "nothing" else "Cow, Keira"
    table.shows(f"anna  hand: {hand}")


@pytest.mark.note(66)
@pytest.mark.case(4)
@pytest.mark.rule("GW-10.2", "GW-9.5")
def test_before_the_third_round_skellige_bring_two_back():
    table = ended("""
        anna  Skellige   hand: 2 cards   discard: Geralt, Donar, Holger, Birna
        ben   gems: 1    melee: Ves      discard: Zoltan
        round: 2
        lots: 1, 0
    """)
    table.shows("""
        anna  melee: Donar   siege: Holger   discard: Geralt, Birna
        round: 3
    """)


@pytest.mark.note(66)
@pytest.mark.rule("GW-9.5")
def test_skellige_bring_nobody_back_before():
    table = ended("anna  Skellige   discard: Donar, Holger")
    table.shows("anna  discard: Donar, Holger\n round: 2")


@pytest.mark.note(70)
@pytest.mark.rule("GW-10.5", "GW-8.1")
def test_a_leader_stays_used_in_the_next_round():
    table = gwent("""
        anna  The Siegemaster   hand: Trebuchet, Cow   siege: Trebuchet
        ben   passed
    """)
    table.anna.uses_leader()
    table.anna.passes()
    table.anna.plays("Trebuchet")
    table.shows("""
        anna  The Siegemaster {used}   siege: Trebuchet 6   horns: nothing
        round: 2
    """)
    table.ben.passes()
    assert table.anna.options == ["Cow to ranged"]
