"""Who may sit with whom, by rating and by waiting: the rules, and whole evenings."""

from dataclasses import replace
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.matchmaking.pairing import LOOKS, Crowd
from services.matchmaking.ticket import Person, Ticket, Wish
from services.matchmaking.widening import BRACKETS, OTHER_SEATS_MS, width
from tests.scale import scaled
from tests.services.matchmaking.evening import Evening, for_two, share

NOW = 1_000_000
FOR_TWO = Wish("skirmish", "usual", 2)
FOR_THREE = Wish("skirmish", "usual", 3)
FOR_FOUR = Wish("skirmish", "usual", 4)


def waiting(name, seconds, rating=25.0, wish=FOR_TWO, size=1):
    """A ticket that has waited so long."""
    others = tuple(Person(f"{name}{n}", name) for n in range(1, size))
    made = NOW - int(seconds * 1000)
    return Ticket(
        f"k-{name}", "n", name, name, wish, made, NOW * 2, others=others, rating=rating
    )


def tables(*tickets, now=NOW):
    return {
        frozenset(ticket.player for ticket in match.tickets)
        for match in Crowd(tickets, now).matches()
    }


def the_table(*tickets):
    [match] = Crowd(tickets, NOW).matches()
    return match


# ---- ratings -------------------------------------------------------------------------


def test_equals_play_at_once():
    assert tables(waiting("anna", 0, 25), waiting("ben", 0, 27.9)) == {
        frozenset({"anna", "ben"})
    }


@pytest.mark.parametrize(
    ("gap", "waits", "meets"),
    [
        (4.0, (0, 0), False),
        (4.0, (0, 4.9), False),
        (4.0, (0, 5), True),
        (6.0, (0, 5), False),
        (6.0, (5, 5), True),
        (6.0, (0, 10), True),
        (12.0, (10, 10), True),
        (12.0, (9, 29), False),
        (12.0, (9, 30), True),
        (50.0, (30, 30), True),
        (50.0, (29, 59), False),
        (50.0, (0, 60), True),
    ],
)
def test_the_gap_allowed_grows_with_both_waits(gap, waits, meets):
    anna, ben = waiting("anna", waits[0], 0), waiting("ben", waits[1], gap)

    assert bool(tables(anna, ben)) == meets


def test_the_brackets_widen_and_what_one_has_waited_allows_less():
    for earlier, later in pairwise(BRACKETS):
        assert earlier.waited_ms < later.waited_ms
        assert earlier.both <= later.both
        assert earlier.one <= later.one
    assert all(each.one <= each.both for each in BRACKETS)
    assert (BRACKETS[0].waited_ms, BRACKETS[-1].one) == (0, inf)


@given(st.integers(0, 90_000), st.integers(0, 90_000))
def test_it_does_not_matter_who_of_two_is_asked(one, other):
    assert width(one, other) == width(other, one)


def test_whoever_waits_longest_chooses_first_and_chooses_the_nearest():
    anna, ben = waiting("anna", 9, 25), waiting("ben", 8, 23)
    cleo, dan = waiting("cleo", 7, 25.5), waiting("dan", 6, 22)

    assert tables(dan, cleo, ben, anna) == {
        frozenset({"anna", "cleo"}),
        frozenset({"ben", "dan"}),
    }


def test_all_at_a_table_of_four_may_meet_each_other():
    four = [waiting(name, 0, 25 + 2 * n, FOR_FOUR) for n, name in enumerate("abcd")]
    assert tables(*four) == set()

    later = [replace(each, created_ms=NOW - 5000) for each in four]
    assert tables(*later) == {frozenset("abcd")}


def test_in_a_room_ratings_do_not_count():
    wish = replace(FOR_TWO, room="QXRTAC")

    assert tables(waiting("anna", 0, 0, wish), waiting("ben", 0, 50, wish))


# ---- other numbers of seats ----------------------------------------------------------


def test_t38_another_number_of_seats_will_do_after_a_while_if_it_was_wished_for():
    flexible = replace(FOR_FOUR, also=(3,))
    anna, ben = (waiting(name, 20, wish=flexible) for name in ("anna", "ben"))
    cleo = waiting("cleo", 1, wish=FOR_THREE)
    early = [replace(each, created_ms=NOW - OTHER_SEATS_MS + 1) for each in (anna, ben)]

    assert tables(*early, cleo) == set()
    match = the_table(anna, ben, cleo)
    assert (match.seats, len(match.sitters())) == (3, 3)


def test_t38_the_number_of_seats_most_wished_for_comes_first():
    flexible = replace(FOR_FOUR, also=(2,))
    tickets = [waiting(name, 20, wish=flexible) for name in "abcd"]

    assert the_table(*tickets).seats == 4


def test_t38_whoever_wishes_for_one_number_only_gets_no_other():
    tickets = [waiting(name, 500, wish=FOR_FOUR) for name in "abc"]

    assert tables(*tickets) == set()


# ---- bots after a while --------------------------------------------------------------


def patient(seconds, seats=4, **more):
    return Wish("skirmish", "usual", seats, bots_after_ms=seconds * 1000, **more)


def test_t60_bots_take_the_empty_seats_after_the_wait_wished_for():
    anna, ben = (
        waiting("anna", 29, wish=patient(30)),
        waiting("ben", 3, wish=patient(9)),
    )
    assert tables(anna, ben) == set()

    match = the_table(replace(anna, created_ms=NOW - 30_000), ben)

    assert {ticket.player for ticket in match.tickets} == {"anna", "ben"}
    assert [sitter.called for sitter in match.sitters()].count(True) == 2


def test_who_never_wants_bots_is_not_seated_with_them():
    anna, ben = waiting("anna", 30, wish=patient(30)), waiting("ben", 90, wish=FOR_FOUR)

    match = the_table(anna, ben)

    assert [ticket.player for ticket in match.tickets] == ["anna"]
    assert match.bots == 3


def test_people_come_before_bots_though_the_wait_is_over():
    anna = waiting("anna", 0, wish=patient(0, seats=2))
    ben = waiting("ben", 1, wish=FOR_TWO)

    assert the_table(anna, ben).bots == 0


def test_a_wait_of_nothing_is_no_wait():
    assert the_table(waiting("anna", 0, wish=patient(0))).bots == 3


def test_bots_play_as_the_longest_waiting_wished():
    anna = waiting("anna", 9, wish=patient(9, strategy="sharp"))
    ben = waiting("ben", 5, wish=patient(9, strategy="steady"))

    assert the_table(ben, anna).strategy == "sharp"


def test_when_somebody_did_not_come_the_others_take_bots_at_once():
    anna = replace(waiting("anna", 1, wish=patient(30)), takes_bots=True)

    assert the_table(anna, waiting("ben", 1, wish=patient(30))).bots == 2


def test_the_next_moment_worth_a_look_is_told():
    crowd = Crowd([waiting("anna", 3, wish=patient(4))], NOW)
    room = Crowd([waiting("anna", 3, wish=replace(FOR_TWO, room="R"))], NOW)

    assert (crowd.matches(), crowd.changes_at()) == ([], NOW + 1000)
    assert (room.matches(), room.changes_at()) == ([], None)


# ---- parties -------------------------------------------------------------------------


def test_t38_a_party_is_never_split():
    pair, trio = waiting("p", 9, wish=FOR_FOUR, size=2), waiting("t", 8, wish=FOR_FOUR)
    trio = replace(trio, others=(Person("t1", ""), Person("t2", "")))
    ada, bob = waiting("ada", 7, wish=FOR_FOUR), waiting("bob", 6, wish=FOR_FOUR)

    assert tables(pair, trio) == set()
    assert tables(pair, trio, bob) == {frozenset({"t", "bob"})}
    assert tables(pair, trio, ada, bob) == {frozenset({"p", "ada", "bob"})}


def test_a_choice_that_leaves_a_seat_nobody_fits_is_not_made():
    """Anna takes no single first, for then one seat would stay empty."""
    anna = waiting("anna", 9, 25, FOR_FOUR)
    ben = waiting("ben", 8, 25, FOR_FOUR)
    pairs = [waiting(name, 1, 26, FOR_FOUR, size=2) for name in ("p", "q")]
    trio = waiting("t", 1, 27, FOR_FOUR, size=3)

    assert tables(anna, pairs[0], ben) == {frozenset({"anna", "ben", "p"})}
    assert tables(anna, *pairs, trio) == {
        frozenset({"anna", "t"}),
        frozenset({"p", "q"}),
    }


TEAM = Wish("gwent", "team", 4, teams=(0, 1, 0, 1))


def test_a_party_sits_in_one_team():
    for number in range(20):
        pair = replace(waiting("p", 9, wish=TEAM, size=2), nonce=f"n{number}")
        match = the_table(
            pair, waiting("ada", 8, wish=TEAM), waiting("bob", 7, wish=TEAM)
        )
        seats = [sitter.player for sitter in match.sitters()]

        assert abs(seats.index("p") - seats.index("p1")) == 2


def test_two_parties_are_two_teams():
    for number in range(20):
        pairs = [
            replace(waiting(name, 9, wish=TEAM, size=2), nonce=f"{number}")
            for name in "pq"
        ]
        seats = [sitter.player for sitter in the_table(*pairs).sitters()]

        assert {frozenset(seats[::2]), frozenset(seats[1::2])} == {
            frozenset({"p", "p1"}),
            frozenset({"q", "q1"}),
        }


def test_a_table_where_a_party_sits_on_both_sides_is_not_rated():
    ada, bob = waiting("ada", 8, wish=TEAM), waiting("bob", 7, wish=TEAM)
    pair, four = (waiting("p", 9, wish=TEAM, size=size) for size in (2, 4))
    apart = waiting("q", 9, wish=FOR_TWO, size=2)

    assert the_table(pair, ada, bob).rated
    assert not the_table(four).rated
    assert not the_table(apart).rated


def test_a_party_too_large_for_a_team_sits_at_one_table_all_the_same():
    trio = waiting("t", 9, wish=TEAM, size=3)
    seats = [s.player for s in the_table(trio, waiting("ada", 1, wish=TEAM)).sitters()]

    assert sorted(seats) == ["ada", "t", "t1", "t2"]


def test_in_a_room_too_a_party_sits_together_and_the_others_as_they_came():
    wish = replace(TEAM, room="QXRTAC")
    ada, bob = waiting("ada", 9, wish=wish), waiting("bob", 8, wish=wish)
    seats = [
        s.player for s in the_table(ada, bob, waiting("p", 7, 25, wish, 2)).sitters()
    ]

    assert seats == ["p", "ada", "p1", "bob"]


# ---- whole evenings ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds_between", "median_gap", "most_wait"),
    [(0.2, 2.0, 61), (1.0, 3.0, 61), (5.0, 6.0, 61)],
)
def test_t41_gap_and_wait_are_bounded_on_busy_and_on_quiet_evenings(
    seconds_between, median_gap, most_wait
):
    """Nobody waits much more than a minute for a partner, and most play with equals."""
    minutes = scaled(10, 60)
    evening = Evening(41, seconds_between, for_two).last(60 * minutes)
    gaps = [table.match.gap for table in evening.tables]
    waits = [wait for table in evening.tables for wait in table.waits]
    print(
        f"\none every {seconds_between} s: {len(gaps)} tables;"
        f" gap median {share(gaps, 0.5):.1f}, p95 {share(gaps, 0.95):.1f};"
        f" wait median {share(waits, 0.5):.1f} s, p95 {share(waits, 0.95):.1f} s"
    )

    assert share(gaps, 0.5) <= median_gap
    assert max(waits) <= most_wait
    for table in evening.tables:
        assert table.match.gap <= width(
            *(1000 * int(wait) for wait in table.waits)
        ) or (table.match.gap <= width(*(round(1000 * wait) for wait in table.waits)))


def test_t41_by_the_longer_wait_alone_newcomers_would_pay_for_anothers_patience():
    """An expert whom nobody equals waits; a beginner who has just come is not his."""
    expert = waiting("expert", 29, 45)
    beginner, equal = waiting("new", 0, 25), waiting("old", 2, 26)

    assert tables(expert, beginner) == set()
    assert tables(expert, beginner, equal) == {frozenset({"new", "old"})}


def test_t41_by_the_shorter_wait_alone_the_expert_would_starve():
    expert = waiting("expert", 60, 45)

    assert tables(expert, waiting("new", 0, 5)) == {frozenset({"expert", "new"})}


crowds = st.lists(
    st.tuples(
        st.integers(60, 600), st.floats(0, 50), st.sampled_from([2, 3, 4]),
        st.sampled_from([1, 1, 1, 2]), st.booleans(),
    ),
    max_size=25,
)  # fmt: skip


@given(crowds)
def test_t34_nobody_waits_on_who_has_waited_a_minute_and_has_partners(people):
    """What is left over does not fill a table of any size, in whatever way."""
    tickets = [
        waiting(f"p{n}x", seconds, rating, wish_for(seats, flexible), size)
        for n, (seconds, rating, seats, size, flexible) in enumerate(people)
    ]
    matched = {
        each.id for match in Crowd(tickets, NOW).matches() for each in match.tickets
    }
    left = [ticket for ticket in tickets if ticket.id not in matched]

    for seats in (2, 3, 4):
        able = [each for each in left if seats in (each.wish.seats, *each.wish.also)]
        sizes = [each.size for each in able]
        assert not fills(seats, sizes), (seats, sizes)


def wish_for(seats, flexible):
    also = tuple(each for each in (2, 3, 4) if each != seats) if flexible else ()
    return Wish("skirmish", "usual", seats, also=also)


def fills(seats, sizes):
    if seats == 0:
        return True
    return any(
        size <= seats and fills(seats - size, sizes[n + 1 :])
        for n, size in enumerate(sizes)
    )


def test_t38_parties_wait_little_longer_and_all_of_them_play():
    """Singles, pairs and trios for a table of four, one ticket every two seconds."""

    def wish_of(chance):
        return FOR_FOUR, chance.choice([1, 1, 1, 2, 2, 3])

    evening = Evening(38, 2.0, wish_of).last(60 * scaled(10, 60))

    waits = {
        size: [
            wait
            for table in evening.tables
            for wait, ticket in zip(table.waits, table.tickets, strict=True)
            if ticket.size == size
        ]
        for size in (1, 2, 3)
    }
    for size, theirs in waits.items():
        print(f"\nparties of {size}: {len(theirs)}, p95 {share(theirs, 0.95):.1f} s")
        assert share(theirs, 0.95) < 90
    assert all(
        sum(ticket.size for ticket in table.tickets) == 4 for table in evening.tables
    )


# ---- the cost ------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lambda n: pairable(n), lambda n: hopeless(n)])
def test_t37_a_pass_takes_no_more_than_n_log_n_steps(make):
    """Counted, not timed: `looks` at other tickets, for each that waits."""
    sizes = [500, 1000, scaled(2000, 100_000)]
    looks = [looks_of(make(size)) for size in sizes]
    print("\n", dict(zip(sizes, looks, strict=True)))

    for size, looked in zip(sizes, looks, strict=True):
        assert looked <= LOOKS * size
    assert looks[-1] / looks[0] <= 1.5 * sizes[-1] / sizes[0]


def looks_of(tickets):
    crowd = Crowd(tickets, NOW)
    crowd.matches()
    return crowd.looks


def pairable(count):
    return [waiting(f"p{n}", n % 40, n * 37 % 100 / 2) for n in range(count)]


def hopeless(count):
    """At every rating three players with eight tickets each, for tables of four."""
    made = [waiting(f"p{n}", 0, 10.0 * (n // 24), FOR_FOUR) for n in range(count)]
    names = [f"{n // 24}/{n % 3}" for n in range(count)]
    return [replace(t, player=name) for t, name in zip(made, names, strict=True)]
