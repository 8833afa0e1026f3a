"""Which tickets make a table, and what becomes of a ticket: pure."""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest

from services.matchmaking.match import Match
from services.matchmaking.pairing import Crowd
from services.matchmaking.ticket import Assignment, Lease, State, Ticket, Wish

FOR_TWO = Wish("skirmish", "usual", 2)
FOR_FOUR_WITH_A_BOT = Wish("skirmish", "usual", 4, bots=1)
SEAT = Assignment("t-1", 0, "e:1", "c0ffee", "skirmish", "usual", 2)


def queued(*players, wish=FOR_TWO):
    """Tickets of these players, the oldest first."""
    return [
        Ticket(f"k-{age}", f"n{age}", player, player.title(), wish, age, 60_000)
        for age, player in enumerate(players)
    ]


def tables(tickets):
    found = Crowd(tickets, now_ms=1000).matches()
    return [[ticket.player for ticket in match.tickets] for match in found]


def test_the_oldest_play_together_and_the_last_waits():
    tickets = queued("anna", "ben", "cleo", "dan", "eve")

    assert tables(reversed(tickets)) == [["anna", "ben"], ["cleo", "dan"]]


def test_bots_leave_fewer_seats_for_people():
    tickets = queued("anna", "ben", "cleo", "dan", wish=FOR_FOUR_WITH_A_BOT)

    assert tables(tickets) == [["anna", "ben", "cleo"]]


def test_alone_with_bots_one_starts_at_once():
    alone = Wish("skirmish", "usual", 3, bots=2)

    assert tables(queued("anna", "ben", wish=alone)) == [["anna"], ["ben"]]


def test_a_program_that_said_so_sits_as_a_bot_that_nobody_has_to_call():
    alone = Wish("skirmish", "usual", 2, bots=1)
    (ticket,) = queued("ada", wish=alone)
    sitters = {who.player: who for who in Match((replace(ticket, bot=True),)).sitters()}

    assert all(who.bot for who in sitters.values())
    assert [who.called for who in sitters.values() if who.player == "ada"] == [False]
    assert [who.called for who in sitters.values() if who.player != "ada"] == [True]


def test_nobody_sits_twice_at_one_table():
    tickets = queued("anna", "anna", "anna", "ben", "cleo")

    assert tables(tickets) == [["anna", "ben"], ["anna", "cleo"]]


def test_a_match_made_again_asks_for_the_same_table_and_seats():
    tickets = queued("anna", "ben", "cleo", wish=FOR_FOUR_WITH_A_BOT)
    held = [each.reserved(Lease("l-1", 1, ())).released() for each in tickets]

    asked = {
        (match.request_id, match.sitters())
        for order in [*permutations(tickets), *permutations(held)]
        for match in [Match(order)]
    }

    assert len(asked) == 1


def test_another_set_of_tickets_asks_for_another_table():
    anna, ben, cleo = queued("anna", "ben", "cleo")

    asked = {
        Match(pair).request_id for pair in [(anna, ben), (anna, cleo), (ben, cleo)]
    }

    assert len(asked) == 3


def test_a_later_ticket_of_the_same_name_asks_for_another_table():
    [before] = queued("anna", wish=Wish("skirmish", "usual", 2, bots=1))
    after = Ticket("k-0", "n9", "anna", "Anna", before.wish, 0, 60_000)

    assert Match((before,)).request_id != Match((after,)).request_id


def test_seats_favour_nobody():
    """Of 400 tables anna has each of the four seats 100 times, give or take 5 sigma."""
    firsts = Counter(
        [each.player for each in Match((ticket,)).sitters()].index(ticket.player)
        for ticket in queued(*map(str, range(400)), wish=Wish("s", "", 4, bots=3))
    )

    assert all(abs(firsts[seat] - 100) < 5 * 8.66 for seat in range(4))


def test_partners_are_drawn_by_lot_whoever_came_first():
    """Of 600 tables of four anna sits opposite each of the others 200 times or so."""
    opposite = Counter()
    for number in range(600):
        wish = Wish("gwent", "team", 4)
        tickets = queued("anna", "ben", "cleo", "dan", wish=wish)
        named = (replace(each, nonce=f"{number}") for each in tickets)
        seats = [each.player for each in Match(tuple(named)).sitters()]
        opposite[seats[(seats.index("anna") + 2) % 4]] += 1

    assert set(opposite) == {"ben", "cleo", "dan"}
    assert all(abs(times - 200) < 5 * 11.5 for times in opposite.values())


def test_in_a_room_seats_follow_the_order_of_joining_and_bots_come_last():
    wish = Wish("gwent", "team", 4, bots=1, room="QXRTAC")
    tickets = queued("anna", "ben", "cleo", wish=wish)

    for order in permutations(tickets):
        *people, last = Match(order).sitters()
        assert [each.player for each in people] == ["anna", "ben", "cleo"]
        assert last.bot


def test_the_bots_of_a_table_have_names_of_their_own():
    [ticket] = queued("anna", wish=Wish("galactica", "usual", 6, bots=5))

    names = [sitter.name for sitter in Match((ticket,)).sitters()]

    assert len(set(names)) == 6


# ---- the life of a ticket ------------------------------------------------------------


@pytest.fixture
def ticket():
    return queued("anna")[0]


@pytest.fixture
def reserved(ticket):
    return ticket.reserved(Lease("l-1", 10_000, (ticket.id,)))


def test_a_lease_that_has_run_out_gives_the_old_place_back(ticket, reserved):
    assert reserved.at(9_999) is reserved

    later = reserved.at(10_000)

    assert (later.state, later.lease) == (State.QUEUED, None)
    assert (later.created_ms, later.version) == (ticket.created_ms, 3)


def test_a_ticket_nobody_looks_at_expires(ticket):
    assert ticket.at(59_999) is ticket
    assert ticket.at(60_000).closed_because == "expired"


def test_there_is_no_step_back_from_a_seat_nor_from_the_end(ticket, reserved):
    for settled in (reserved.assigned(SEAT), ticket.closed("cancelled")):
        with pytest.raises(ValueError, match="no step"):
            settled.released()
        with pytest.raises(ValueError, match="no step"):
            settled.reserved(Lease("l-2", 1, ()))


def test_what_is_reserved_is_not_reserved_again(reserved):
    with pytest.raises(ValueError, match="no step"):
        reserved.reserved(Lease("l-2", 1, ()))


def test_what_is_settled_does_not_change_with_time(reserved):
    assigned, closed = reserved.assigned(SEAT), reserved.closed("cancelled")

    assert assigned.at(10**15) is assigned
    assert closed.at(10**15) is closed
