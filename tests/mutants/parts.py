"""Where mistakes are made, which tests should notice, and what mistakes there are."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Part:
    """Files, and the tests that are told about them, the quickest to notice first."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]

    def modules(self, root: Path) -> Iterator[Path]:
        for pattern in self.files:
            yield from sorted(root.glob(pattern))


GAME = ("tests/rules/skirmish", "tests/transcripts")
PROOF = ("tests/services/local/test_fairness.py", "tests/services/local/test_verify.py")

PARTS = (
    Part(
        "kernel",
        ("services/engine/kernel/*.py",),
        (
            *("tests/services/engine/kernel", *GAME, *PROOF),
            *(
                "tests/services/engine/protocol/test_stories.py",
                "tests/sdk/test_fold.py",
            ),
            *("tests/laws/test_playing.py", "tests/laws/test_resuming.py"),
        ),
    ),
    Part(
        "vault",
        tuple(
            f"services/vault/{name}.py"
            for name in (
                *("chain", "chance", "deck", "cards", "grants", "holdings", "ledger"),
            )
        ),
        (
            "tests/services/vault/test_chance.py",
            "tests/services/vault/test_holdings.py",
            *(*PROOF, *GAME, "tests/laws/test_playing.py"),
        ),
    ),
    Part(
        "skirmish",
        ("services/engine/games/skirmish/*.py",),
        (*GAME, "tests/laws/test_playing.py"),
    ),
)

# Mistakes that people make and that mean something else. The tool knows more: such as
# `==` for `is`, which is the same here, or `+` for the `|` of a type, which no module
# survives being imported with.
MISTAKES = (
    *(f"ReplaceBinaryOperator_{one}" for one in ("Add_Sub", "Sub_Add", "Mul_Add")),
    *(f"ReplaceBinaryOperator_{one}" for one in ("FloorDiv_Mul", "Mod_Add")),
    *(f"ReplaceComparisonOperator_{one}" for one in ("Eq_NotEq", "NotEq_Eq")),
    *(f"ReplaceComparisonOperator_{one}" for one in ("Lt_LtE", "LtE_Lt", "Gt_GtE")),
    *(f"ReplaceComparisonOperator_{one}" for one in ("GtE_Gt", "Is_IsNot", "IsNot_Is")),
    *(f"ReplaceUnaryOperator_{one}" for one in ("USub_UAdd", "Delete_Not")),
    *("AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr"),
    *("ReplaceOrWithAnd", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak"),
    *("NumberReplacer", "ZeroIterationForLoop"),
)
