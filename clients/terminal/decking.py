"""`anpai deck`: build decks and check them; nothing needs to run for it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clients.terminal import say
from clients.terminal.installed import must_know
from clients.terminal.options import Json, Lang, Listed, words_in
from clients.terminal.words import Words

if TYPE_CHECKING:
    from clients.terminal.commands.deck import Entry

deck = typer.Typer(help="Build decks and check them.", no_args_is_help=True)

DeckGame = Annotated[str, typer.Option("--game", help="See `anpai games`.")]
Advanced = Annotated[bool, typer.Option("--advanced", help="By the advanced limits.")]
DeckFile = Annotated[Path, typer.Argument(help="A deck's file.")]
UNREADABLE = 2


@deck.command("check")
@say.spoken
def check_decks(
    files: Annotated[list[Path], typer.Argument(help="Files of decks.")],
    advanced: Advanced = False,
    tournament: Annotated[
        bool, typer.Option("--tournament", help="Three decks, as a tournament's set.")
    ] = False,
    game: DeckGame = "gwent",
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Say all that is wrong with decks: exit 1, or 2 where they cannot be read."""
    from clients.terminal.commands import deck as them

    words, out = words_in(lang), say.console()
    variant = them.variant_of(game, words, advanced=advanced, tournament=tournament)
    entries = entries_of(files, game, words, as_json=as_json)
    checked = them.check(entries, game, variant, words)
    if as_json:
        say.last_line(them.checked_as_json(checked, game))
    else:
        them.print_checked(checked, game, words, out)
    if checked.findings:
        raise typer.Exit(1)


@deck.command("show")
@say.spoken
def show_deck(
    file: DeckFile,
    which: Annotated[
        Listed | None,
        typer.Option("--set", help="Other cards too: of the starter decks, or all."),
    ] = None,
    game: DeckGame = "gwent",
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """List a deck: how many copies of each card it uses, of how many there are.

    With --json one object; a list of them where the file has several decks.
    """
    from clients.terminal.commands import decklist as them
    from clients.terminal.commands.deck import must_have_decks

    words, out = words_in(lang), say.console()
    must_have_decks(game, words)
    entries = entries_of([file], game, words, as_json=as_json)
    if as_json:
        listed = [them.list_as_json(e.deck, game, words, which=which) for e in entries]
        say.last_line(listed[0] if len(listed) == 1 else listed)
        return
    for entry in entries:
        them.print_list(entry.deck, game, words, out, which=which)


@deck.command("new")
@say.spoken
def new_deck(
    game: Annotated[str, typer.Argument(help="See `anpai games`.")],
    faction: Annotated[str, typer.Option(help="Whose cards: a name or an id.")],
    advanced: Advanced = False,
    file: Annotated[Path | None, typer.Option("-o", help="Where to.")] = None,
    lang: Lang = None,
) -> None:
    """Write a legal deck to begin with, and list the cards it could have."""
    from clients.terminal.commands import decklist as them

    words, out = words_in(lang), say.console()
    found = them.new_deck(game, faction, words, advanced=advanced)
    path = file or Path(f"{them.faction_of(found, game)}.deck")
    them.write(found, path, game, words)
    them.print_list(found, game, words, out, which=Listed.ALL)
    say.tell(out, words("deck.written", path=path))


def brought(files: list[Path] | None, game: str | None, words: Words) -> list["Entry"]:
    """The decks that somebody brings to a game; to read them it must be named."""
    if not files:
        return []
    if game is None:
        raise say.Trouble(words("deck.which_game"))
    must_know(game, words)
    return entries_of(files, game, words, as_json=False)


def entries_of(
    files: list[Path], game: str, words: Words, *, as_json: bool
) -> list["Entry"]:
    """The decks of these files; or every mistake in them, and exit 2."""
    from clients.terminal.commands import deck as them

    try:
        return them.read_files(files, game, words)
    except them.Unreadable as error:
        if as_json:
            say.last_line(them.mistakes_as_json(error.mistakes))
        else:
            them.print_mistakes(error.mistakes, say.console())
        raise typer.Exit(UNREADABLE) from None
