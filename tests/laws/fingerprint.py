"""Play one game and print a fingerprint of it: run under different hash seeds."""

import hashlib
import random
import sys

from services.engine.kernel.written import written
from tests.laws.playing import CASES, played
from tests.laws.seeing import heard


def fingerprint(case, seed: int) -> str:
    table = case.table(seed)
    played(table, random.Random(seed), lateness=0.1)
    digest = hashlib.sha256()
    for event in table.events:
        digest.update(written(event).encode())
    for viewer in [*range(case.seats), None]:
        digest.update(b"".join(heard(table, viewer)))
    return digest.hexdigest()


if __name__ == "__main__":
    for case in CASES:
        for seed in map(int, sys.argv[1:]):
            print(case, seed, fingerprint(case, seed))
