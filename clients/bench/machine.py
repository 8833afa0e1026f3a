"""What it was measured on; figures without it mean nothing."""

import os
import platform
from importlib.metadata import version
from typing import Any


def machine() -> dict[str, Any]:
    return {
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "grpcio": version("grpcio"),
        "anpai": version("anpai-server"),
    }


def cpu_name() -> str:
    """As Linux tells it; elsewhere as Python does."""
    try:
        with open("/proc/cpuinfo") as lines:
            found = (line for line in lines if line.startswith("model name"))
            return next(found).partition(":")[2].strip()
    except (OSError, StopIteration):
        return platform.processor()
