"""`anpai party`: players who look for a table together."""

import asyncio
from typing import Any

from rich.console import Console

from anpai import House, Party
from clients.terminal.finding import Where
from clients.terminal.players import house_of
from clients.terminal.say import Trouble
from clients.terminal.words import Words

NEW = "new"


def fetch(code: str | None, name: str | None, where: Where, words: Words) -> Party:
    """The party made, joined, or one's own."""

    async def ask() -> Party:
        async with house_of(where, name) as house:
            if code is None:
                return await own_party(house, words)
            if code == NEW:
                return await house.create_party()
            return await house.join_party(code)

    return asyncio.run(ask())


def leave(where: Where, name: str | None, words: Words) -> str:
    """The code of the party that was left."""

    async def ask() -> str:
        async with house_of(where, name) as house:
            party = await own_party(house, words)
            await party.leave()
            return party.code

    return asyncio.run(ask())


async def own_party(house: House, words: Words) -> Party:
    party = await house.my_party()
    if party is None:
        raise Trouble(words("party.none"))
    return party


def print_party(party: Party, where: Where, words: Words, out: Console) -> None:
    leader, *others = party.state.members
    out.print(words("party.leader", name=leader.name))
    for member in others:
        out.print(words("party.member", name=member.name))
    for line in ("party.code", "party.how"):
        out.print(words(line, code=party.code, option=where.option), soft_wrap=True)


def as_json(party: Party) -> dict[str, Any]:
    members = [
        {"player_id": each.player_id, "name": each.name, "bot": each.bot}
        for each in party.state.members
    ]
    return {
        "code": party.code,
        "version": party.state.version,
        "members": members,
        "ticket_id": party.state.ticket_id,
    }
