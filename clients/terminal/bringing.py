"""Decks from files, to bring to a table: the server says whether they may be played."""

from collections.abc import Sequence
from pathlib import Path

from anpai import Deck, DeckFault, GameInfo, House, Variant
from clients.terminal.commands.deck import Entry
from clients.terminal.say import Trouble
from clients.terminal.words import Words


async def legal(
    house: House,
    game: GameInfo,
    variant: Variant,
    entries: Sequence[Entry],
    words: Words,
) -> list[Deck]:
    """The decks, as they may be brought; Trouble with all that is wrong with them."""
    decks = [entry.deck for entry in entries]
    if len(decks) > variant.decks:
        told = {"game": game.name, "variant": variant.name, "decks": variant.decks}
        raise Trouble(words("deck.not_so_many", **told))
    faults = await house.check_decks(
        game.name, decks, variant=variant.name, locale=words.locale
    )
    if faults:
        raise Trouble("\n".join(said(fault, entries) for fault in faults))
    return decks


def said(fault: DeckFault, entries: Sequence[Entry]) -> str:
    """As `anpai deck check` says it: file, line, sentence."""
    if fault.deck >= len(entries):
        return fault.message
    entry = entries[fault.deck]
    line = entry.lines.get(fault.face, 0)
    where = f"{Path(entry.file)}:{line}" if line else entry.file
    return f"{where}: {fault.message}"
