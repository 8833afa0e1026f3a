"""An engine worker as a process: `python -m services.engine`."""

from services.chassis.config import EngineConfig
from services.chassis.server import run
from services.engine.service import bind

if __name__ == "__main__":
    run("engine", EngineConfig, bind)
