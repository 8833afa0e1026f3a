"""python -m services.matchmaking"""

from services.chassis.config import MatchmakingConfig
from services.chassis.server import run
from services.matchmaking.binding import bind

if __name__ == "__main__":
    run("matchmaking", MatchmakingConfig, bind)
