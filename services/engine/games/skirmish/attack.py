"""What a soldier's attack is: computed anew from the card each time (SK-5.1).

One function per step, in the order of the rulebook. A `Field` is what lies on the table
at one moment, counted once; a `Fighter` is one face-up soldier in it.
"""

from collections import defaultdict
from dataclasses import dataclass

from services.engine.games.skirmish.board import SIDE, is_led_by, shown
from services.engine.games.skirmish.pieces import (
    Commander,
    Row,
    Skill,
    Soldier,
    Tactic,
)
from services.engine.kernel import Card, Place, Table

WEATHER_OF = {
    Row.SCOUT: Tactic.SNOW,
    Row.ASSAULT: Tactic.RAIN,
    Row.SNIPER: Tactic.FOG,
}
DISASTER_COSTS = {Tactic.TSUNAMI: 2, Tactic.EARTHQUAKE: 3}


@dataclass(slots=True)
class Fighter:
    """A face-up soldier where it lies: what it shows, and what may touch it."""

    card: Card
    seat: int
    place: Place
    shows: Soldier
    warded: bool
    closed: bool
    led_by_leopard: bool


class Field:
    """The soldiers on the table at one moment, and how many have which skill where."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.fighters: list[Fighter] = []
        self.soldiers = [0] * len(table.seats)
        self.with_skill: dict[tuple[Skill, int], int] = defaultdict(int)
        self.in_row: dict[tuple[Skill, Place], int] = defaultdict(int)
        self.spotted: dict[str, int] = defaultdict(int)
        self.weather = table.marker("weather") or Tactic.CLEAR
        for seat in table.seats:
            self._read_side(seat)
        self.sergeant = self.total(Skill.SERGEANT) > 0
        for (name, _), sniper in table.markers.items():
            if name == "spots":
                self.spotted[sniper] += 1

    def total(self, skill: Skill) -> int:
        """How many face-up soldiers have a skill, on all sides."""
        return sum(self.with_skill[skill, seat] for seat in self.table.seats)

    def _read_side(self, seat: int) -> None:
        leopard = is_led_by(self.table, seat, Commander.SNOW_LEOPARD)
        for place in SIDE[seat]:
            for card in self.table.cards(place):
                self.soldiers[seat] += 1
                if card.face_up:
                    self._read(card, seat, place, leopard)

    def _read(self, card: Card, seat: int, place: Place, leopard: bool) -> None:
        shows = shown(self.table, card)
        warded = ("ward", card.handle) in self.table.markers
        closed = warded or shows.skill is Skill.SEEING_EYE
        leopard = leopard and not warded
        self.with_skill[shows.skill, seat] += 1
        self.in_row[shows.skill, place] += 1
        self.fighters.append(Fighter(card, seat, place, shows, warded, closed, leopard))


# -- from the card to the current attack (SK-5.2 to SK-5.6) --------------------------


def attack_of(field: Field, one: Fighter) -> int:
    """From what lies face up, without disaster and weather (SK-5.1, SK-5.11)."""
    value = max(0, fired_up(field, one) + added(field, one))
    return gambled_away(field, one, mutated(field, one, value))


def fired_up(field: Field, one: Fighter) -> int:
    """Printed attack, doubled for each other Adrenaline in the row (SK-5.2)."""
    if one.closed:
        return one.shows.attack
    return one.shows.attack << others_in_row(field, one, Skill.ADRENALINE)


def added(field: Field, one: Fighter) -> int:
    """All that is added and taken away, summed before it is raised to 0 (SK-5.3)."""
    terms = penalty_of(field, one) + own_skill(field, one)
    if one.led_by_leopard:
        terms += 1
    return terms if one.closed else terms + from_others(field, one)


def penalty_of(field: Field, one: Fighter) -> int:
    """What its card costs in its second row; not Wolf's (SK-3.4, SK-3.5)."""
    if one.place.name != one.shows.second:
        return 0
    if not one.warded and ("leave", one.card.handle) in field.table.markers:
        return 0
    return less(field, one, one.shows.penalty)


def less(field: Field, one: Fighter, penalty: int) -> int:
    """Master Sergeant lets class assault ignore each -1, and nothing else (SK-5.4)."""
    helped = field.sergeant and one.shows.row is Row.ASSAULT and not one.closed
    return 0 if helped and penalty == -1 else penalty


def own_skill(field: Field, one: Fighter) -> int:
    """What its own skill adds or takes, which a ward leaves alone (SK-5.3, SK-4.7)."""
    others = field.soldiers[one.seat] - 1
    match one.shows.skill:
        case Skill.BROTHERS:
            return field.with_skill[Skill.BROTHERS, one.seat] - 1
        case Skill.HOT_BLOOD:
            return 0 if others else 3
        case Skill.RECLUSE:
            return -others
        case Skill.BLIND_SHOT:
            return 0 if field.spotted[one.card.handle] else -3
        case Skill.PRECISION_RIFLE:
            return 0 if weather_on(field, one) == Tactic.CLEAR else -4
    return 0


def from_others(field: Field, one: Fighter) -> int:
    """Spotters +1, Bugle Call +2 in its row, an enemy's Gaze -1 on assault (SK-5.3)."""
    terms = field.spotted[one.card.handle]
    terms += 2 * others_in_row(field, one, Skill.BUGLE)
    if one.place.name == Row.ASSAULT:
        gazers = field.total(Skill.GAZE) - field.with_skill[Skill.GAZE, one.seat]
        terms += gazers * less(field, one, -1)
    return terms


def others_in_row(field: Field, one: Fighter, skill: Skill) -> int:
    """How many others in its row have a skill."""
    return field.in_row[skill, one.place] - (one.shows.skill is skill)


def mutated(field: Field, one: Fighter, value: int) -> int:
    """Doubled, or 1 (SK-5.5)."""
    mutation = field.table.markers.get(("mutation", one.card.handle))
    if mutation is None or one.closed:
        return value
    return value * 2 if mutation == "double" else 1


def gambled_away(field: Field, one: Fighter, value: int) -> int:
    """0 on the sides that lost the gamble (SK-5.6)."""
    if one.closed or field.table.marker("gamble", one.seat) is None:
        return value
    return 0


# -- disaster and weather (SK-5.7, SK-5.8) -------------------------------------------


def is_killed_by(disaster: str | None, value: int) -> bool:
    """Wildfire kills below 6, a thunderstorm above 3 (SK-5.7)."""
    if disaster == Tactic.WILDFIRE:
        return value < 6
    return disaster == Tactic.THUNDERSTORM and value > 3


def reckoned(field: Field, one: Fighter, disaster: str | None) -> int:
    """The attack that counts: after disaster and weather (SK-5.7, SK-5.8)."""
    return weathered(field, one, struck(one, disaster, attack_of(field, one)))


def struck(one: Fighter, disaster: str | None, value: int) -> int:
    """Tsunami -2, earthquake -3, never below 0 (SK-5.7)."""
    if disaster not in DISASTER_COSTS or one.closed:
        return value
    return max(0, value - DISASTER_COSTS[Tactic(disaster)])


def weathered(field: Field, one: Fighter, value: int) -> int:
    """The weather by row; Old Hand has only -1 of it, never below 0 (SK-5.8)."""
    weather = weather_on(field, one)
    if weather == Tactic.CLEAR or one.closed:
        return value
    if one.shows.skill is Skill.OLD_HAND:
        return max(0, value + less(field, one, -1))
    if weather == Tactic.SANDSTORM:
        return min(1, value)
    return 1 if weather == WEATHER_OF[Row(one.place.name)] else value


def weather_on(field: Field, one: Fighter) -> str:
    """The weather for one soldier: Snow Leopard's side has no snow (SK-5.8)."""
    snowproof = field.weather == Tactic.SNOW and one.led_by_leopard
    return Tactic.CLEAR if snowproof else field.weather
