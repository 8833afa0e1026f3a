"""Where mistakes are made, which tests should notice, and what mistakes there are."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Part:
    """Files, and the tests that should notice: those that know them best go first, the
    others look only where these see nothing."""

    name: str
    files: tuple[str, ...]
    first: tuple[str, ...]
    then: tuple[str, ...]

    def modules(self, root: Path) -> Iterator[Path]:
        for pattern in self.files:
            yield from sorted(root.glob(pattern))


PLAYED = ("tests/rules/skirmish", "tests/transcripts", "tests/laws/test_playing.py")
PROVED = (
    "tests/services/local/test_fairness.py",
    "tests/services/local/test_verify.py",
)
PURE = ("chain", "chance", "deck", "cards", "grants", "holdings", "ledger")

PARTS = (
    Part(
        "kernel",
        ("services/engine/kernel/*.py",),
        ("tests/services/engine/kernel",),
        (
            *(
                *PLAYED,
                *PROVED,
                "tests/laws/test_resuming.py",
                "tests/sdk/test_fold.py",
            ),
            "tests/services/engine/protocol/test_stories.py",
        ),
    ),
    Part(
        "vault",
        tuple(f"services/vault/{name}.py" for name in PURE),
        (
            "tests/services/vault/test_chance.py",
            "tests/services/vault/test_holdings.py",
        ),
        (*PROVED, *PLAYED),
    ),
    Part(
        "skirmish",
        ("services/engine/games/skirmish/*.py",),
        ("tests/rules/skirmish",),
        (*PLAYED[1:], "tests/services/local/test_position.py"),
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
