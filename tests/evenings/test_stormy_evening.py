"""An evening through the front door, everything killed once in its course."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from services.engine.games import GAMES
from services.local import disclosure
from tests.evenings.canary import (
    canaries_in,
    forms_of,
    hidden_bytes,
    pieces,
    told_too_soon,
)
from tests.evenings.players import assert_nothing_is_lost
from tests.evenings.stormy import WISHES, Evening, stormy_evening

pytestmark = pytest.mark.timeout(240)

PROMISED = {
    "engine-1": {
        *("calls", "call_seconds", "open_streams", "loop_lag_seconds"),
        *("denied_calls", "incidents", "gc_pause_seconds", "store_lost", "vault_lost"),
        *("tables_opened", "tables_ended", "tables_stopped", "tables_put_off"),
        *("stuck_tables", "overdue_seconds", "defaults", "answer_seconds", "doubts"),
        *("store_seconds", "store_batch", "vault_seconds", "live_tables", "watchers"),
        *("answers", "resyncs", "takeovers", "forwarded", "due_tables"),
    },
    "matchmaking": {
        *("calls", "call_seconds", "open_streams", "loop_lag_seconds"),
        *("queued_tickets", "queued_players", "oldest_ticket_seconds"),
        *("ticket_wait_seconds", "assignments", "tickets_expired", "leases_lapsed"),
        *("openings", "bot_calls_waiting", "oldest_bot_call_seconds"),
        *("pairing_last_pass_seconds", "loop_restarts", "store_seconds", "store_batch"),
        *("results", "news_lag_seconds", "news_last_read_seconds"),
    },
    "vault": {
        *("calls", "call_seconds", "open_streams", "loop_lag_seconds"),
        *("store_seconds", "store_batch"),
    },
}
# Streams of services, which stay.
BETWEEN = {"/anpai.engine.internal.v1.EngineInternalService/WatchNews"}
LABELS = {
    *("method", "code", "game", "state", "outcome", "how", "who", "loop", "verb"),
    *("reason", "limit", "le"),
    # the Python runtime's own
    *("generation", "implementation", "version", "major", "minor", "patchlevel"),
}


@pytest.fixture(scope="module")
def evening(keys_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return asyncio.run(stormy_evening(keys_folder, tmp_path_factory.mktemp("evening")))


def test_every_variant_of_every_game_is_wished_for():
    wished = {(wish.game, wish.rules.name) for wish in WISHES}

    assert wished == {
        (name, variant.name)
        for name, game in GAMES.items()
        for variant in game.variants
    }


def test_every_game_ends_is_verified_and_has_every_accepted_answer_once(evening):
    assert len(evening.games) == len(WISHES)
    assert_nothing_is_lost(evening.games)


def test_what_spectators_saw_is_what_happened(evening):
    assert len(evening.spectators) == len(WISHES)
    assert_nothing_is_lost(evening.spectators)


def test_t01_nobody_was_sent_a_face_before_he_could_know_it(evening):
    for game, one in evening.everybody:
        assert len(list(pieces(one))) > 60
        assert told_too_soon(game, one) == []
        assert hidden_bytes(one) == []


def test_t10_no_seed_was_sent_to_anybody_who_played_or_looked_on(evening):
    for game, one in evening.everybody:
        seed = disclosure.read(game.text).seed
        sent = b"".join(told.raw for told in one.tap.sent).decode("latin-1")

        assert not any(form in sent for form in forms_of(seed))
        assert one.viewer is None or one.seat.commitment in sent


def test_the_canary_sings_where_a_seat_is_taken_for_the_public(evening):
    for game in evening.games:
        mistaken = replace(game.played[0], viewer=None)

        assert told_too_soon(game, mistaken) != []


def test_the_canary_knows_the_cards_of_every_game(evening):
    """What may be told when all is over has faces, of the decks brought too."""
    for game in evening.games:
        assert len(canaries_in(game.text.decode())) > 20


def test_a_game_that_is_played_lies_sealed_in_the_store(evening):
    assert "vault:{" in evening.keys_in_play
    assert '"decks":1' in evening.keys_in_play
    assert '"decks":3' in evening.keys_in_play
    assert canaries_in(evening.keys_in_play) == set()


def test_engine_and_matchmaking_keep_no_face_at_all(evening):
    assert "engine:{" in evening.keys_afterwards
    assert "matchmaking:" in evening.keys_afterwards
    assert canaries_in(evening.keys_afterwards) == set()


def test_what_a_game_leaves_behind_goes_away_by_itself(evening):
    assert evening.left == []


def test_no_log_line_and_no_metric_has_a_face(evening):
    assert "ready" in evening.logs
    assert canaries_in(evening.logs) == set()
    assert canaries_in("".join(evening.metrics.values())) == set()


def test_no_log_line_tells_of_a_fault(evening):
    lines = evening.logs.splitlines()

    assert [line for line in lines if '"level": "error"' in line] == []
    assert "Traceback" not in evening.logs


@pytest.mark.parametrize("service", PROMISED)
def test_the_metrics_promised_are_there(evening, service):
    families = text_string_to_metric_families(evening.metrics[service])

    promised = {f"anpai_{name}" for name in PROMISED[service]}
    assert promised <= {family.name for family in families}


def test_t47_no_metric_is_labelled_by_table_or_player(evening):
    for text in evening.metrics.values():
        for name, labels, _ in samples(text):
            assert labels.keys() <= LABELS, name


def test_t44_no_stream_of_a_player_is_left_open(evening):
    for name in ("engine-1", "engine-2"):
        left = {
            labels["method"]: value
            for sample, labels, value in samples(evening.metrics[name])
            if sample == "anpai_open_streams" and labels["method"] not in BETWEEN
        }
        assert left
        assert set(left.values()) == {0}


def test_t47_there_are_few_series_however_many_tables(evening):
    for text in evening.metrics.values():
        assert len(list(samples(text))) < 800


def test_all_end_with_0_when_told_to_stop(evening):
    assert set(evening.exit_codes.values()) == {0}


def samples(text: str) -> list[tuple[str, dict[str, str], float]]:
    families = text_string_to_metric_families(text)
    return [one[:3] for family in families for one in family.samples]
