"""The page of everything that is measured: whole, by itself, and true to its rows."""

import json
import re
from html.parser import HTMLParser

import pytest

from clients.bench.page import number, page
from clients.bench.report import (
    FULL,
    QUICK,
    Measured,
    Size,
    loads,
    measure,
    ticket_runs,
)
from clients.terminal.commands.bench import write_report
from clients.terminal.words import Words
from tests.scale import scaled

MACHINE = {
    "cpu": "A <small> & quiet one",
    "cores": 2,
    "system": "Linux",
    "python": "3.11.7",
    "grpcio": "1.82.3",
    "anpai": "0.1.0",
}
VOID = {"meta", "br"}


def load_row(**changed):
    usual = {
        "game": "skirmish",
        "tables": 100,
        "rate": None,
        "answers_per_s": 812.5,
        "p50_ms": 11.2,
        "p95_ms": 25.0,
        "p99_ms": 41.7,
        "games": 90,
        "errors": 0,
        "server_cpu_ms_per_answer": 0.3,
        "client_cpu_ms_per_answer": 0.2,
        "echo_cpu_ms": 0.15,
        "cost_ratio": 2.0,
        "cpu_ms_per_answer": {"engine": 0.2, "vault": 0.07, "store": 0.03},
        "rss_mb": {"store": 20.0, "vault": 80.0, "engine-1": 120.0},
    }
    return usual | changed


def ticket_row(**changed):
    usual = {
        "rate": 60.0,
        "replicas": 1,
        "kills": 0,
        "assignments_per_s": 59.9,
        "assignments_per_s_per_core": 240.0,
        "p50_ms": 61.0,
        "p99_ms": 140.0,
        "tables": 600,
        "lost": 0,
        "double": 0,
    }
    return usual | changed


def measured(**changed):
    usual = {
        "loads": [load_row(), load_row(tables=400)],
        "rated": [load_row(rate=240.0), load_row(rate=480.0)],
        "gwent": [load_row(game="gwent", cost_ratio=2.4)],
        "streams": [STREAMS],
        "idle": [IDLE],
        "tickets": [ticket_row(), ticket_row(replicas=2, kills=4)],
    }
    return Measured(MACHINE, "2026-01-01T10:00:00+00:00", 7, 300.0, **(usual | changed))


STREAMS = {
    "streams": 5000,
    "tables": 50,
    "kb_per_stream": 35.2,
    "opened_per_s": 600.0,
    "p50_ms": 20.0,
    "p99_ms": 90.0,
    "silent": 0,
    "engine_cpu_share": 0.04,
    "errors": 0,
    "rss_mb": {"empty": 80.0, "full": 256.0},
}
IDLE = {
    "tables": 10_000,
    "rss_ratio": 1.1,
    "returned": 1000,
    "errors": 0,
    "p50_ms": 12.0,
    "p95_ms": 30.0,
    "p99_ms": 77.0,
    "rss_mb": {"empty": 80.0, "most": 900.0, "evicted": 88.0},
}


class Nesting(HTMLParser):
    """Holds that every element that begins ends, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def written():
    return page(measured())


def test_the_page_is_whole_and_has_six_plots(written):
    nesting = Nesting()
    nesting.feed(written)
    assert nesting.open == []
    assert (nesting.seen.count("svg"), nesting.seen.count("table")) == (6, 4)


def test_the_page_needs_nothing_from_anywhere(written):
    places = set(re.findall(r"https?://([^/\"]+)", written))
    assert places <= {"www.w3.org", "purl.org", "creativecommons.org", "matplotlib.org"}
    assert not re.search(r"(?:src|href)=\"(?!#)", written)
    assert "url(http" not in written


def test_no_two_plots_share_what_they_refer_to(written):
    plots = re.findall(r"<svg.*?</svg>", written, flags=re.DOTALL)
    referred = [set(re.findall(r"url\(#([^)]+)\)", plot)) for plot in plots]
    assert all(one for one in referred)
    assert len(set.union(*referred)) == sum(map(len, referred))


def test_what_is_told_of_the_machine_is_text(written):
    assert "A &lt;small&gt; &amp; quiet one" in written
    assert "seed 7" in written


def test_programs_read_every_row_from_the_page(written):
    found = re.search(r'id="measured">(.*?)</script>', written, flags=re.DOTALL)
    assert json.loads(found[1]) == measured().as_json()


def test_a_target_that_is_missed_is_shown_as_missed(written):
    assert 'class="bad"' not in written
    slow = measured(rated=[load_row(rate=480.0, p99_ms=60.0)])
    assert '<b class="bad">60 ms</b>' in page(slow)


def test_whatever_went_wrong_anywhere_counts():
    assert measured().errors == 0
    assert measured(loads=[load_row(errors=2)]).errors == 2
    assert measured(tickets=[ticket_row(lost=1, double=1)]).errors == 2


def test_a_number_has_as_many_digits_as_mean_anything():
    assert [number(one) for one in (1234.56, 41.72, 0.1234, 60.0)] == [
        *("1,235", "41.7", "0.123", "60")
    ]


def test_all_of_it_tries_what_was_promised():
    wanted = [(one.game, one.tables, one.rate) for one in loads(FULL)]
    assert {100, 2_000} <= {tables for _, tables, _ in wanted}
    assert ("skirmish", 400, 480.0) in wanted
    assert ("gwent", 100, None) in wanted
    assert (FULL.streams, FULL.idle_tables) == (5_000, 10_000)
    assert any(one.kill_every and one.replicas == 2 for one in ticket_runs(FULL))
    assert len(list(loads(QUICK))) < len(list(loads(FULL)))


@pytest.mark.parametrize("before", [None, "the last one"], ids=["none", "some"])
def test_who_breaks_off_finds_the_page_there_was_before(tmp_path, monkeypatch, before):
    def broken_off(size, said):
        raise KeyboardInterrupt

    monkeypatch.setattr("clients.bench.report.measure", broken_off)
    file = tmp_path / "report.html"
    if before:
        file.write_text(before)

    with pytest.raises(KeyboardInterrupt):
        write_report(file, False, Words("en"))

    assert (file.read_text() if file.exists() else None) == before


@pytest.mark.skipif(scaled(0, 1) == 0, reason="minutes: with ANPAI_SCALE=full")
@pytest.mark.timeout(900)
def test_everything_is_measured_and_goes_well():
    small = Size((4, 8), 8, (20, 40), 4, 2.0, 3.0, 40, 16.0, 20, 10, (20,))
    told = measure(small, lambda key, **values: None)
    assert told.errors == 0
    assert (len(told.loads), len(told.rated)) == (2, 2)
    assert page(told).count("<svg") == 6
