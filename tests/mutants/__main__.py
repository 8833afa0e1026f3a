"""`python -m tests.mutants`: make one small mistake after the other; is it noticed?

A sample, for so many MINUTES, in a copy of the project. The mistakes are made by
cosmic-ray. Why not mutmut: it renames functions, and the names of our rules' functions
are part of the game (a question says which rule asks).

Those that no test noticed are shown, with the share of those that were; below 80 % it
fails. SEED takes the same sample again, PART only one part's files.
"""

import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.plugins import get_operator
from cosmic_ray.testing import run_tests
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkResult

from tests.mutants.parts import MISTAKES, PARTS, Part

ROOT = Path(__file__).parents[2]
COPIED = ("services", "clients", "tests", "protos", "docs", "pyproject.toml")
PYTEST = "-m pytest -x -q -p no:cacheprovider --timeout 60 --hypothesis-seed 0"
WITHIN = 300.0  # seconds: then it runs for ever, and that is noticed
MINUTE = 60.0
WANTED = 0.8
NOTICED, NOT_NOTICED = "noticed", "not noticed"


class Mutant(NamedTuple):
    """One mistake that can be made."""

    part: Part
    module: Path
    mistake: str
    number: int

    def tried(self) -> WorkResult:
        """In the present folder."""
        mistake = MutationSpec(
            module_path=self.module,
            operator_name=self.mistake,
            occurrence=self.number,
            start_pos=(0, 0),
            end_pos=(0, 1),
        )
        return mutate_and_test([mistake], command_for(self.part), WITHIN)


def command_for(part: Part) -> str:
    """In words of a shell: the second half where the first has noticed nothing."""
    first, then = (
        f"{sys.executable} {PYTEST} {' '.join(tests)}"
        for tests in (part.first, part.then)
    )
    return f"sh -c '{first} && {then}'"


def mutants(parts: list[Part]) -> Iterator[Mutant]:
    """All of them, in order."""
    for part in parts:
        for module in part.modules(Path()):
            nodes = list(ast_nodes(get_ast_from_path(module)))
            for name in MISTAKES:
                operator = get_operator(f"core/{name}")()
                places = sum(len([*operator.mutation_positions(it)]) for it in nodes)
                for number in range(places):
                    yield Mutant(part, module, f"core/{name}", number)


def copied(to: Path) -> Path:
    """The project, in a folder of its own: nobody's code is wrong meanwhile."""
    for name in COPIED:
        source, target = ROOT / name, to / name
        if source.is_dir():
            shutil.copytree(
                source, target, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(source, target)
    return to


def sampled(parts: list[Part], seed: int, minutes: float) -> Counter[str]:
    """So many were noticed and not, by part and in all."""
    found, until = Counter[str](), monotonic() + minutes * MINUTE
    everything = list(mutants(parts))
    print(f"{len(everything)} mistakes can be made; seed {seed}, {minutes:g} minutes")
    random.Random(seed).shuffle(everything)
    for mutant in everything:
        if monotonic() > until:
            break
        result = mutant.tried()
        word = {TestOutcome.KILLED: NOTICED, TestOutcome.SURVIVED: NOT_NOTICED}
        if result.test_outcome in word:
            found[word[result.test_outcome]] += 1
            found[f"{mutant.part.name}, {word[result.test_outcome]}"] += 1
        if result.test_outcome is TestOutcome.SURVIVED:
            print(f"\nNobody noticed {mutant.mistake}:\n{result.diff}", flush=True)
        else:
            print(".", end="", flush=True)
    return found


def fail_already(parts: list[Part]) -> Iterator[str]:
    """Parts whose tests find something wrong before anything is."""
    for part in parts:
        outcome, told = run_tests(command_for(part), WITHIN)
        if outcome is not TestOutcome.SURVIVED:
            yield f"{part.name}: its tests fail already.\n{told[-2000:]}"


def main() -> int:
    told = os.environ
    told.setdefault("ANPAI_LAW_EXAMPLES", "2")
    seed = int(told.get("SEED") or random.randrange(10**6))
    parts = [one for one in PARTS if told.get("PART") in (None, "", one.name)]
    with tempfile.TemporaryDirectory(prefix="anpai") as folder, chdir(folder):
        copied(Path(folder))
        if failing := list(fail_already(parts)):
            print(*failing, sep="\n")
            return 2
        found = sampled(parts, seed, float(told.get("MINUTES") or 30))
    tried = found[NOTICED] + found[NOT_NOTICED]
    share = found[NOTICED] / tried if tried else 0.0
    print()
    for line, count in sorted(found.items()):
        print(f"{count:5} {line}")
    print(f"{share:.0%} of {tried} were noticed; {WANTED:.0%} are wanted")
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
