"""RULES 14 and GW-D11: whose a card is where partners share rows and a discard."""

import pytest

from tests.rules.gwent.layout import team


@pytest.mark.note(81)
@pytest.mark.rule("GW-14.6", "GW-14.7")
def test_a_unit_that_burnt_and_is_revived_by_the_partner_stays_its_bringers():
    table = team("""
        anna  hand: Scorch, Birna, Cow
        ben   passed
        cleo  passed   melee: Vesemir, Ves
        dan   passed
    """)
    table.anna.plays("Scorch").plays("Birna")
    table.shows("anna  melee: Birna, Ves {by cleo}, Vesemir {by cleo}")


@pytest.mark.note(81)
@pytest.mark.rule("GW-14.6", "GW-14.10")
def test_a_burnt_unit_is_shuffled_into_the_pile_of_who_brought_it():
    table = team("""
        anna  Crach an Craite   hand: Scorch, Cow   pile: nothing
        ben   passed
        cleo  passed   melee: Vesemir, Ves   pile: nothing
        dan   passed
    """)
    table.anna.plays("Scorch").uses_leader()
    table.shows("""
        anna  pile: Scorch   discard: nothing
        cleo  pile: Vesemir  melee: Ves
    """)


@pytest.mark.note(26)
@pytest.mark.rule("GW-14.6", "GW-4.8")
def test_an_opponents_spy_that_is_revived_is_the_revivers():
    table = team("""
        anna  hand: Birna, Cow   pile: Keira, Ves
        ben   passed
        cleo  passed   discard: Thaler {by dan}
        dan   passed
    """)
    table.anna.plays("Birna")
    table.shows("""
        anna  melee: Birna   hand: Cow, Keira, Ves
        ben   siege: Thaler {by anna}
    """)
