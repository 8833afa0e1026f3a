"""`python -m tests.evenings.newer`: an engine worker of a release to come, which plays
skirmish by other rules."""

from dataclasses import replace

from services.chassis.config import EngineConfig
from services.chassis.server import run
from services.engine.games import GAMES
from services.engine.service import bind

OLD = GAMES["skirmish"].version
VERSION = f"{OLD}-next"

if __name__ == "__main__":
    GAMES["skirmish"] = replace(GAMES["skirmish"], version=VERSION)
    run("engine", EngineConfig, bind)
