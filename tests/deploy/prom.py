"""Debian's Prometheus, where it is; in the pipeline it is (`.ci/run` sees to it)."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

needs_prometheus = pytest.mark.skipif(
    shutil.which("prometheus") is None and not os.environ.get("CI"),
    reason="Prometheus is not installed",
)


def promtool(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["promtool", *arguments], capture_output=True, text=True)
