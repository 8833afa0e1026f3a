"""`anpai demo`: whole games against bots, each of them checked afterwards."""

import asyncio
import contextlib
import json
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from anpai import (
    AnpaiError,
    Assignment,
    Deck,
    GameInfo,
    House,
    Outcome,
    connect,
)
from clients.bots.mind import Mind
from clients.bots.playing import Tally, answer
from clients.bots.strategies import USUAL, strategy_named
from clients.bots.strategy import Faces, faces_of
from clients.terminal.bringing import legal
from clients.terminal.choosing import game_among, variant_among
from clients.terminal.commands.deck import Entry
from clients.terminal.finding import Where, find
from clients.terminal.say import tell
from clients.terminal.stack.folder import (
    DEFAULT,
    Folder,
    is_running,
    make_directory,
    read_stack,
)
from clients.terminal.stack.own import own_stack
from clients.terminal.words import Words
from services.local.verify import verify

AT_ONCE = 16
GAME_SECONDS = 600.0
DISCLOSURE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Played:
    """One game; `problem` says what went wrong, "" where nothing did."""

    table: str
    game: str
    variant: str
    seats: int
    names: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    answers: int = 0
    finished: bool = False
    verified: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line: all games and variants where none is
    named, and a table of each where no number is."""

    game: str | None
    variant: str
    tables: int | None
    decks: Sequence[Entry] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """A variant of a game, with so many seats, and what the visitor brings to it."""

    game: str
    variant: str
    seats: int
    decks: Sequence[Deck] = ()


class Demo:
    """Tables with one visitor each, the other seats taken by bots that matchmaking
    finds. `folder` is where visitors write down what they hear."""

    def __init__(self, server: str, folder: Path):
        self._server = server
        self._folder = folder
        self._places = asyncio.Semaphore(AT_ONCE)
        self._dice = random.Random()

    async def play(self, wanted: Wanted, words: Words) -> list[Played]:
        """All tables, some at once, each variant and number of seats in turn."""
        async with connect(self._server) as house:
            ways = await ways_to_play(house, wanted, words)
            faces = {
                game: faces_of(await house.catalog(game))
                for game in dict.fromkeys(way.game for way in ways)
            }
            count = len(ways) if wanted.tables is None else wanted.tables
            chosen = [ways[number % len(ways)] for number in range(count)]
            evenings = (self._one(house, way, faces[way.game]) for way in chosen)
            return await asyncio.gather(*evenings)

    async def _one(self, house: House, way: Way, faces: Faces) -> Played:
        async with self._places:
            table = "–"
            try:
                visitor = house.as_player(None)
                await visitor.sign_in("Visitor", bot=True)
                ticket = await visitor.enter(
                    way.game,
                    variant=way.variant,
                    seats=way.seats,
                    bots=way.seats - 1,
                    decks=way.decks,
                )
                seat = await ticket.seat()
                table = seat.table_id
                async with asyncio.timeout(GAME_SECONDS):
                    return await self._evening(visitor, seat, faces)
            except AnpaiError as error:
                problem = str(error)
            except TimeoutError:
                problem = f"not over after {GAME_SECONDS:.0f} s"
            return Played(table, way.game, way.variant, way.seats, problem=problem)

    async def _evening(self, visitor: House, seat: Assignment, faces: Faces) -> Played:
        """Play, then run the game again from its disclosure."""
        record = self._folder / f"{seat.table_id}-{seat.seat}.jsonl"
        mind = Mind(strategy_named(USUAL), faces, self._dice)
        tally = Tally()
        async with visitor.sit(seat, record=record) as table:
            async for _ in table:
                if table.question is not None:
                    await answer(table, table.question, mind, tally)
            names = tuple(one.name for one in table.view.seats)
            outcome = table.outcome
        if outcome is None:
            told = (seat.table_id, seat.game, seat.variant, seat.seats, names)
            return Played(*told, problem="no outcome")
        disclosure = await visitor.disclosure(seat.table_id, within=DISCLOSURE_SECONDS)
        return checked(seat, names, outcome, disclosure, record)


async def ways_to_play(house: House, wanted: Wanted, words: Words) -> list[Way]:
    """Of each game that is wanted."""
    games = await house.games()
    if wanted.game is not None:
        games = [game_among(games, wanted.game, words)]
    elif wanted.variant:
        games = [game for game in games if has(game, wanted.variant)] or games
    return [way for game in games for way in await ways_of(house, game, wanted, words)]


def has(game: GameInfo, variant: str) -> bool:
    return any(one.name == variant for one in game.variants)


async def ways_of(
    house: House, game: GameInfo, wanted: Wanted, words: Words
) -> list[Way]:
    """Variants with each number of seats. Decks are for one: the named or usual one."""
    if not (wanted.variant or wanted.decks):
        every = [(one.name, seats) for one in game.variants for seats in one.seats]
        return [Way(game.name, *one) for one in every]
    variant = variant_among(game, wanted.variant, words)
    decks = await legal(house, game, variant, wanted.decks, words)
    return [Way(game.name, variant.name, seats, decks) for seats in variant.seats]


def checked(
    seat: Assignment,
    names: tuple[str, ...],
    outcome: Outcome,
    disclosure: bytes,
    record: Path,
) -> Played:
    """Against the commitment that came with the seat, and all the visitor heard."""
    report = verify(
        disclosure,
        commitment=seat.commitment,
        heard=record.read_text().splitlines(),
    )
    best = [name for name, rank in zip(names, outcome.ranks, strict=True) if rank == 1]
    return Played(
        table=seat.table_id,
        game=seat.game,
        variant=seat.variant,
        seats=seat.seats,
        names=names,
        winners=tuple(best),
        points=tuple(outcome.scores),
        answers=answers_in(disclosure),
        finished=True,
        verified=report.ok and report.heard > 0,
        problem=report.problem,
    )


def answers_in(disclosure: bytes) -> int:
    """How often somebody answered, time that ran out included."""
    kinds = [entry[1] for entry in json.loads(disclosure)["journal"]]
    return kinds.count("answer") + kinds.count("default")


# ---- what is shown -------------------------------------------------------------------

COLUMNS = ("table", "variant", "seats", "winner", "points", "answers", "verified")

# Never broken in two.
WHOLE = ("table", "variant")


def print_games(games: list[Played], words: Words, out: Console) -> None:
    grid = Table(box=None, pad_edge=False, collapse_padding=True, header_style="bold")
    for key in COLUMNS:
        whole = key in WHOLE
        grid.add_column(words(f"demo.{key}"), overflow="fold", no_wrap=whole)
    for game in games:
        grid.add_row(
            game.table,
            f"{game.game} {game.variant}",
            str(game.seats),
            winners_of(game, words),
            ":".join(map(str, game.points)) or "–",
            str(game.answers),
            words("demo.yes") if game.verified else words("demo.no"),
        )
    out.print(grid)
    for game in games:
        if game.problem:
            out.print(f"{game.table}: {game.problem}")


def winners_of(game: Played, words: Words) -> str:
    """Who is alone and lost was beaten by the automaton."""
    if game.finished and not game.winners:
        return words("board.automaton")
    return words.listed(list(game.winners)) or "–"


def summary(game: str | None, games: list[Played], seconds: float) -> dict[str, object]:
    """What `--json` ends with; `game` is "" for all."""
    return {
        "game": game or "",
        "tables": len(games),
        "finished": sum(one.finished for one in games),
        "verified": sum(one.verified for one in games),
        "answers": sum(one.answers for one in games),
        "seconds": round(seconds, 3),
        "games": [asdict(one) for one in games],
    }


def say_how_to_play(
    games: list[Played], house: Where, game: str | None, words: Words, out: Console
) -> None:
    if all_well(games):
        tell(out, words("demo.all_well", tables=len(games)))
    is_here = read_stack(Folder(house.home)) is not None
    key = "demo.play_here" if is_here else "demo.play_yourself"
    names = [game] if game else dict.fromkeys(one.game for one in games)
    lines = [words("demo.play", game=name, option=house.option) for name in names]
    out.print(words(key, games="\n".join(lines)), soft_wrap=True)


def all_well(games: list[Played]) -> bool:
    return all(game.finished and game.verified for game in games)


# ---- where it is played --------------------------------------------------------------


@contextlib.contextmanager
def a_house(
    server: str | None, directory: Path | None, words: Words, out: Console
) -> Iterator[Where]:
    """The server named, the stack that runs, or one of our own while this lasts."""
    folder = Folder(directory or DEFAULT)
    if server is not None or is_running(folder):
        yield find(server, folder.root, words)
        return
    with contextlib.ExitStack() as cleaning:
        if directory is None:
            temporary = tempfile.TemporaryDirectory(prefix="anpai-")
            directory = Path(cleaning.enter_context(temporary))
        with out.status(words("demo.starting")):
            address = cleaning.enter_context(own_stack(directory))
        yield Where(address, directory, "")


def run_games(
    house: Where, wanted: Wanted, words: Words, out: Console
) -> tuple[list[Played], float]:
    """Every game, and how many seconds they took together."""
    started = time.monotonic()
    folder = house.home / "heard"
    make_directory(folder)
    with out.status(words("demo.playing")):
        games = asyncio.run(Demo(house.server, folder).play(wanted, words))
    return games, time.monotonic() - started
