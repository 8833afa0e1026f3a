"""A whole game in one process, and the check of a finished one.

Why here: it alone joins the engine's kernel and games to the vault's pure files, so a
file is enough to run any game again, without a service, a store or a network.
`services.local.verify` has the check, `services.local.playouts` the measure of speed.
"""

from services.engine.games import GAMES
from services.local.table import LocalTable

__all__ = ["GAMES", "LocalTable"]
