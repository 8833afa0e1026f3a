"""What operators read of a bot host."""

from anpai import tls
from clients.bots.numbers import tell_numbers
from clients.bots.playing import Tally
from tests.certificates import Authority, serial_of, shown_by


class IdleHost:
    """Plays nothing."""

    playing = fallbacks = 0

    def __init__(self):
        self.tally = Tally()


def test_operators_of_bots_are_shown_a_renewed_certificate(tmp_path, monkeypatch):
    monkeypatch.setattr(tls, "LOOK_SECONDS", 0.0)
    authority = Authority(tmp_path)
    files = authority.sign("a-bot")
    before = serial_of(files)
    address = tell_numbers(IdleHost(), "127.0.0.1:0", files)
    assert shown_by(address) == before

    after = serial_of(authority.sign("a-bot"))

    assert shown_by(address) == after != before
