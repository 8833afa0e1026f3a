"""What is watched: alerts that fire when they should, boards of what there is."""

import json
import re
from itertools import combinations

import pytest
from prometheus_client import Metric
from prometheus_client.metrics import MetricWrapperBase

from clients.bots.numbers import Numbers, thoughts
from clients.bots.playing import Tally
from services.chassis.telemetry import fresh_metrics
from services.vault.counts import Counts
from tests.contract.contract import ROOT
from tests.deploy.deployed import (
    DEPLOY,
    alerts,
    dashboards,
    metrics_named,
    panels,
    queries,
    read,
    services,
)
from tests.deploy.prom import needs_prometheus, promtool

PROMETHEUS = DEPLOY / "prometheus"
DOCUMENT = (ROOT / "docs" / "operations.md").read_text()


def families() -> list[Metric]:
    """Every metric of every process."""
    registry = fresh_metrics().registry
    Counts(registry)
    registry.register(Numbers(IdleHost()))
    return list(registry.collect())


def of_services() -> list[MetricWrapperBase]:
    """Those that services count themselves, with their labels."""
    metrics = fresh_metrics()
    known = [*vars(metrics).values(), *vars(Counts(metrics.registry)).values()]
    return [one for one in known if isinstance(one, MetricWrapperBase)]


class IdleHost:
    """Plays nothing."""

    playing = fallbacks = 0
    lives = True

    def __init__(self) -> None:
        self.tally = Tally()
        self.thoughts = thoughts()


def series() -> set[str]:
    """Every name under which Prometheus keeps something."""
    endings = ("", "_total", "_bucket", "_sum", "_count")
    return {f"{one.name}{end}" for one in families() for end in endings}


# ---- rules ---------------------------------------------------------------------------


@needs_prometheus
def test_prometheus_takes_configuration_and_rules():
    checked = promtool("check", "config", PROMETHEUS / "prometheus.yaml")

    assert checked.returncode == 0, checked.stderr
    assert f"{len(alerts())} rules found" in checked.stdout


@needs_prometheus
def test_every_alert_fires_on_what_it_is_for_and_on_nothing_else():
    tested = promtool("test", "rules", PROMETHEUS / "alerts_test.yaml")

    assert tested.returncode == 0, tested.stdout + tested.stderr


@pytest.mark.parametrize("name", alerts())
def test_an_alert_has_a_case_it_fires_on_and_one_it_does_not(name):
    cases = [
        case
        for test in read("prometheus/alerts_test.yaml")["tests"]
        for case in test["alert_rule_test"]
        if case["alertname"] == name
    ]

    assert {bool(case.get("exp_alerts")) for case in cases} == {True, False}


@pytest.mark.parametrize("name", alerts())
def test_an_alert_says_how_urgent_it_is_and_the_document_what_to_do(name):
    severity = alerts()[name]["labels"]["severity"]

    assert severity in ("page", "ticket")
    assert re.search(rf"^\| {name} \| {severity} \| .{{20,}} \|$", DOCUMENT, re.M)


def test_the_document_knows_no_alert_that_is_not_there():
    written = re.findall(r"^\| (\w+) \| (?:page|ticket) \|", DOCUMENT, re.M)

    assert written == [name for name in written if name in alerts()]
    assert len(written) == len(alerts())


# ---- metrics -------------------------------------------------------------------------


def test_alerts_and_boards_speak_of_metrics_there_are():
    spoken = metrics_named(queries())

    assert len(spoken) > 40
    assert spoken - series() == set()


def test_the_document_explains_every_metric_and_no_other():
    kinds = "counter|gauge|histogram"
    rows = re.findall(rf"^\| `(\w+)` \| ({kinds})(?:, \w+)* \|", DOCUMENT, re.M)
    written = {(f"anpai_{name}", kind) for name, kind in rows}

    there = {(one.name, one.type) for one in families() if one.name[:6] == "anpai_"}
    assert written == there


def test_the_document_names_the_labels_of_each_metric():
    for metric in of_services():
        name = metric._name.removeprefix("anpai_")
        labels = "".join(f", {label}" for label in metric._labelnames)
        assert f"| `{name}` | {metric._type}{labels} |" in DOCUMENT


def test_no_label_can_take_more_values_than_there_are_methods_games_and_reasons():
    """Of each there are as many as the code has; of tables, players, cards, without
    end."""
    labels = {label for metric in of_services() for label in metric._labelnames}

    assert labels == {
        *("method", "code", "reason", "outcome", "game", "state", "how", "who"),
        *("loop", "verb", "limit"),
    }


def test_every_metric_is_on_a_board():
    shown = metrics_named(
        target["expr"] for one in panels() for target in one["targets"]
    )
    stems = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in shown}

    assert {one.name for one in families() if one.name[:6] == "anpai_"} <= stems


# ---- dashboards ----------------------------------------------------------------------


@needs_prometheus
def test_prometheus_understands_every_query_of_the_boards(tmp_path):
    shown = [target["expr"] for panel in panels() for target in panel["targets"]]
    rules = [{"record": f"a:b{at}", "expr": one} for at, one in enumerate(shown)]
    file = tmp_path / "queries.yaml"
    file.write_text(json.dumps({"groups": [{"name": "boards", "rules": rules}]}))

    checked = promtool("check", "rules", file)

    assert checked.returncode == 0, checked.stderr
    assert f"{len(shown)} rules found" in checked.stdout


@pytest.mark.parametrize("name", dashboards())
def test_panels_lie_beside_each_other_and_each_asks_the_chosen_source(name):
    board = dashboards()[name]
    spots = [one["gridPos"] for one in board["panels"]]

    assert len({one["id"] for one in board["panels"]}) == len(spots)
    assert all(one["x"] + one["w"] <= 24 for one in spots)
    assert not any(overlap(one, other) for one, other in combinations(spots, 2))
    (chosen,) = board["templating"]["list"]
    asked = {one["datasource"]["uid"] for one in board["panels"] if "targets" in one}
    assert asked == {f"${{{chosen['name']}}}"}


def overlap(one, other):
    return all(
        one[at] < other[at] + other[size] and other[at] < one[at] + one[size]
        for at, size in (("x", "w"), ("y", "h"))
    )


def test_grafana_is_given_its_dashboards_and_where_prometheus_is():
    mounted = dict(one.split(":")[:2] for one in services()["grafana"]["volumes"])
    provider = read("grafana/provisioning/dashboards/anpai.yaml")["providers"][0]
    source = read("grafana/provisioning/datasources/prometheus.yaml")["datasources"][0]

    assert mounted["./grafana/dashboards"] == provider["options"]["path"]
    assert mounted["./grafana/provisioning"] == "/etc/grafana/provisioning"
    assert source["url"] == "http://prometheus:9090"
    assert "prometheus" in services()


def test_what_looks_on_is_reached_from_this_machine_alone():
    for name in ("prometheus", "grafana"):
        assert all(one.startswith("127.0.0.1:") for one in services()[name]["ports"])
