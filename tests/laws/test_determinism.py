"""Nothing depends on the order in which a set happens to be walked."""

import os
import subprocess
import sys


def fingerprints(hash_seed: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "tests.laws.fingerprint", "1", "2"],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_games_are_the_same_under_every_hash_seed():
    first = fingerprints("0")

    assert first.count("\n") >= 3
    assert fingerprints("1") == first
    assert fingerprints("4242") == first
