"""Who plays, and who operates, where the machine does not help."""

import getpass
import stat

import pytest

from clients.terminal.operating import Doors, Operators
from clients.terminal.players import Player, load, own_name, remember
from clients.terminal.stack.folder import Folder, StackError
from clients.terminal.stack.secrets import make_secrets


@pytest.fixture
def nobody(monkeypatch):
    """A machine that has no name for whoever sits at it, as in a container."""

    def unknown():
        raise KeyError("getpwuid(): uid not found: 1001")

    monkeypatch.setattr(getpass, "getuser", unknown)


def test_whoever_has_no_name_is_a_guest(nobody):
    assert own_name() == "Guest"


def test_whoever_has_the_key_may_operate_without_a_name(nobody, tmp_path):
    folder = Folder(tmp_path)
    folder.make()
    make_secrets(folder)

    assert Operators(Doors("127.0.0.1:1", (), folder.keys), channels=None)


def test_a_player_is_kept_for_its_owner_alone(tmp_path):
    anna = Player("Änna / 陈", "secret")
    remember(tmp_path / "home", anna)

    [file] = (tmp_path / "home" / "players").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert load(tmp_path / "home", anna.name) == anna


def test_a_home_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StackError, match="players: Not a directory"):
        remember(tmp_path / "file", Player("Anna", "secret"))
