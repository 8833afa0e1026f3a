"""What goes wrong is a sentence, in the language that is spoken, and an exit code."""

import os
from io import StringIO

import grpc
import pytest
import typer

from anpai import NotFound, Unavailable
from clients.terminal import say
from clients.terminal.options import Tongue


def test_lines_are_as_wide_as_the_terminal_is_by_now_but_no_wider_than_is_read(
    monkeypatch,
):
    monkeypatch.delenv("COLUMNS", raising=False)
    wide = [120]
    monkeypatch.setattr("sys.stdout", Typewriter())
    monkeypatch.setattr(
        "rich.console.os.get_terminal_size", lambda _: os.terminal_size((wide[0], 50))
    )
    out = say.console()

    assert out.width == 100
    wide[0] = 60
    assert out.width == 60


class Typewriter(StringIO):
    def isatty(self):
        return True


GONE = grpc.StatusCode.UNAVAILABLE


def ended_by(error, lang=Tongue.EN):
    @say.spoken
    def command(lang):
        raise error

    with pytest.raises(typer.Exit) as ended:
        command(lang=lang)
    return ended.value.exit_code


@pytest.mark.parametrize("error", [KeyboardInterrupt(), typer.Abort()])
def test_ctrl_c_is_no_fault_wherever_it_is_pressed(error, capsys):
    assert ended_by(error) == 130
    assert capsys.readouterr() == ("", "")


def test_a_server_out_of_reach_is_said_in_words(capsys):
    refused = "failed to connect to all addresses"

    assert ended_by(Unavailable(GONE, "", refused)) == 1
    assert ended_by(Unavailable(GONE, "", refused), Tongue.ZH) == 1

    assert capsys.readouterr().err == (
        f"The server cannot be reached ({refused}).\n无法连接服务器（{refused}）。\n"
    )


def test_what_a_server_says_is_told_as_it_says_it(capsys):
    for error in (
        Unavailable(GONE, "PART_UNAVAILABLE", "The store is away."),
        NotFound(grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND", "There is no table x."),
    ):
        assert ended_by(error) == 1

    said = capsys.readouterr().err
    assert said == "The store is away.\nThere is no table x.\n"


def test_a_fault_of_our_own_names_itself(capsys):
    assert ended_by(KeyError("x")) == 1
    assert capsys.readouterr().err.startswith("A fault of anpai's own: KeyError at ")
