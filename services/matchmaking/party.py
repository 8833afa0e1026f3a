"""A party: players who look for a table together and are never split. Pure."""

from dataclasses import dataclass, replace

from services.matchmaking.ticket import Person

LARGEST = 8

PartyChange = tuple["Party", "Party"]
"""A party as it was read, and what it is to become."""


@dataclass(frozen=True, slots=True)
class Party:
    """`members` in the order they came: the first leads. `ticket` was made last."""

    code: str
    members: tuple[Person, ...]
    version: int = 1
    ticket: str = ""

    @property
    def leader(self) -> Person:
        return self.members[0]

    @property
    def is_full(self) -> bool:
        return len(self.members) >= LARGEST

    def has(self, player: str) -> bool:
        return any(each.id == player for each in self.members)

    def joined_by(self, person: Person) -> "Party":
        return self._next(members=(*self.members, person))

    def left_by(self, player: str) -> "Party":
        """Of a leader who leaves the next takes the place."""
        stay = tuple(each for each in self.members if each.id != player)
        return self._next(members=stay)

    def playing(self, ticket: str) -> "Party":
        return self._next(ticket=ticket)

    def _next(
        self, members: tuple[Person, ...] | None = None, ticket: str | None = None
    ) -> "Party":
        return replace(
            self,
            version=self.version + 1,
            members=self.members if members is None else members,
            ticket=self.ticket if ticket is None else ticket,
        )
