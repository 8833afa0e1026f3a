"""The page itself: one HTML file that needs nothing from anywhere."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from clients.bench import plots
from clients.bench.report import Measured, Row

# What it is held to, on two cores.
COST_RATIO = 2.5
GWENT_TIMES = 1.3
P99_MS = 50.0
WAIT_MS = 170.0
PER_CORE = 170.0
RSS_RATIO = 1.2
RETURN_MS = 100.0

STYLE = """
:root { color-scheme: light; --ink: #22303c; --faint: #6b7a86; --line: #e3e8ec;
  --good: #2c7f6a; --bad: #b3425a; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1120px; padding: 48px 28px 80px; color: var(--ink);
  background: #fbfcfd; font: 15px/1.55 system-ui, "Segoe UI", sans-serif; }
h1 { font-size: 30px; margin: 0; letter-spacing: -.01em; }
h2 { font-size: 19px; margin: 56px 0 6px; }
p { margin: 4px 0 16px; max-width: 74ch; }
.faint { color: var(--faint); }
.tiles { display: grid; gap: 14px; margin: 28px 0 0;
  grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); }
.tile { background: #fff; border: 1px solid var(--line); border-radius: 10px;
  padding: 14px 16px; }
.tile b { display: block; font-size: 27px; font-weight: 600; line-height: 1.25;
  font-variant-numeric: tabular-nums; }
.tile span { color: var(--faint); font-size: 13px; display: block; line-height: 1.4; }
.tile .good { color: var(--good); } .tile .bad { color: var(--bad); }
.plots { display: grid; gap: 18px; margin-top: 14px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); }
figure { margin: 0; background: #fff; border: 1px solid var(--line);
  border-radius: 10px; padding: 14px 12px 6px; }
figure svg { width: 100%; height: auto; display: block; }
.wide { overflow-x: auto; background: #fff; border: 1px solid var(--line);
  border-radius: 10px; margin-top: 14px; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px;
  font-variant-numeric: tabular-nums; }
th, td { padding: 7px 12px; text-align: right; white-space: nowrap; }
th { color: var(--faint); font-weight: 500; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
tr + tr td { border-top: 1px solid #f0f3f5; }
"""


class Tile(NamedTuple):
    """One figure with what it was to be; `is_met` is None where that was not tried."""

    figure: str
    words: str
    target: str
    is_met: bool | None


def page(told: Measured) -> str:
    """Everything, in the order in which one asks."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Anpai, measured</title>
<style>{STYLE}</style>
</head>
<body>
<h1>Anpai 暗牌, measured</h1>
<p class="faint">{escape(machine_line(told.machine))}<br>
{escape(told.at)}, {told.seconds:.0f} s in all, seed {told.seed}. Each run on a fresh
stack: store (every answer on disk before it is told), vault, one engine worker,
matchmaking; the players' processes run on the same cores.</p>
<div class="tiles">{"".join(map(tile, tiles(told)))}</div>
{"".join(sections(told))}
<script type="application/json" id="measured">{embedded(told)}</script>
</body>
</html>
"""


def machine_line(told: Mapping[str, object]) -> str:
    return (
        f"{told['cores']} × {told['cpu']}, {told['system']}, Python {told['python']}, "
        f"grpcio {told['grpcio']}, Anpai {told['anpai']}"
    )


def embedded(told: Measured) -> str:
    """For programs that read the page. Nothing in it ends the element."""
    return json.dumps(told.as_json()).replace("<", "\\u003c")


# ---- at a glance ---------------------------------------------------------------------


def tiles(told: Measured) -> Iterator[Tile]:
    yield from load_tiles(told)
    yield from ticket_tiles(told.tickets)
    for row in told.streams:
        words = f"for each of {row['streams']:,} idle streams"
        yield Tile(f"{row['kb_per_stream']:.0f} kB", words, "", None)
    for row in told.idle:
        yield from idle_tiles(row)


def load_tiles(told: Measured) -> Iterator[Tile]:
    usual = nearest(told.loads, 100)
    ratio = usual["cost_ratio"]
    words = f"bare echoes is what an answer costs, {usual['tables']} tables"
    yield target_tile(ratio, "{:.2f}", words, COST_RATIO)
    for row in told.gwent:
        times = row["cost_ratio"] / ratio
        words = "of that is what one costs at gwent"
        yield target_tile(times, "{:.2f} ×", words, GWENT_TIMES)
    flat = [row["cost_ratio"] for row in told.loads if row["tables"] >= 100]
    if len(flat) > 1:
        spread = f"{min(flat):.2f} – {max(flat):.2f}"
        most = max(row["tables"] for row in told.loads)
        yield Tile(spread, f"bare echoes, from 100 to {most:,} tables", "", None)
    fastest = told.rated[-1]
    load = f"{fastest['rate']:.0f} answers/s, {fastest['tables']} tables"
    words = f"until 99 % of answers are told, {load}"
    yield target_tile(fastest["p99_ms"], "{:.0f} ms", words, P99_MS)


def ticket_tiles(rows: Sequence[Row]) -> Iterator[Tile]:
    usual = rows[0]
    per_core = usual["assignments_per_s_per_core"]
    words = "seats a second by a core of matchmaking and its store"
    yield Tile(f"{per_core:.0f}", words, f"≥ {PER_CORE:.0f}", per_core >= PER_CORE)
    words = f"until half of {usual['rate']:.0f} tickets/s have a seat"
    yield target_tile(usual["p50_ms"], "{:.0f} ms", words, WAIT_MS)
    kills = sum(row["kills"] for row in rows)
    wrong = sum(row["lost"] + row["double"] for row in rows)
    yield target_tile(
        wrong, "{:.0f}", f"players lost or seated twice, {kills} kills", 0
    )


def idle_tiles(row: Row) -> Iterator[Tile]:
    words = f"the empty engine, after {row['tables']:,} tables have left it"
    yield target_tile(row["rss_ratio"], "{:.2f} ×", words, RSS_RATIO)
    words = "until 99 % of those who came back had their first answer"
    yield target_tile(row["p99_ms"], "{:.0f} ms", words, RETURN_MS)


def target_tile(value: float, form: str, words: str, most: float) -> Tile:
    return Tile(form.format(value), words, f"≤ {form.format(most)}", value <= most)


def nearest(rows: Sequence[Row], tables: int) -> Row:
    return min(rows, key=lambda row: abs(int(row["tables"]) - tables))


def tile(told: Tile) -> str:
    style = {True: "good", False: "bad", None: ""}[told.is_met]
    target = f"<span>target {escape(told.target)}</span>" if told.target else ""
    figure = f'<b class="{style}">{escape(told.figure)}</b>'
    return f'<div class="tile">{figure}<span>{escape(told.words)}</span>{target}</div>'


# ---- at length -----------------------------------------------------------------------

LOAD = {
    "game": "game",
    "tables": "tables",
    "rate": "wanted/s",
    "answers_per_s": "answers/s",
    "p50_ms": "50 % ms",
    "p95_ms": "95 % ms",
    "p99_ms": "99 % ms",
    "server_cpu_ms_per_answer": "server ms",
    "echo_cpu_ms": "echo ms",
    "cost_ratio": "ratio",
    "client_cpu_ms_per_answer": "client ms",
    "games": "games",
    "errors": "errors",
}
TICKETS = {
    "rate": "tickets/s",
    "replicas": "replicas",
    "kills": "kills",
    "assignments_per_s": "seats/s",
    "assignments_per_s_per_core": "per core",
    "p50_ms": "50 % ms",
    "p99_ms": "99 % ms",
    "tables": "tables",
    "lost": "lost",
    "double": "twice",
}


ANSWERS = """
From sending an answer until it was told accepted and all its events had come. As fast
as they go: the next answer is given when the last is told. At a rate: answers come due
at random, and a late one counts from when it was due. Cost is processor time of engine,
vault and store, by the system's accounting, as a multiple of a bare echo of 200 bytes
over the same gRPC, in the same run.
"""
SEATS = """
Players of the open queue, at an open rate; tables are really opened. Cost is of
matchmaking and a store of its own.
"""
NOTHING = """
Streams that hear heartbeats, and tables that everybody left: what stays in memory, and
how long the first answer of whoever comes back takes.
"""


def sections(told: Measured) -> Iterator[str]:
    loads, rated = told.loads, told.rated
    by_rate = f"answers a second, {rated[0]['tables']} tables"
    answers = [
        plots.throughput(loads),
        plots.latency(loads, "tables", "tables of two, as fast as they go", None),
        plots.latency(rated, "rate", by_rate, P99_MS),
        plots.cost(loads, COST_RATIO),
        plots.memory(loads),
        plots.waits(told.tickets, WAIT_MS),
    ]
    rows = [*loads, *rated, *told.gwent]
    yield section("Answers", ANSWERS, answers, table(rows, LOAD))
    yield section("Seats", SEATS, [], table(told.tickets, TICKETS))
    nothing = table(told.streams, STREAMS) + table(told.idle, IDLE)
    yield section("Nothing happens", NOTHING, [], nothing)


STREAMS = {
    "streams": "streams",
    "tables": "tables",
    "kb_per_stream": "kB each",
    "opened_per_s": "opened/s",
    "p50_ms": "50 % ms",
    "p99_ms": "99 % ms",
    "silent": "silent",
    "engine_cpu_share": "of a core",
    "errors": "errors",
}
IDLE = {
    "tables": "tables",
    "empty": "MB empty",
    "most": "MB at most",
    "evicted": "MB evicted",
    "rss_ratio": "ratio",
    "returned": "returned",
    "p50_ms": "50 % ms",
    "p95_ms": "95 % ms",
    "p99_ms": "99 % ms",
    "errors": "errors",
}


def section(title: str, words: str, figures: Iterable[str], tables: str) -> str:
    drawn = "".join(f"<figure>{figure}</figure>" for figure in figures)
    return (
        f'<h2>{escape(title)}</h2><p class="faint">{escape(words)}</p>'
        f'<div class="plots">{drawn}</div>{tables}'
    )


def table(rows: Iterable[Row], columns: Mapping[str, str]) -> str:
    heads = "".join(f"<th>{escape(head)}</th>" for head in columns.values())
    lines = "".join(
        "<tr>" + "".join(f"<td>{cell(row, key)}</td>" for key in columns) + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><tr>{heads}</tr>{lines}</table></div>'


def cell(row: Row, key: str) -> str:
    value = row.get(key, row.get("rss_mb", {}).get(key))
    match value:
        case None:
            return "–"
        case float():
            return number(value)
        case int():
            return f"{value:,}"
    return escape(str(value))


def number(value: float) -> str:
    """As many digits as mean anything."""
    places = 0 if value >= 100 or value.is_integer() else 1 if value >= 10 else 3
    return f"{value:,.{places}f}"
