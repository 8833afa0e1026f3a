"""The `anpai` command. Names and options are fixed: scripts use them."""

import io
import os
import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer

from clients.terminal import say
from clients.terminal.administering import admin
from clients.terminal.benching import bench
from clients.terminal.decking import brought, deck
from clients.terminal.finding import find, is_file
from clients.terminal.options import Json, Lang, Spectators, words_in
from clients.terminal.stack.folder import DEFAULT, Folder

app = typer.Typer(
    name="anpai",
    help="Anpai 暗牌: play, watch and check card games, and run it all here.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(admin, name="admin")
app.add_typer(bench, name="bench")
app.add_typer(deck, name="deck")


Server = Annotated[
    str | None,
    typer.Option(
        help="host:port of a server, grpcs://host:port in TLS; else the stack of --dir."
    ),
]
DIR_HELP = "The directory of a stack."
Dir = Annotated[Path, typer.Option("--dir", help=DIR_HELP)]
Variant = Annotated[str, typer.Option(help="See `anpai games`; else the usual one.")]
Decks = Annotated[
    list[Path] | None, typer.Option("--deck", help="A deck's file; again for another.")
]
PORT = 7410


@app.callback()
def everywhere(
    ca: Annotated[
        Path | None,
        typer.Option(
            envvar="ANPAI_CA",
            exists=True,
            dir_okay=False,
            help="Whom to trust at grpcs://, in PEM; else the usual roots.",
        ),
    ] = None,
) -> None:
    """What every command is told."""
    if ca is not None:
        os.environ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"] = str(ca)


@app.command()
@say.spoken
def up(
    directory: Dir = DEFAULT,
    workers: Annotated[int, typer.Option(min=1, max=16, help="Engine workers.")] = 2,
    port: Annotated[int, typer.Option(min=1, max=65535, help="For players.")] = PORT,
    exports: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="Every finished game becomes a file there."),
    ] = None,
    lang: Lang = None,
) -> None:
    """Run everything here, until Ctrl-C."""
    from clients.terminal.commands.up import up as run_up

    words, folder = words_in(lang), Folder(directory, exports)
    run_up(folder, port, workers, words, say.console())


@app.command()
@say.spoken
def play(
    game: Annotated[str | None, typer.Argument(help="See `anpai games`.")] = None,
    variant: Variant = "",
    seats: Annotated[int | None, typer.Option(help="Seats at the table.")] = None,
    bots: Annotated[
        int | None,
        typer.Option(
            help="How many are bots; else all others, or none with --wait or --room."
        ),
    ] = None,
    wait: Annotated[
        int | None,
        typer.Option(
            min=0, max=3600, help="Wait so many seconds for people, then bots."
        ),
    ] = None,
    room: Annotated[
        str | None, typer.Option(help="A private room's code; `new` makes one.")
    ] = None,
    spectators: Annotated[
        Spectators | None, typer.Option(help="Who may look on; with --room new.")
    ] = None,
    party: Annotated[
        str | None, typer.Option(help="With this party; see `anpai party`.")
    ] = None,
    decks: Decks = None,
    name: Annotated[str | None, typer.Option(help="Your name at the table.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on.")] = False,
    table: Annotated[
        str | None, typer.Option(help="Go on at this table; see `anpai tables`.")
    ] = None,
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
) -> None:
    """Play a game, here in the terminal."""
    from clients.terminal.commands.play import Wanted
    from clients.terminal.commands.play import play as run_play

    words = words_in(lang)
    entries = brought(decks, game, words)
    wanted = Wanted(
        *(game, variant, seats, bots, room, name, resume, entries, table, party, wait),
        spectators=spectators,
    )
    run_play(wanted, find(server, directory, words), words, say.console())


@app.command()
@say.spoken
def tables(
    name: Annotated[str | None, typer.Option(help="Your name at the table.")] = None,
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """List the tables you sit at, and whose move it is."""
    from clients.terminal.commands import tables as them

    words = words_in(lang)
    where = find(server, directory, words)
    seats = them.fetch_seats(where, name, words)
    if as_json:
        say.last_line(them.as_json(seats))
    else:
        them.print_seats(seats, name, where, words, say.console())


@app.command()
@say.spoken
def party(
    code: Annotated[
        str | None, typer.Argument(help="`new`, or a code to join; else your own.")
    ] = None,
    leave: Annotated[bool, typer.Option("--leave", help="Leave your party.")] = False,
    name: Annotated[str | None, typer.Option(help="Your name at the table.")] = None,
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Make, join, show or leave a party: players who sit at one table."""
    from clients.terminal.commands import party as them

    words = words_in(lang)
    where = find(server, directory, words)
    if leave:
        code = them.leave(where, name, words)
        if as_json:
            say.last_line({"code": code, "left": True})
        else:
            say.tell(say.console(), words("party.left", code=code))
        return
    found = them.fetch(code, name, where, words)
    if as_json:
        say.last_line(them.as_json(found))
    else:
        them.print_party(found, where, words, say.console())


@app.command()
@say.spoken
def leaderboard(
    game: Annotated[str, typer.Argument(help="See `anpai games`.")],
    variant: Variant = "",
    page: Annotated[int, typer.Option(min=1, help="Which page.")] = 1,
    name: Annotated[str | None, typer.Option(help="Your name at the table.")] = None,
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Say who is best at a variant of a game."""
    from clients.terminal.commands import leaderboard as them

    words = words_in(lang)
    where = find(server, directory, words)
    found = them.fetch_page(game, variant, page, name, where)
    if as_json:
        say.last_line(them.as_json(found))
    else:
        them.print_page(found, words, say.console())


@app.command()
@say.spoken
def watch(
    table: Annotated[str, typer.Argument(help="A table's id.")],
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
) -> None:
    """Watch a table as the public sees it."""
    from clients.terminal.commands.watch import watch as run_watch

    words = words_in(lang)
    run_watch(table, find(server, directory, words), words, say.console())


@app.command()
@say.spoken
def games(
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """List the games that can be played."""
    from clients.terminal.commands import games as them

    words = words_in(lang)
    found = them.fetch_games(find(server, directory, words), words)
    if as_json:
        say.last_line(them.games_as_json(found))
    else:
        them.print_games(found, words, say.console())


@app.command()
@say.spoken
def cards(
    game: Annotated[str, typer.Argument(help="See `anpai games`.")],
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """List every card of a game and what it does."""
    from clients.terminal.commands import games as them

    words = words_in(lang)
    catalog = them.fetch_catalog(game, find(server, directory, words), words)
    if as_json:
        say.last_line(them.cards_as_json(catalog))
    else:
        them.print_cards(catalog, words, say.console())


@app.command()
@say.spoken
def status(
    once: Annotated[
        bool, typer.Option("--once", help="Tell it once, and end.")
    ] = False,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Say what runs here, how it is and how much goes on; live, until Ctrl-C."""
    from clients.terminal.commands import status as them
    from clients.terminal.screen.status import drawn

    words, out = words_in(lang), say.console()
    watching = them.Watching(directory, words)
    if out.is_terminal and not (once or as_json):
        found = them.show_live(watching, words, out)
    elif as_json:
        say.last_line(found := watching.status())
    else:
        out.print(drawn(found := watching.status(), words))
    if not them.is_well(found):
        raise typer.Exit(1)


@app.command()
@say.spoken
def export(
    table: Annotated[str, typer.Argument(help="A table's id.")],
    file: Annotated[Path | None, typer.Option("-o", help="Where to.")] = None,
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
) -> None:
    """Write the disclosure of a finished game to a file."""
    from clients.terminal.commands.export import export as run_export

    words = words_in(lang)
    path = run_export(table, file, find(server, directory, words))
    say.console().print(str(path), soft_wrap=True)


@app.command()
@say.spoken
def verify(
    what: Annotated[str, typer.Argument(help="A table's id, or a disclosure's file.")],
    commitment: Annotated[
        str | None, typer.Option(help="What was published before play (hex).")
    ] = None,
    heard: Annotated[
        Path | None, typer.Option(help="What a seat recorded during play.")
    ] = None,
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Run a finished game again from its disclosure, and compare everything."""
    from clients.terminal.commands import verify as them

    words = words_in(lang)
    if is_file(what, words):
        report = them.check_file(Path(what), commitment, heard)
    else:
        where = find(server, directory, words)
        report = them.check_table(what, where, commitment, heard)
    if as_json:
        say.last_line(them.as_json(report))
        raise typer.Exit(0 if report.ok else 1)
    them.print_report(report, words, say.console())


@app.command()
@say.spoken
def replay(
    what: Annotated[str, typer.Argument(help="A table's id, or a disclosure's file.")],
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
) -> None:
    """Read a finished game again, step by step, with every hand open."""
    from clients.terminal.commands.export import export_bytes
    from clients.terminal.commands.replay import replay as run_replay

    words = words_in(lang)
    if is_file(what, words):
        told = Path(what).read_bytes()
    else:
        told = export_bytes(what, find(server, directory, words))
    stops = sys.stdin.isatty() and sys.stdout.isatty()
    run_replay(told, words, say.console(), stops=stops)


@app.command()
@say.spoken
def demo(
    game: Annotated[
        str | None, typer.Option(help="See `anpai games`; else all.")
    ] = None,
    variant: Annotated[str, typer.Option(help="One of the game's; else each.")] = "",
    tables: Annotated[
        int | None, typer.Option(min=1, help="How many; else one of each kind.")
    ] = None,
    decks: Decks = None,
    server: Server = None,
    directory: Annotated[Path | None, typer.Option("--dir", help=DIR_HELP)] = None,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Play whole games against bots, and check every one; needs nothing running."""
    from clients.terminal.commands import demo as them

    words, out = words_in(lang), say.console(for_json=as_json)
    wanted = them.Wanted(game, variant, tables, brought(decks, game, words))
    with them.a_house(server, directory, words, out) as house:
        games, seconds = them.run_games(house, wanted, words, out)
        them.print_games(games, words, out)
    them.say_how_to_play(games, house, game, words, out)
    if as_json:
        say.last_line(them.summary(game, games, seconds))
    if not them.all_well(games):
        raise typer.Exit(1)


@app.command()
@say.spoken
def bot(
    game: Annotated[str, typer.Option(help="See `anpai games`.")] = "skirmish",
    variant: Variant = "",
    seats: Annotated[int | None, typer.Option(help="Seats at each table.")] = None,
    tables: Annotated[int, typer.Option(min=1, help="How many, at once.")] = 1,
    strategy: Annotated[str, typer.Option(help="steady, sharp or random.")] = "steady",
    think: Annotated[float, typer.Option(min=0, help="Seconds per answer.")] = 0.0,
    decks: Decks = None,
    server: Server = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Let bots play tables of their own, to the end."""
    from clients.terminal.commands import bot as them

    words = words_in(lang)
    where = find(server, directory, words)
    entries = brought(decks, game, words)
    wanted = them.Wanted(game, variant, seats, tables, strategy, think, entries)
    summary = them.evening(where.server, wanted, words)
    if as_json:
        say.last_line(summary.as_json())
    else:
        them.print_summary(summary, words, say.console())
    if not summary.ok:
        raise typer.Exit(1)


def main() -> None:
    """The entry point. A terminal that lacks a character shows another in its place."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    warnings.showwarning = say.warning
    app()


if __name__ == "__main__":
    main()
