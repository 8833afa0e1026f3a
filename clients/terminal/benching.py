"""`anpai bench`: measure how fast it is and what that costs, on this machine."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from clients.terminal import say
from clients.terminal.options import Json, Lang, words_in

Seats = Annotated[int | None, typer.Option(help="Seats at each table.")]
Clients = Annotated[int, typer.Option(min=1, max=16, help="Processes full of players.")]

bench = typer.Typer(help="Measure how fast it is.", no_args_is_help=True)

Game = Annotated[str, typer.Option(help="See `anpai games`.")]
Variant = Annotated[str, typer.Option(help="See `anpai games`; else the usual one.")]


@bench.command()
@say.spoken
def playouts(
    game: Game = "skirmish",
    variant: Variant = "",
    seconds: Annotated[float, typer.Option(min=0.1, help="How long.")] = 5.0,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Whole random games in this process: as a table plays, and rules alone."""
    from clients.terminal.commands import bench as them

    words = words_in(lang)
    speed = them.measure(game, variant, seconds, words)
    if as_json:
        say.last_line(speed)
    else:
        them.print_speed(speed, words, say.console())


@bench.command("load")
@say.spoken
def under_load(
    game: Game = "skirmish",
    variant: Variant = "",
    seats: Seats = None,
    tables: Annotated[int, typer.Option(min=1, max=20_000, help="All live.")] = 100,
    workers: Annotated[int, typer.Option(min=1, max=16, help="Engine workers.")] = 1,
    rate: Annotated[
        float | None,
        typer.Option(min=1, help="Answers a second; else as fast as they go."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Measured so long.")] = 20.0,
    warm_up: Annotated[
        float, typer.Option(min=0, help="At most so long before that.")
    ] = 90.0,
    clients: Clients = 2,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Tables full of bots, on a stack of their own: answers a second, latency, cost."""
    from clients.bench.load import Wanted, load
    from clients.terminal.commands import bench as them

    words = words_in(lang)
    way = them.way_to_play(game, variant, seats, words)
    wanted = Wanted(*way, tables, workers, rate, seconds, warm_up, clients)
    told = them.with_steps(load, wanted, words)
    show(told, as_json, partial(them.print_load, told, words))


@bench.command("tickets")
@say.spoken
def seat_seekers(
    game: Game = "skirmish",
    variant: Variant = "",
    seats: Seats = None,
    rate: Annotated[float, typer.Option(min=1, help="Tickets a second.")] = 170.0,
    players: Annotated[
        int, typer.Option(min=2, max=100_000, help="Whose tickets they are, in turn.")
    ] = 1_000,
    workers: Annotated[int, typer.Option(min=1, max=16, help="Engine workers.")] = 1,
    replicas: Annotated[
        int, typer.Option(min=1, max=16, help="Of matchmaking, with one store.")
    ] = 1,
    kill_every: Annotated[
        float | None,
        typer.Option(min=0.5, help="Kill one of them every so many seconds."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Measured so long.")] = 20.0,
    clients: Clients = 2,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Players who look for a seat: assignments a second, the wait, nobody forgotten."""
    from clients.bench.tickets import Wanted, tickets
    from clients.terminal.commands import bench as them

    words = words_in(lang)
    way = them.way_to_play(game, variant, seats, words)
    wanted = Wanted(
        *way, rate, players, workers, replicas, kill_every, seconds, clients
    )
    told = them.with_steps(tickets, wanted, words)
    show(told, as_json, partial(them.print_tickets, told, words))


@bench.command("streams")
@say.spoken
def idle_streams(
    streams: Annotated[
        int, typer.Option(min=1, max=100_000, help="How many are open.")
    ] = 5_000,
    tables: Annotated[
        int, typer.Option(min=1, max=10_000, help="At so many tables.")
    ] = 50,
    connections: Annotated[
        int | None,
        typer.Option(min=1, help="Over so many; else one for each process."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Held so long.")] = 30.0,
    clients: Clients = 4,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Streams that only hear heartbeats: the engine's memory for each."""
    from clients.bench.streams import Wanted
    from clients.bench.streams import streams as measure
    from clients.terminal.commands import bench as them

    words = words_in(lang)
    lines = max(connections or clients, clients)
    wanted = Wanted(streams, tables, lines, seconds, clients)
    told = them.with_steps(measure, wanted, words)
    show(told, as_json, partial(them.print_streams, told, words))


@bench.command("idle")
@say.spoken
def idle_tables(
    game: Game = "skirmish",
    variant: Variant = "",
    seats: Seats = None,
    tables: Annotated[
        int, typer.Option(min=1, max=100_000, help="Left in mid-game.")
    ] = 10_000,
    answers: Annotated[
        int, typer.Option(min=1, max=1_000, help="At each, before it is left.")
    ] = 10,
    returns: Annotated[int, typer.Option(min=1, help="Returned to.")] = 1_000,
    rate: Annotated[float, typer.Option(min=1, help="So many a second.")] = 20.0,
    clients: Clients = 2,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Open tables that everybody left: the engine's memory, and the way back."""
    from clients.bench.idle import Wanted, idle
    from clients.terminal.commands import bench as them

    words = words_in(lang)
    way = them.way_to_play(game, variant, seats, words)
    some = max(clients, min(returns, tables))
    wanted = Wanted(*way, max(clients, tables), answers, some, rate, clients)
    told = them.with_steps(idle, wanted, words)
    show(told, as_json, partial(them.print_idle, told, words))


@bench.command("report")
@say.spoken
def whole_report(
    file: Annotated[Path, typer.Option("-o", help="Where to.")] = Path("report.html"),
    full: Annotated[
        bool, typer.Option("--full", help="All of it: half an hour, else five minutes.")
    ] = False,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Measure everything; one page of it, with plots and tables."""
    from clients.terminal.commands import bench as them

    words, out = words_in(lang), say.console(for_json=as_json)
    told = them.write_report(file, full, words)
    out.print(str(file), soft_wrap=True)
    if as_json:
        say.last_line(told.as_json())
    if told.errors:
        raise typer.Exit(1)


def show(
    told: dict[str, Any], as_json: bool, print_it: Callable[[Console], None]
) -> None:
    """As JSON, or for people; exit 1 where anything went wrong."""
    if as_json:
        say.last_line(told)
    else:
        print_it(say.console())
    if any(told.get(trouble) for trouble in ("errors", "lost", "double")):
        raise typer.Exit(1)
