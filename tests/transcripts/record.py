"""Record the golden games anew: `python -m tests.transcripts.record`.

Only when a change of rules means to change games; the changelog then says that tables
in progress cannot go on under it, and `rules_version` goes up.
"""

import random
from pathlib import Path

from services.engine.games import GAMES
from services.local.playouts import play_out
from services.local.table import LocalTable

FOLDER = Path(__file__).parent
SEED = 20261130


def record() -> None:
    for game in GAMES.values():
        for variant in game.variants:
            for seats in variant.seats:
                table = LocalTable(game, seats, variant.name, seed=SEED + seats)
                play_out(table, random.Random(SEED + seats))
                name = f"{game.name}-{variant.name}-{seats}.json"
                (FOLDER / name).write_text(table.disclosure() + "\n")


if __name__ == "__main__":
    record()
