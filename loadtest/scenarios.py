"""Evenings with names: who comes, and how they play. Each has a seed, so that the bots
choose alike every time; deals differ, for the vault draws them."""

from dataclasses import dataclass

# A swarm is bounded: beyond this one process measures itself.
MOST_SEATS = 2_000


@dataclass(frozen=True, slots=True)
class Scenario:
    """`tables` tables of `seats` bots each, all at one variant of a game. `think`:
    seconds before each answer. `watchers` look on at every table."""

    name: str
    about: str
    seats: int
    tables: int
    think: float = 0.0
    watchers: int = 0
    strategy: str = "random"
    seed: int = 1
    game: str = "skirmish"
    variant: str = ""

    def __post_init__(self) -> None:
        if self.tables * (self.seats + self.watchers) > MOST_SEATS:
            raise ValueError(f"{self.name} is for more than {MOST_SEATS} clients")


SCENARIOS = {
    one.name: one
    for one in (
        Scenario("duel", "one table of two: the latency with nobody in the way", 2, 1),
        Scenario("few", "ten tables of four, as fast as they go", 4, 10),
        Scenario("many", "a hundred tables of two, as fast as they go", 2, 100),
        Scenario("people", "300 tables of two that think a second", 2, 300, think=1.0),
        Scenario("crowd", "five tables, a hundred spectators each", 2, 5, 0.05, 100),
        Scenario("gwent", "fifty tables of two, at gwent", 2, 50, game="gwent"),
        Scenario(
            *("team", "twenty tables of two against two", 4, 20),
            game="gwent",
            variant="team",
        ),
    )
}
USUAL = ("duel", "few", "many")
