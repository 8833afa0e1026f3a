"""How large a test is tried: small in `make test`, whole where somebody waits for it.

`ANPAI_SCALE` says how much of the way from small to full: a number from 0, or `full`.
"""

import os


def scale() -> float:
    told = os.environ.get("ANPAI_SCALE", "") or "0"
    return 1.0 if told == "full" else float(told)


def scaled(small: int, full: int) -> int:
    """So many, at the scale of this run."""
    return round(small + (full - small) * scale())
