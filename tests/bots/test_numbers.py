"""What operators read of a bot host."""

import urllib.error
import urllib.request

import pytest

from anpai import tls
from clients.bots.numbers import tell_numbers, thoughts
from clients.bots.playing import Tally
from tests.certificates import Authority, serial_of, shown_by


class IdleHost:
    """Plays nothing."""

    playing = fallbacks = 0

    def __init__(self, lives=True):
        self.tally = Tally()
        self.thoughts = thoughts()
        self.lives = lives


def test_operators_of_bots_are_shown_a_renewed_certificate(tmp_path, monkeypatch):
    monkeypatch.setattr(tls, "LOOK_SECONDS", 0.0)
    authority = Authority(tmp_path)
    files = authority.sign("a-bot")
    before = serial_of(files)
    address = tell_numbers(IdleHost(), "127.0.0.1:0", files)
    assert shown_by(address) == before

    after = serial_of(authority.sign("a-bot"))

    assert shown_by(address) == after != before


def read(address, page):
    with urllib.request.urlopen(f"http://{address}/{page}", timeout=10) as reply:
        return reply.read().decode()


def test_a_host_that_lives_says_so():
    address = tell_numbers(IdleHost(), "127.0.0.1:0")

    assert read(address, "healthz") == "ok\n"
    assert "anpai_bot_seats_playing" in read(address, "metrics")


def test_of_a_host_whose_loop_stands_one_hears_that_it_does_not_live():
    address = tell_numbers(IdleHost(lives=False), "127.0.0.1:0")

    with pytest.raises(urllib.error.HTTPError) as error:
        read(address, "healthz")
    assert error.value.code == 503
    assert "anpai_bot_seats_playing" in read(address, "metrics")
