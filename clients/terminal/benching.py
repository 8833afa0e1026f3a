"""`anpai bench`: measure how fast it is and what that costs, on this machine."""

from typing import Annotated

import typer

from clients.terminal import say
from clients.terminal.options import Json, Lang, words_in

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


@bench.command()
@say.spoken
def load(
    game: Game = "skirmish",
    variant: Variant = "",
    seats: Annotated[int | None, typer.Option(help="Seats at each table.")] = None,
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
    clients: Annotated[
        int, typer.Option(min=1, max=16, help="Processes full of players.")
    ] = 2,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Tables full of bots, on a stack of their own: answers a second, latency, cost."""
    from clients.bench.load import Wanted
    from clients.terminal.commands import bench as them

    words = words_in(lang)
    way = them.way_to_play(game, variant, seats, words)
    wanted = Wanted(*way, tables, workers, rate, seconds, warm_up, clients)
    told = them.run_load(wanted, words)
    if as_json:
        say.last_line(told)
    else:
        them.print_load(told, words, say.console())
    if told["errors"]:
        raise typer.Exit(1)
