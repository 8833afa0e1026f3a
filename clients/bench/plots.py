"""Plots of what was measured, as SVG that stands in a page by itself."""

from collections.abc import Callable, Sequence
from io import StringIO
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

Row = dict[str, Any]

INK, FAINT, GRID = "#22303c", "#6b7a86", "#e3e8ec"
BLUE, TEAL, SAND, ROSE, GREY = "#2f6f9f", "#3aa39a", "#d8a34a", "#c0566b", "#9aa7b1"
HALF, MOST, NEARLY_ALL = (
    ("p50_ms", BLUE, "half"),
    ("p95_ms", TEAL, "95 %"),
    ("p99_ms", ROSE, "99 %"),
)
PARTS = (("engine", BLUE), ("vault", TEAL), ("store", SAND))

STYLE: Any = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": FAINT,
    "axes.edgecolor": GRID,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": GRID,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "ytick.left": False,
    "xtick.bottom": False,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "lines.linewidth": 2.2,
    "lines.markersize": 6,
}


def drawn(draw: Callable[[Axes], None], name: str) -> str:
    """One plot; `name` keeps its ids apart from those of others on the page."""
    style: Any = {**STYLE, "svg.hashsalt": name}
    with mpl.rc_context(style):
        figure = Figure(figsize=(6.6, 3.7), layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        out = StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :].replace('id="', f'id="{name}-', 1)


def latency(rows: Sequence[Row], by: str, label: str, target: float | None) -> str:
    """Percentiles over a number; the target as a line."""

    def draw(axes: Axes) -> None:
        over = positions(axes, rows, by)
        for key, colour, words in (HALF, MOST, NEARLY_ALL):
            told = [row[key] for row in rows]
            axes.plot(over, told, marker="o", color=colour, label=words)
        if target is not None:
            promised(axes, target, f"99 % target: {target:.0f} ms")
        named(axes, label, "ms until an answer is told")

    return drawn(draw, f"latency-{by}")


def throughput(rows: Sequence[Row]) -> str:
    def draw(axes: Axes) -> None:
        over = positions(axes, rows, "tables")
        told = [row["answers_per_s"] for row in rows]
        axes.fill_between(over, told, color=BLUE, alpha=0.12, linewidth=0)
        axes.plot(over, told, marker="o", color=BLUE)
        for at, value in zip(over, told, strict=True):
            written(axes, at, value, f"{value:,.0f}")
        axes.set_ylim(0, 1.2 * max(told))
        named(axes, "tables of two, as fast as they go", "answers a second")

    return drawn(draw, "throughput")


def cost(rows: Sequence[Row], target: float) -> str:
    """Processor time of an answer by part, in bare echoes."""

    def draw(axes: Axes) -> None:
        over, floor = positions(axes, rows, "tables"), [0.0] * len(rows)
        for part, colour in PARTS:
            told = [row["cpu_ms_per_answer"][part] / row["echo_cpu_ms"] for row in rows]
            axes.bar(over, told, 0.56, floor, color=colour, label=part)
            floor = [below + one for below, one in zip(floor, told, strict=True)]
        for at, whole in zip(over, floor, strict=True):
            written(axes, at, whole, f"{whole:.2f}")
        promised(axes, target, f"target: {target}")
        axes.set_ylim(0, 1.25 * max(*floor, target))
        named(axes, "tables of two, as fast as they go", "times a bare echo")

    return drawn(draw, "cost")


def memory(rows: Sequence[Row]) -> str:
    """Of each process over tables."""

    def draw(axes: Axes) -> None:
        over = positions(axes, rows, "tables")
        colours = dict(PARTS) | {"matchmaking": ROSE, "bots": GREY}
        for name in rows[0]["rss_mb"]:
            colour = colours.get(name.partition("-")[0], GREY)
            told = [row["rss_mb"][name] for row in rows]
            axes.plot(over, told, marker="o", color=colour, label=name)
        axes.set_ylim(bottom=0)
        named(axes, "tables of two, as fast as they go", "MB in memory")

    return drawn(draw, "memory")


def waits(rows: Sequence[Row], target: float) -> str:
    """How long a ticket takes, by the rate at which they come."""

    def draw(axes: Axes) -> None:
        names = [ticket_name(row) for row in rows]
        over = list(range(len(rows)))
        axes.set_xticks(over, names)
        for shift, (key, colour, words) in ((-0.2, HALF), (0.2, NEARLY_ALL)):
            beside, told = [at + shift for at in over], [row[key] for row in rows]
            axes.bar(beside, told, 0.38, color=colour, label=words)
            for at, value in zip(beside, told, strict=True):
                written(axes, at, value, f"{value:,.0f}")
        axes.set_yscale("log")
        promised(axes, target, f"half, target: {target:.0f} ms")
        named(axes, "", "ms until a seat is assigned")

    return drawn(draw, "waits")


def ticket_name(row: Row) -> str:
    killed = f"\none of {row['replicas']} killed {row['kills']} ×"
    return f"{row['rate']:.0f} tickets/s" + (killed if row["kills"] else "")


# ---- what plots have in common -------------------------------------------------------


def positions(axes: Axes, rows: Sequence[Row], by: str) -> list[int]:
    """Evenly apart, whatever the numbers: each is a run, none lies between."""
    over = list(range(len(rows)))
    axes.set_xticks(over, [f"{row[by]:,.0f}" for row in rows])
    axes.set_xlim(-0.5, len(rows) - 0.5)
    return over


def written(axes: Axes, at: float, value: float, words: str) -> None:
    """Above its point, readable on any line behind it."""
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
    axes.annotate(
        words,
        (at, value),
        xytext=(0, 7),
        textcoords="offset points",
        ha="center",
        fontsize=10,
        bbox=paper,
    )


def promised(axes: Axes, target: float, words: str) -> None:
    axes.axhline(target, color=INK, linewidth=1, linestyle=(0, (4, 4)), label=words)


def named(axes: Axes, below: str, beside: str) -> None:
    axes.set_xlabel(below)
    axes.set_title(beside, loc="left", fontsize=11, color=FAINT)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    if handles := axes.get_legend_handles_labels()[0]:
        axes.legend(
            loc="lower right",
            bbox_to_anchor=(1, 1),
            ncols=len(handles),
            handlelength=1.2,
            columnspacing=1.1,
            borderaxespad=0.4,
        )
