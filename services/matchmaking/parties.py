"""The store of parties."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from services.chassis.errors import AnpaiError
from services.chassis.stores import Pipeline
from services.matchmaking import keys, scripts
from services.matchmaking.party import Party, PartyChange
from services.matchmaking.rooms import LENGTH, random_code
from services.matchmaking.ticket import Person
from services.matchmaking.tickets import Change, keys_to_swap, swap_args, too_many
from services.matchmaking.timings import LIMITS, TIMINGS, Limits, Timings


class Parties:
    """A party and its members' notes of being in it live and end together."""

    def __init__(
        self,
        pipeline: Pipeline,
        timings: Timings = TIMINGS,
        limits: Limits = LIMITS,
        new_code: Callable[[], str] = random_code,
    ):
        self._call = pipeline.call
        self._timings = timings
        self._limits = limits
        self._new_code = new_code

    async def create(self, who: Person, request_id: str) -> Party:
        """A party, or the one made before for the same request. IN_PARTY, TOO_MANY;
        PARTY_NOT_FOUND if that one has ended, or its maker has left it."""
        while True:
            party = Party(self._new_code(), (who,))
            ended = "" if await self.of(who.id) else await self.code_of(who.id)
            kind, *rest = await self._create(party, request_id, ended)
            if kind == b"NEW":
                return party
            if kind == b"RATE":
                raise too_many("parties", rest[0])
            if kind == b"MADE":
                return await self.own(who.id, rest[0].decode())
            await self.refuse_member_of_another(who.id)

    async def _create(self, party: Party, request_id: str, ended: str) -> list[Any]:
        player = party.leader.id
        named = hashlib.sha256(request_id.encode()).hexdigest()[:20]
        lie = [
            keys.party(party.code),
            keys.party_of(player),
            keys.party_request(player, named),
            keys.party_rate(player),
        ]
        body = msgspec.json.encode(party)
        limits = [self._limits.parties_per_window, self._timings.rate_window]
        args: list[Any] = [party.code, body, self._timings.party, ended, *limits]
        return list(await self._call(scripts.CREATE_PARTY, lie, args))

    async def refuse_member_of_another(self, player: str, code: str = "") -> None:
        """IN_PARTY unless the player is in none, or in this one."""
        theirs = await self.of(player)
        if theirs is not None and theirs.code != code:
            raise AnpaiError(
                "IN_PARTY",
                "You are in another party: leave it first.",
                code=theirs.code,
            )

    async def open_party(self, code: str) -> Party:
        party = await self.find(code)
        if party is None:
            raise not_found(code)
        return party

    async def own(self, player: str, code: str) -> Party:
        """The party of this code, for one who is in it; "" for whichever that is.
        PARTY_NOT_FOUND."""
        party = await (self.find(code) if code else self.of(player))
        if party is None or not party.has(player):
            raise not_found(code)
        return party

    async def find(self, code: str) -> Party | None:
        body = await self._call(scripts.READ_PARTY, [keys.party(typed(code))])
        return None if body is None else msgspec.json.decode(body, type=Party)

    async def of(self, player: str) -> Party | None:
        """The party a player is in."""
        code = await self.code_of(player)
        party = await self.find(code) if code else None
        return party if party is not None and party.has(player) else None

    async def code_of(self, player: str) -> str:
        """Of the party a player is in, or was in when it ended; "" for none."""
        code = await self._call(scripts.GET, [keys.party_of(player)])
        return "" if code is None else code.decode()

    async def touch(self, party: Party) -> None:
        """Somebody of it still cares."""
        notes = [keys.party_of(member.id) for member in party.members]
        prolonged = [keys.party(party.code), *notes]
        await self._call(scripts.PROLONG, prolonged, [self._timings.party])

    async def join(
        self, change: PartyChange, player: str, before: str, tickets: Sequence[Change]
    ) -> bool:
        """With what becomes of tickets by it, all or nothing. `before` is the code the
        player's note was read with."""
        return await self._swap(change, player, ["JOIN", before], tickets)

    async def leave(
        self, change: PartyChange, player: str, tickets: Sequence[Change]
    ) -> bool:
        return await self._swap(change, player, ["LEAVE", ""], tickets)

    async def _swap(
        self,
        change: PartyChange,
        player: str,
        note: Sequence[str],
        tickets: Sequence[Change],
    ) -> bool:
        before, after = change
        swapped = [
            *keys_to_swap(tickets),
            *(keys.party(after.code), keys.party_of(player)),
        ]
        body = msgspec.json.encode(after) if after.members else b""
        args: list[Any] = [
            *swap_args(tickets, self._timings),
            *(before.version, after.version, body),
            *(self._timings.party, after.code, *note),
        ]
        return bool(await self._call(scripts.SWAP_PARTY, swapped, args))


def not_found(code: str) -> AnpaiError:
    return AnpaiError("PARTY_NOT_FOUND", "You are in no such party.", code=typed(code))


def typed(code: str) -> str:
    """A code however it was typed."""
    return code.strip().upper()[: LENGTH + 1]
