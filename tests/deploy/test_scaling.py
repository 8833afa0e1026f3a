"""Kubernetes is told of metrics there are, in words that Prometheus understands."""

import json
import re
import subprocess

import pytest
import yaml

from tests.deploy.cluster import environment, of
from tests.deploy.deployed import DEPLOY, read
from tests.deploy.prom import needs_prometheus, promtool
from tests.deploy.test_watching import series

README = (DEPLOY / "README.md").read_text()


def rules() -> dict[str, dict[str, str]]:
    """What the adapter tells, by the name it is told under."""
    return {one["name"]["as"]: one for one in read("prometheus/adapter.yaml")["rules"]}


def asked(rule: dict[str, str]) -> str:
    """As the adapter asks Prometheus for the workers of one namespace."""
    filled = {
        "Series": rule["seriesQuery"].partition("{")[0],
        "LabelMatchers": 'namespace="anpai",pod=~"engine-1|engine-2"',
        "GroupBy": "pod",
    }
    return re.sub(r"<<\.(\w+)>>", lambda it: filled[it[1]], rule["metricsQuery"])


def test_there_are_more_workers_by_metrics_the_adapter_tells():
    scaler = of("production", "HorizontalPodAutoscaler")["engine"]["spec"]
    wanted = {one["pods"]["metric"]["name"] for one in scaler["metrics"]}

    assert wanted == set(rules())
    assert scaler["scaleTargetRef"]["name"] in of("production", "Deployment")


@pytest.mark.parametrize("name", rules())
def test_what_the_adapter_tells_is_made_of_a_metric_there_is(name):
    metric = rules()[name]["seriesQuery"].partition("{")[0]

    assert metric in series()


@needs_prometheus
def test_prometheus_understands_what_the_adapter_asks(tmp_path):
    told = [
        {"record": f"adapter:{name}", "expr": asked(rule)}
        for name, rule in rules().items()
    ]
    file = tmp_path / "rules.yaml"
    file.write_text(json.dumps({"groups": [{"name": "adapter", "rules": told}]}))

    assert promtool("check", "rules", file).returncode == 0


def test_pods_are_scraped_under_the_names_that_alerts_ask_for():
    monitor = of("production", "PodMonitor")["anpai"]["spec"]
    (endpoint,) = monitor["podMetricsEndpoints"]
    jobs = {
        one["job_name"] for one in read("prometheus/prometheus.yaml")["scrape_configs"]
    }
    relabelling, scheme = endpoint["relabelings"]

    assert relabelling["targetLabel"] == "job"
    for name, one in of("production", "Deployment").items():
        assert relabelling["replacement"].replace("$1", name) in jobs
        is_secure = "ANPAI_TLS_CERT" in environment("production", one)
        assert bool(re.fullmatch(scheme["regex"], name)) is is_secure
    assert (scheme["targetLabel"], scheme["replacement"]) == ("__scheme__", "https")


def test_dashboards_go_along_as_grafana_s_sidecar_finds_them():
    (found,) = (
        one
        for one in of("production", "ConfigMap").values()
        if one["metadata"].get("labels", {}).get("grafana_dashboard") == "1"
    )

    folder = DEPLOY / "grafana" / "dashboards"
    assert found["data"] == {
        path.name: path.read_text() for path in folder.glob("*.json")
    }


def test_the_readme_s_line_makes_a_rule_of_the_alerts():
    (line,) = re.findall(r"^ +(\{ printf .*?\}) \| kubectl", README, re.M | re.S)
    made = subprocess.run(
        ["sh", "-c", line], cwd=DEPLOY.parent, capture_output=True, text=True
    )
    rule = yaml.safe_load(made.stdout)

    assert rule["kind"] == "PrometheusRule"
    assert rule["spec"] == read("prometheus/alerts.yaml")
