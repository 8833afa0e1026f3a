"""Three decks a seat, and games until somebody has won two (GW-13).

What the next game needs to know lies on the seats: `decks` are the factions of its
three decks, `played` those it has played, `won_with` those that won a game.
"""

from collections.abc import Iterable, Sequence

from services.engine.games.gwent import scoring
from services.engine.games.gwent.board import PILE, sides
from services.engine.games.gwent.entering import choose_one
from services.engine.games.gwent.leading import faction_of_deck
from services.engine.games.gwent.pieces import FACTIONS, Faction
from services.engine.games.gwent.starter import ADVANCED, READY
from services.engine.games.gwent.strength import recount
from services.engine.kernel import Outcome, Place, Question, Table, Word, choose, ranked

GAMES_TO_WIN = 2
DECKS = 3
MOST_DRAWN = 2
PUT_AWAY = Place("put_away")

# -- decks ---------------------------------------------------------------------------


async def choose_sets(table: Table) -> None:
    """Who brings no decks chooses three ready ones, all at once, unseen (GW-13.1)."""
    asked = [seat for seat in table.seats if not table.brought.get(seat)]
    questions = [set_question(seat) for seat in asked]
    answers = await table.ask_all(questions, secret=True) if questions else {}
    for seat in table.seats:
        decks = table.brought.get(seat) or [READY[str(o)].deck for o in answers[seat]]
        note(table, "decks", seat, map(faction_of_deck, decks))
    await choose_first_decks(table)


def set_question(seat: int) -> Question:
    """Three of the ready decks, by lot if it does not say (GW-13.1)."""
    words = [Word(one.id) for one in ADVANCED]
    return choose(seat, "choose_set", words, least=DECKS, most=DECKS)


async def choose_first_decks(table: Table) -> None:
    """A coin names who chooses first, openly (GW-13.3)."""
    for seat in table.seats_from(await table.lot(table.seats)):
        await take_deck(table, seat, noted(table, "decks", seat))


async def take_deck(table: Table, seat: int, factions: Sequence[Faction]) -> None:
    """One of the seat's decks, called by its faction (GW-13.3, GW-13.4)."""
    words = [Word(faction.value) for faction in factions]
    chosen = Faction(await choose_one(table, seat, "choose_deck", words))
    table.mark("faction", seat, chosen.value)
    note(table, "played", seat, [*noted(table, "played", seat), chosen])


def noted(table: Table, marker: str, seat: int) -> list[Faction]:
    """The factions that a marker on a seat lists."""
    return [Faction(name) for name in (table.marker(marker, seat) or "").split()]


def note(table: Table, marker: str, seat: int, factions: Iterable[Faction]) -> None:
    """A marker on a seat lists these factions, with spaces."""
    some = set(factions)
    table.mark(marker, seat, " ".join(one for one in FACTIONS if one in some))


# -- between two games ---------------------------------------------------------------


async def next_game(table: Table) -> bool:
    """The game that ended counts; is there another? Then with which decks (GW-13.4)."""
    winner = count_game(table)
    if is_over(table):
        return False
    await put_away(table)
    if winner is not None:
        await change_decks(table, winner)
    return True


def count_game(table: Table) -> int | None:
    """Who won it, if anybody; that deck is out (GW-13.2, GW-13.4)."""
    winners = scoring.outcome(table).winners
    if len(winners) > 1:
        table.gain("drawn", 1)
        table.declare("game_drawn")
        return None
    (winner,) = winners
    table.gain("games", 1, winner)
    table.declare("game_won", winner)
    with_it = Faction(str(table.marker("faction", winner)))
    note(table, "won_with", winner, [*noted(table, "won_with", winner), with_it])
    return winner


def is_over(table: Table) -> bool:
    """Two games won, or one more drawn than is played again (GW-13.2)."""
    won = max(table.counter("games", seat) for seat in table.seats)
    return won == GAMES_TO_WIN or table.counter("drawn") > MOST_DRAWN


async def change_decks(table: Table, winner: int) -> None:
    """The winner to one not played yet, then the other keeps or changes (GW-13.4)."""
    for seat in table.seats_from(winner):
        out = "played" if seat == winner else "won_with"
        gone = noted(table, out, seat)
        left = [one for one in noted(table, "decks", seat) if one not in gone]
        await take_deck(table, seat, left)


async def put_away(table: Table) -> None:
    """All cards of the last game, unseen: the next one begins afresh (GW-13.5)."""
    places = [place for place in table.places() if place != PUT_AWAY]
    await table.move(table.cards(*places), PUT_AWAY)
    for seat in table.seats:
        table.unmark("passed", seat)
        await table.draw(PILE[seat], table.count(PILE[seat]), PUT_AWAY)
    for one in sides(table):
        for row in one.rows:
            table.unmark("horn", row)
    recount(table)


def outcome(table: Table) -> Outcome:
    """Who has won more games; as many each are a draw (GW-13.2)."""
    return ranked(tuple(table.counter("games", seat) for seat in table.seats))
