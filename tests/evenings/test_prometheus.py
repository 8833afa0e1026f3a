"""A real Prometheus, with what is deployed for it, watches an evening."""

import pytest

from tests.deploy.deployed import alerts, metrics_named, queries
from tests.deploy.prom import needs_prometheus

pytestmark = [needs_prometheus, pytest.mark.timeout(120)]

NAMES = sorted(metrics_named(queries()))


def test_it_scrapes_every_process(watched):
    seen = [(one["labels"]["job"], one["health"]) for one in watched.targets]

    assert sorted(seen) == [
        ("anpai-bots", "up"),
        ("anpai-engine", "up"),
        ("anpai-engine", "up"),
        ("anpai-matchmaking", "up"),
        ("anpai-vault", "up"),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_metric_that_alerts_and_boards_name_is_there(watched, name):
    assert watched.asked[name]["result"] != []


def test_every_query_of_alerts_and_boards_has_an_answer(watched):
    for query in queries():
        assert watched.asked[query]["resultType"] == "vector"


def test_every_rule_is_reckoned_and_none_fires_on_a_good_evening(watched):
    assert {rule["name"]: rule["health"] for rule in watched.rules} == dict.fromkeys(
        alerts(), "ok"
    )
    assert [rule["name"] for rule in watched.rules if rule["state"] == "firing"] == []


def test_what_was_played_is_what_is_told(watched):
    """Tables that ended, by game, and every answer that was accepted by people."""

    def total(name, **labels):
        return sum(
            float(one["value"][1])
            for one in watched.asked[name]["result"]
            if labels.items() <= one["metric"].items()
        )

    played = sum(len(one.accepted) for game in watched.games for one in game.played)
    answers = total("anpai_answers_total", outcome="ACCEPTED")
    here = {"game": "skirmish"}  # two have met for another, and not played it
    assert total("anpai_tables_opened_total", **here) == len(watched.games)
    assert total("anpai_tables_ended_total", how="played", **here) == len(watched.games)
    assert answers == played + total("anpai_bot_answers_total")
    assert total("anpai_forwarded_total") >= 1
    assert total("anpai_bot_seats_total") == 1
