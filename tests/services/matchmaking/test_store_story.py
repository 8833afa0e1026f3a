"""Any story of tickets, told to the store and to a model of ten lines: they agree.

Changes are tried with what was read at any time before, as late servers would.
"""

import asyncio
from dataclasses import replace
from itertools import chain

import redis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from services.chassis.stores import open_store
from services.chassis.telemetry import fresh_metrics
from services.matchmaking.match import age
from services.matchmaking.ticket import (
    OPEN,
    Assignment,
    Lease,
    Person,
    State,
    Ticket,
    Wish,
)
from services.matchmaking.tickets import RedisTickets, ticket_id
from services.matchmaking.timings import TIMINGS

WISHES = [
    Wish("skirmish", "usual", 2, ready_check=True),
    Wish("gwent", "usual", 2, bots_after_ms=0),
]
START = 1_000_000


def test_the_store_tells_the_same_story_as_the_model(valkey):
    class Told(Story):
        url = valkey

    run_state_machine_as_test(
        Told,
        settings=settings(
            max_examples=40,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )


class Story(RuleBasedStateMachine):
    url: str

    def __init__(self):
        super().__init__()
        self.runner = asyncio.Runner()
        self.now = START
        self.model: dict[str, Ticket] = {}
        self.reads: list[Ticket] = []
        self.seats: dict[str, list[Assignment]] = {}
        with redis.Redis.from_url(self.url) as client:
            client.flushall()
        self.store = self.run(open_store(self.url, fresh_metrics()))
        self.tickets = RedisTickets(self.store.pipeline, now=lambda: self.now)

    def run(self, doing):
        return self.runner.run(doing)

    def teardown(self):
        self.run(self.store.close())
        self.runner.close()

    # ---- what may happen -------------------------------------------------------------

    @rule(
        player=st.sampled_from("abc"),
        request=st.integers(0, 2),
        pool=st.booleans(),
        companions=st.integers(0, 2),
    )
    def create(self, player, request, pool, companions):
        named = ticket_id(player, str(request))
        fresh = self.now + TIMINGS.fresh
        wish = WISHES[pool]
        others = tuple(Person(f"{player}{n}", player) for n in range(companions))
        made = Ticket(named, "n", player, player, wish, self.now, fresh, others=others)
        if named in self.model:
            self.let_time_pass(named)
        expected = self.model.setdefault(named, made)

        assert self.run(self.tickets.create(made)) == expected

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def look(self, data):
        named = data.draw(st.sampled_from(sorted(self.model)))
        self.let_time_pass(named)

        read = self.run(self.tickets.get(named))

        assert read == self.model[named]
        self.reads.append(read)

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def touch(self, data):
        ticket = self.model[data.draw(st.sampled_from(sorted(self.model)))]
        self.run(self.tickets.touch(ticket))
        fresh = self.now + TIMINGS.fresh
        self.model[ticket.id] = replace(ticket, fresh_until_ms=fresh)

    @precondition(lambda self: self.reads)
    @rule(data=st.data(), lease=st.integers(0, 99))
    def reserve(self, data, lease):
        group = self.drawn_group(data, State.QUEUED)
        mates = tuple(ticket.id for ticket in group)
        held = Lease(str(lease), self.now + TIMINGS.lease, mates)
        self.change([(ticket, ticket.reserved(held)) for ticket in group])

    @precondition(lambda self: self.reads)
    @rule(data=st.data(), lease=st.integers(100, 199))
    def ask(self, data, lease):
        group = self.drawn_group(data, State.QUEUED)
        mates = tuple(ticket.id for ticket in group)
        held = Lease(str(lease), self.now + TIMINGS.ready, mates)
        self.change([(ticket, ticket.asking(held, self.now)) for ticket in group])

    @precondition(lambda self: self.reads)
    @rule(data=st.data())
    def confirm(self, data):
        for ticket in self.drawn_group(data, State.ACCEPTING)[:1]:
            until = self.now + TIMINGS.trusted
            missing = [p for p in ticket.players if p not in ticket.here]
            if missing:
                self.change([(ticket, ticket.confirmed(missing[0], until))])

    @precondition(lambda self: self.reads)
    @rule(data=st.data())
    def release(self, data):
        group = self.drawn_group(data, State.RESERVED, State.ACCEPTING)
        self.change([(ticket, ticket.released()) for ticket in group])

    @precondition(lambda self: self.reads)
    @rule(data=st.data())
    def cancel(self, data):
        group = self.drawn_group(data, *OPEN)[:1]
        self.change([(ticket, ticket.closed("cancelled")) for ticket in group])

    @precondition(lambda self: self.reads)
    @rule(data=st.data(), table=st.integers(0, 9))
    def assign(self, data, table):
        group = self.drawn_group(data, State.RESERVED)
        seat = Assignment(f"t-{table}", 0, "e:1", "c0ffee", "skirmish", "usual", 2)
        changes = [
            (ticket, ticket.assigned(seat, [0] * (ticket.size - 1))) for ticket in group
        ]
        if changes and self.change(changes, seating=True):
            for player in chain.from_iterable(ticket.players for ticket in group):
                self.seats.setdefault(player, []).insert(0, seat)
        self.now += 1

    @rule(seconds=st.sampled_from([1, TIMINGS.lease // 1000, TIMINGS.fresh // 1000]))
    def wait(self, seconds):
        self.now += seconds * 1000

    @rule()
    def settle(self):
        before = dict(self.model)
        for named in before:
            self.model[named] = before[named].at(self.now)
        changed = {n for n in before if self.model[n].version != before[n].version}

        settled = self.run(self.tickets.settle())

        assert {ticket.id for ticket in settled} == changed

    # ---- how it is told --------------------------------------------------------------

    def let_time_pass(self, named):
        """A reservation lapses for all its tickets together."""
        while (ticket := self.model[named]).at(self.now) is not ticket:
            for each in list(self.model.values()):
                if each is ticket or (ticket.lease and each.lease == ticket.lease):
                    self.model[each.id] = each.at(self.now)

    def drawn_group(self, data, *states):
        """What was read of up to two tickets of one pool, be it new or stale."""
        able = [each for each in self.reads if each.state in states]
        if not able:
            return []
        first, second = (data.draw(st.sampled_from(able)) for _ in range(2))
        apart = first.player != second.player and first.wish == second.wish
        return [first, second] if apart else [first]

    def change(self, changes, seating=False):
        if not changes:
            return False
        expected = all(
            self.model[before.id].version == before.version for before, _ in changes
        )
        if seating:
            done = self.run(self.tickets.seat(changes, []))
        else:
            done = self.run(self.tickets.change(changes))
        assert done == expected
        for before, after in changes if done else []:
            fresh = self.model[before.id].fresh_until_ms
            self.model[before.id] = replace(after, fresh_until_ms=fresh)
        return done

    # ---- what must hold --------------------------------------------------------------

    @invariant()
    def the_queues_hold_what_is_queued_oldest_first(self):
        for wish in WISHES:
            queued = [
                each
                for each in self.model.values()
                if each.state is State.QUEUED and each.wish == wish
            ]
            oldest = sorted(queued, key=age)
            since = oldest[0].created_ms if oldest else None
            length = self.run(self.tickets.length(wish.pool))

            assert self.run(self.tickets.queue(wish.pool, 99)) == oldest
            assert self.run(self.tickets.queue(wish.pool, 1)) == oldest[:1]
            players = sum(each.size for each in queued)
            assert length == (len(queued), players, since)
            assert bool(queued) == (wish.pool in self.run(self.tickets.pools()))

    @invariant()
    def players_find_their_seats(self):
        for player, seats in self.seats.items():
            found = self.run(self.tickets.seats_of(player))
            assert [each.table for each in found] == list(
                dict.fromkeys(each.table for each in seats)
            )
