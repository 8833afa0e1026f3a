"""Recorded games run again: the same events, hashes and outcome under today's rules."""

import pytest

from services.local.verify import verify
from tests.laws.playing import CASES
from tests.transcripts.record import FOLDER

GAMES_KEPT = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", GAMES_KEPT, ids=lambda path: path.stem)
def test_a_recorded_game_is_still_played_the_same(path):
    report = verify(path.read_bytes())

    assert report.problem == ""


def test_every_game_and_number_of_seats_is_recorded():
    assert {path.stem for path in GAMES_KEPT} == set(map(str, CASES))
