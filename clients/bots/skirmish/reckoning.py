"""What sides are worth, by the rulebook's chapter 5, as far as a seat can know.

A soldier nobody has turned up counts with the mean of its row and no skill.
"""

from collections.abc import Sequence

from clients.bots.skirmish.reading import MEAN_ATTACK, ROWS, Board, Piece

WEATHER_ROW = {"snow": "scout", "rain": "assault", "fog": "sniper"}
PENALTY = {
    ("dispatch_scout", "scout"): 1.0,
    ("dispatch_sniper", "sniper"): 1.0,
    ("dispatch_scout_2", "scout"): 2.0,
}


class Field:
    """What touches the soldiers of one side: weather, disaster, commander, enemies."""

    def __init__(
        self, board: Board, seat: int, weather: str = "", disaster: str = ""
    ) -> None:
        self.weather = weather or board.weather
        self.disaster = disaster or board.disaster
        self.commander = board.commanders[seat]
        self.gazers = sum(
            piece.up and piece.skill == "gaze"
            for other, pieces in enumerate(board.sides)
            if other != seat
            for piece in pieces
        )

    def points(self, side: Sequence[Piece]) -> float:
        """A side's points."""
        spotters = [p for p in side if p.skill == "spotter"]
        helped = self._helped(side, len(spotters))
        return sum(
            piece.weight * self.attack(piece, side, helped.get(piece.handle, 0))
            for piece in side
        )

    def attack(self, one: Piece, side: Sequence[Piece], spotters: int) -> float:
        """One soldier's attack when all is counted."""
        value = one.attack + spotters + self._own_skill(one, side, spotters)
        if not one.is_closed:
            value += self._from_others(one, side)
        if one.mutation:
            value = value * 2 if one.mutation == "double" else 1.0
        return self._weathered(one, self._struck(one, max(0.0, value)))

    def _helped(self, side: Sequence[Piece], spotters: int) -> dict[str, int]:
        """Who is spotted: first those that are blind without."""
        snipers = [p for p in side if p.kind == "sniper" and not p.is_closed]
        snipers.sort(key=lambda piece: piece.skill != "needs_spotter")
        helped: dict[str, int] = {}
        for number in range(spotters if snipers else 0):
            handle = snipers[min(number, len(snipers) - 1)].handle
            helped[handle] = helped.get(handle, 0) + 1
        return helped

    def _own_skill(self, one: Piece, side: Sequence[Piece], spotters: int) -> float:
        others = len(side) - 1
        match one.skill:
            case "brothers":
                return sum(p.skill == "brothers" for p in side) - 1
            case "hot_blood":
                return 0 if others else 3
            case "recluse":
                return -others
            case "needs_spotter":
                return 0 if spotters else -3
            case "fair_weather":
                return 0 if self._is_clear else -4
        if self.commander == "wolf":
            return 0
        return -PENALTY.get((one.skill, one.row), 0.0)

    def _from_others(self, one: Piece, side: Sequence[Piece]) -> float:
        beside = [p for p in side if p.row == one.row and p.handle != one.handle]
        value = 2.0 * sum(p.skill == "bugle" for p in beside)
        value += one.attack * sum(p.skill == "adrenaline" for p in beside)
        if self.commander == "snow_leopard":
            value += 1
        if one.row == "assault":
            value -= self.gazers
        return value

    def _struck(self, one: Piece, value: float) -> float:
        match self.disaster:
            case "wildfire":
                return 0.0 if value < 6 else value
            case "thunderstorm":
                return 0.0 if value > 3 else value
            case "tsunami":
                return value if one.is_closed else max(0.0, value - 2)
            case "earthquake":
                return value if one.is_closed else max(0.0, value - 3)
        return value

    def _weathered(self, one: Piece, value: float) -> float:
        if self._is_clear or one.is_closed or one.skill == "unaffected":
            return value
        if one.skill == "old_hand":
            return max(0.0, value - 1)
        if self.weather == "sandstorm":
            return min(1.0, value)
        return 1.0 if WEATHER_ROW.get(self.weather) == one.row else value

    @property
    def _is_clear(self) -> bool:
        snowproof = self.commander == "snow_leopard" and self.weather == "snow"
        return snowproof or self.weather == "clear"


# How many soldiers an enemy that has not placed yet is expected to lay, row by row.
EXPECTED = {"scout": 0.6, "assault": 1.2, "sniper": 0.4}


def expected_side(board: Board, seat: int) -> list[Piece]:
    """A side as it will be: what lies there, or what may be expected to."""
    lying = board.sides[seat]
    if len(lying) > 1 or not board.count("soldiers", seat):
        return lying
    return [
        *lying,
        *(
            Piece(f"?{row}", row, MEAN_ATTACK[row], weight=EXPECTED[row])
            for row in ROWS
        ),
    ]


def lead(board: Board, own: Sequence[Piece], weather: str, disaster: str) -> float:
    """Own points less the strongest enemy's, under this weather and disaster."""
    mine = Field(board, board.me, weather, disaster).points(own)
    theirs = [
        Field(board, seat, weather, disaster).points(expected_side(board, seat))
        for seat in board.enemies
    ]
    return mine - max(theirs)
