"""What a client shows and trusts: as its files are now."""

import ssl

import pytest

from anpai import tls
from tests.certificates import Authority


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch):
    monkeypatch.setattr(tls, "LOOK_SECONDS", 0.0)


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


def test_credentials_are_the_same_ones_until_their_files_are_others(authority):
    files = authority.sign("a-bot")
    credentials = tls.showing(*files, authority.file)
    first = credentials()
    assert credentials() is first

    authority.sign("a-bot")
    second = credentials()

    assert second is not first
    assert credentials() is second
    authority.file.write_bytes(authority.file.read_bytes() * 2)
    assert credentials() is not second


def test_a_pair_that_is_being_exchanged_is_not_taken(authority):
    files = authority.sign("a-bot")
    credentials = tls.showing(*files)
    first, other = credentials(), authority.sign("another")

    files.cert.write_bytes(other.cert.read_bytes())
    assert credentials() is first
    files.key.unlink()
    assert credentials() is first
    files.key.write_bytes(other.key.read_bytes())
    assert credentials() is not first


def test_files_that_are_no_pair_are_an_error_at_once(authority, tmp_path):
    files, other = authority.sign("a-bot"), authority.sign("another")

    with pytest.raises(ssl.SSLError):
        tls.showing(files.cert, other.key)
    with pytest.raises(FileNotFoundError):
        tls.showing(files.cert, tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        tls.credentials_for("grpcs://host:1", tmp_path / "none.pem")
