"""What was measured, for people and as JSON; always with the machine it was on."""

import os
import platform
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from clients.bench.cost import Cost
from loadtest.swarm import Swarmed

HEAD = (
    f"{'scenario':<10}{'tables':>7}{'seats':>6}{'answers':>9}{'per s':>8}"
    f"{'p50 ms':>8}{'p99 ms':>8}{'server ms':>11}{'errors':>8}"
)


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


def row(swarmed: Swarmed, costs: dict[str, Cost]) -> dict[str, Any]:
    """One scenario. `server_ms_per_answer` is the processor time of services and store
    together, the swarm's not counted."""
    summary = swarmed.summary
    seconds = sum(cost.cpu_seconds for cost in costs.values())
    return {
        "scenario": swarmed.scenario.name,
        "about": swarmed.scenario.about,
        "watchers": swarmed.scenario.watchers,
        "events_watched": swarmed.events,
        **summary.as_json(),
        "server_ms_per_answer": round(1000 * seconds / max(1, summary.answers), 3),
        "client_cpu_seconds": round(swarmed.client_seconds, 2),
        "parts": {name: asdict(cost) for name, cost in costs.items()},
    }


def line(told: dict[str, Any]) -> str:
    return (
        f"{told['scenario']:<10}{told['tables']:>7}{told['seats']:>6}"
        f"{told['answers']:>9}{told['answers_per_s']:>8.0f}"
        f"{told['latency_ms']['p50']:>8.1f}{told['latency_ms']['p99']:>8.1f}"
        f"{told['server_ms_per_answer']:>11.2f}{sum(told['errors'].values()):>8}"
    )


def foot() -> str:
    told = machine()
    return (
        f"{told['cores']} × {told['cpu']}, Python {told['python']}, grpcio "
        f"{told['grpcio']}; the swarm runs on the same cores as the services"
    )
