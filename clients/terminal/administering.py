"""`anpai admin`: for whoever has the operators' key."""

import json
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clients.terminal import say
from clients.terminal.finding import find
from clients.terminal.options import Json, Lang, words_in
from clients.terminal.stack.folder import DEFAULT, Folder
from clients.terminal.words import Words

if TYPE_CHECKING:
    from clients.terminal.operating import Doors

admin = typer.Typer(
    help="For operators: tables, players, workers.", no_args_is_help=True
)

Table = Annotated[str, typer.Argument(help="A table's id.")]
Player = Annotated[str, typer.Argument(help="A player's id; see `anpai admin table`.")]
Server = Annotated[
    str | None,
    typer.Option(help="Matchmaking's own address, not the edge's; else --dir."),
]
Engine = Annotated[
    list[str] | None,
    typer.Option("--engine", help="An engine's address; else as the server says."),
]
Keys = Annotated[
    Path | None,
    typer.Option(help="The folder with operator.key; else that of --dir."),
]
Dir = Annotated[Path, typer.Option("--dir", help="The directory of a stack.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask whether you are sure.")]
Reason = Annotated[str, typer.Option(help="Why, for the log; players are not told.")]


class State(StrEnum):
    """What `--state` takes."""

    ANY = "any"
    GATHERING = "gathering"
    PLAYING = "playing"
    OVER = "over"
    STOPPED = "stopped"


def doors(
    server: str | None,
    engines: list[str] | None,
    keys: Path | None,
    directory: Path,
    words: Words,
) -> "Doors":
    from clients.terminal.operating import Doors

    where = find(server, directory, words)
    return Doors(where.server, tuple(engines or ()), keys or Folder(directory).keys)


def be_sure(yes: bool, sentence: str, words: Words) -> None:
    """Exit 1 where he is not."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise say.Trouble(words("admin.say_yes"))
    if not typer.confirm(sentence, err=True):
        raise typer.Exit(1)


@admin.command()
@say.spoken
def tables(
    game: Annotated[str, typer.Option(help="Of this game; else of all.")] = "",
    state: Annotated[State, typer.Option(help="In this state.")] = State.ANY,
    server: Server = None,
    engine: Engine = None,
    keys: Keys = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """List the tables of all workers, whoever plays."""
    from clients.terminal.commands import admin as them
    from clients.terminal.operating import operate

    words = words_in(lang)
    where = doors(server, engine, keys, directory, words)
    number = them.STATES.index(state)
    found = operate(where, words, lambda these: these.tables(game, number))
    if as_json:
        say.last_line(them.lines_as_json(found))
    else:
        them.print_tables(found, words, say.console())


@admin.command()
@say.spoken
def table(
    table: Table,
    server: Server = None,
    engine: Engine = None,
    keys: Keys = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Look at one table from outside: who sits there, and what the public sees."""
    from clients.terminal.commands import admin as them
    from clients.terminal.operating import operate

    words = words_in(lang)
    where = doors(server, engine, keys, directory, words)
    seen = operate(where, words, lambda these: these.table(table))
    if as_json:
        say.last_line(them.table_as_json(seen))
    else:
        them.print_table(seen, words, say.console())


@admin.command()
@say.spoken
def end(
    table: Table,
    reason: Reason = "ended by an operator",
    yes: Yes = False,
    server: Server = None,
    engine: Engine = None,
    keys: Keys = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """End a table: nobody wins or loses."""
    from clients.terminal.operating import operate

    words = words_in(lang)
    where = doors(server, engine, keys, directory, words)
    be_sure(yes, words("admin.sure_end", table=table), words)
    how = operate(where, words, lambda these: these.end(table, reason))
    if as_json:
        say.last_line({"table_id": table, "reason": how})
    else:
        say.tell(say.console(), words("admin.ended", table=table, reason=how))


@admin.command()
@say.spoken
def journal(
    table: Table,
    server: Server = None,
    engine: Engine = None,
    keys: Keys = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Print the journal of a stopped table, an entry a line: there is no face in it."""
    from clients.terminal.operating import operate

    where = doors(server, engine, keys, directory, words_in(lang))
    entries = operate(where, words_in(lang), lambda these: these.journal(table))
    if as_json:
        say.last_line([json.loads(one) for one in entries])
    else:
        print(*entries, sep="\n")


@admin.command()
@say.spoken
def ban(
    player: Player,
    how_long: Annotated[
        str, typer.Option("--for", help="Such as 30m, 12h, 7d.")
    ] = "7d",
    reason: Reason = "banned by an operator",
    yes: Yes = False,
    server: Server = None,
    engine: Engine = None,
    keys: Keys = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Turn a player away from everything, within a second."""
    from clients.terminal.commands import admin as them
    from clients.terminal.operating import operate

    words = words_in(lang)
    until = round((time.time() + them.seconds_in(how_long, words)) * 1000)
    where = doors(server, engine, keys, directory, words)
    told = {"player": player, "until": them.clock(until)}
    be_sure(yes, words("admin.sure_ban", **told), words)
    operate(where, words, lambda these: these.ban(player, until, reason))
    if as_json:
        say.last_line({"player_id": player, "until_ms": until})
    else:
        say.tell(say.console(), words("admin.banned", **told))


@admin.command()
@say.spoken
def unban(
    player: Player,
    server: Server = None,
    engine: Engine = None,
    keys: Keys = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Let a player in again."""
    from clients.terminal.operating import operate

    words = words_in(lang)
    where = doors(server, engine, keys, directory, words)
    operate(where, words, lambda these: these.let_in(player))
    if as_json:
        say.last_line({"player_id": player})
    else:
        say.tell(say.console(), words("admin.let_in", player=player))


@admin.command()
@say.spoken
def bans(
    server: Server = None,
    engine: Engine = None,
    keys: Keys = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """List who is turned away, and until when."""
    from clients.terminal.commands import admin as them
    from clients.terminal.operating import operate

    words = words_in(lang)
    where = doors(server, engine, keys, directory, words)
    found = operate(where, words, lambda these: these.bans())
    if as_json:
        say.last_line(them.bans_as_json(found))
    else:
        them.print_bans(found, words, say.console())


@admin.command()
@say.spoken
def drain(
    worker: Annotated[str, typer.Argument(help="An engine's name, as engine-1.")],
    yes: Yes = False,
    server: Server = None,
    engine: Engine = None,
    keys: Keys = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Have an engine hand all its tables over and take no more."""
    from clients.terminal.operating import operate

    words = words_in(lang)
    where = doors(server, engine, keys, directory, words)
    be_sure(yes, words("admin.sure_drain", worker=worker), words)
    number = operate(where, words, lambda these: these.drain(worker))
    if number is None:
        raise say.Trouble(words("admin.no_worker", worker=worker))
    if as_json:
        say.last_line({"worker": worker, "tables": number})
    else:
        told = {"worker": worker, "tables": number}
        say.tell(say.console(), words("admin.drained", **told))


@admin.command()
@say.spoken
def queue(
    server: Server = None,
    engine: Engine = None,
    keys: Keys = None,
    directory: Dir = DEFAULT,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """List the queues with somebody in them."""
    from clients.terminal.commands import admin as them
    from clients.terminal.operating import operate

    words = words_in(lang)
    where = doors(server, engine, keys, directory, words)
    found = operate(where, words, lambda these: these.queues())
    if as_json:
        say.last_line([them.as_json(one) for one in found])
    else:
        them.print_queues(found, words, say.console())
