"""Old and new: what fits goes on without a word, what does not is told."""

import subprocess
import sys
import warnings

import pytest

import anpai
from anpai import versions
from anpai.versions import line_of, own_version
from tests.contract.contract import ROOT


@pytest.mark.parametrize(
    ("release", "line"),
    [
        ("0.1.0", (0, 1)),
        ("0.1.7", (0, 1)),
        ("0.12", (0, 12)),
        ("2.3.4", (2,)),
        ("2.0.0rc1", (2,)),
        ("", None),
        ("nightly", None),
    ],
)
def test_releases_of_one_line_are_made_for_each_other(release, line):
    assert line_of(release) == line


def test_client_and_server_of_this_release_fit():
    assert line_of(own_version()) is not None


@pytest.mark.parametrize("server", ["0.1.0", "0.1.99", ""])
async def test_t57_a_server_that_fits_is_not_spoken_of(
    player, matchmaking, monkeypatch, server
):
    monkeypatch.setattr(versions, "own_version", lambda: "0.1.3")
    matchmaking.version = server
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        assert await player.sign_in("Anna")


@pytest.mark.parametrize(
    ("ours", "theirs", "advice"),
    [
        ("0.1.0", "0.2.0", "update the client"),
        ("1.9.0", "2.0.1", "update the client"),
        ("0.2.0", "0.1.5", "the server is older"),
    ],
)
async def test_t57_whoever_meets_another_line_is_told_and_plays_on(
    player, matchmaking, monkeypatch, ours, theirs, advice
):
    monkeypatch.setattr(versions, "own_version", lambda: ours)
    matchmaking.version = theirs

    with pytest.warns(anpai.ServerDiffers, match=advice) as told:
        token = await player.sign_in("Anna")

    assert token
    assert ours in str(told[0].message)
    assert theirs in str(told[0].message)


SAID = """
import sys, warnings
from clients.terminal import say
from anpai.versions import ServerDiffers
warnings.showwarning = say.warning
warnings.warn("This client is older.", ServerDiffers)
"""


def test_t57_the_terminal_says_it_in_a_sentence():
    done = subprocess.run(
        [sys.executable, "-c", SAID], capture_output=True, text=True, cwd=ROOT
    )

    assert done.stderr == "This client is older.\n"
