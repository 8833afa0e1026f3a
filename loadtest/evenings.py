"""Evenings with names, for locust: `python -m loadtest` runs them one at a time.

Each class is a kind of visitor; what visitors do is counted under the same few names,
so that evenings can be compared.
"""

import sys
from itertools import count
from typing import Any

import gevent
from locust import User, between, events, task

from anpai.matchmaking.v1.ticket_pb2 import Assignment, Wish
from loadtest.player import Player
from loadtest.sitting import OPEN, Sitting, Stream
from loadtest.wire import NotLoopback, stay_at_home

STORM_SECONDS = 10.0
AT_A_TABLE = 4
NUMBERS = count(1)
# Tables that are being played now, for whoever wants to look on.
PLAYED: list[Assignment] = []


def add_options(parser: Any) -> None:
    """What an evening may be told besides what locust takes."""
    parser.add_argument("--game", default="skirmish")
    parser.add_argument("--variant", default="")
    parser.add_argument("--think", type=float, default=1.0, help="seconds an answer")


class Guest(User):
    """Anybody: signs in first, and measures what it does."""

    abstract = True
    wait_time = between(0.1, 1.0)

    def on_start(self) -> None:
        self.player = self.new_player()

    def new_player(self) -> Player:
        """One more, signed in."""
        number = next(NUMBERS)
        player = Player(self.host or "", self.measure, seed=number)
        player.sign_in(f"Guest {number}")
        return player

    def measure(self, name: str, seconds: float, error: Exception | None) -> None:
        """Locust counts it."""
        self.environment.events.request.fire(
            request_type="anpai",
            name=name,
            response_time=1000 * seconds,
            response_length=0,
            exception=error,
            context={},
        )

    def wish(self, seats: int = 2) -> Wish:
        told = self.environment.parsed_options
        return Wish(game=told.game, variant=told.variant, seats=seats)

    def play(self, player: Player, seat: Assignment) -> None:
        """To the end."""
        player.take(seat)
        think = self.environment.parsed_options.think
        sitting = Sitting(player, seat, think)
        with player.measured("game"):
            sitting.follow()


class FirstGame(Guest):
    """Comes, waits for another in the open queue, plays to the end; again."""

    @task
    def evening(self) -> None:
        seat = self.player.find_seat(self.wish())
        PLAYED.append(seat)
        try:
            self.play(self.player, seat)
        finally:
            PLAYED.remove(seat)


class Party(Guest):
    """Two friends who want to be at one table of four, whoever the others are."""

    def on_start(self) -> None:
        super().on_start()
        self.friend = self.new_player()

    @task
    def evening(self) -> None:
        code = self.player.make_party()
        self.friend.join_party(code)
        try:
            seat = self.player.find_seat(self.wish(AT_A_TABLE), code)
            found = self.friend.find_seat_of_party(code)
            self.measure("together", 0.0, apart(seat, found))
            self.play_both(seat, found)
        finally:
            self.friend.leave_party(code)
            self.player.leave_party(code)

    def play_both(self, seat: Assignment, found: Assignment) -> None:
        both = [
            gevent.spawn(self.play, self.player, seat),
            gevent.spawn(self.play, self.friend, found),
        ]
        try:
            gevent.joinall(both, raise_error=True)
        finally:
            gevent.killall(both)


class PartySplit(Exception):
    """Friends at two tables."""


def apart(one: Assignment, other: Assignment) -> Exception | None:
    is_split = one.table_id != other.table_id
    return PartySplit(f"{one.table_id}, {other.table_id}") if is_split else None


class ReconnectStorm(FirstGame):
    """As a first game; but every ten seconds everybody's connection breaks at once."""


class RollingRestart(FirstGame):
    """As a first game, while the engine workers are restarted one after the other."""


class Table(FirstGame):
    """Plays where the spectators look on."""

    fixed_count = AT_A_TABLE


class Spectator(Guest):
    """Looks on at a table that is being played, whichever, to its end."""

    @task
    def evening(self) -> None:
        if not PLAYED:
            gevent.sleep(1)
            return
        Stream(self.player, self.player.dice.choice(PLAYED)).follow()


def look_where(environment: Any, **_: Any) -> None:
    """Nobody goes out."""
    try:
        stay_at_home(environment.parsed_options.host or "")
    except NotLoopback as error:
        sys.exit(f"loadtest: {error}")


def prepare(environment: Any, **_: Any) -> None:
    """What happens to everybody at once."""
    if ReconnectStorm in environment.user_classes:
        gevent.spawn(storms)


def storms() -> None:
    while True:
        gevent.sleep(STORM_SECONDS)
        for stream in list(OPEN):
            stream.cut()


hooks: Any = events
hooks.init_command_line_parser.add_listener(add_options)
hooks.init.add_listener(look_where)
hooks.test_start.add_listener(prepare)
