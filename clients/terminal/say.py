"""Where words go: people's to the terminal, scripts' as one line of JSON.

With `--json` the last line of stdout is one JSON value; everything else is on stderr.
"""

import functools
import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import ParamSpec, cast

import typer
from rich.console import Console, ConsoleDimensions

from anpai import AnpaiCallError, AnpaiError, Unavailable
from clients.terminal.options import Tongue, words_in
from clients.terminal.refusals import refusal
from clients.terminal.screen.lines import paragraph
from clients.terminal.stack.folder import StackError, StackTrouble
from clients.terminal.words import Words

P = ParamSpec("P")

INTERRUPTED = 130
WIDEST = 100
PIPED = 80


class Trouble(Exception):
    """One clear sentence for whoever typed the command."""


class Paper(Console):
    """As wide as the terminal is at the moment, but no wider than is read with ease."""

    @property  # type: ignore[misc]  # nobody sets it
    def size(self) -> ConsoleDimensions:
        width, height = super().size
        return ConsoleDimensions(min(width, WIDEST), height)


def console(*, for_json: bool = False) -> Console:
    """Rich on a terminal; plain text of 80 columns where it is piped."""
    file = sys.stderr if for_json else sys.stdout
    is_terminal = file.isatty()
    return Paper(
        file=file,
        width=None if is_terminal else PIPED,
        color_system="auto" if is_terminal else None,
        highlight=False,
        markup=False,
        emoji=False,
    )


def tell(out: Console, sentence: str) -> None:
    """A sentence of any length, wrapped."""
    for line in paragraph(sentence, out.width):
        out.print(line)


def warning(message: Warning | str, *_: object, **__: object) -> None:
    """A sentence on stderr, without where in the code it was said."""
    print(message, file=sys.stderr)


def last_line(value: object) -> None:
    """The JSON value a script reads."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def spoken(command: Callable[P, None]) -> Callable[P, None]:
    """A command whose errors are sentences: exit 1, or 130 after Ctrl-C."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except typer.Exit:
            raise
        except (Trouble, StackError, AnpaiError) as error:
            words = words_in(cast(Tongue | None, kwargs.get("lang")))
            print(sentence_of(error, words), file=sys.stderr)
            raise typer.Exit(1) from None
        except (KeyboardInterrupt, typer.Abort):
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # Whoever read our output has left, as `head` does.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(1) from None
        except Exception as error:
            if os.environ.get("ANPAI_TRACE"):
                raise
            print(fault_of_ours(error), file=sys.stderr)
            raise typer.Exit(1) from None

    return run


def fault_of_ours(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(last.filename)}:{last.lineno}"
    return (
        f"A fault of anpai's own: {type(error).__name__} at {where} ({error}). "
        "ANPAI_TRACE=1 shows all of it."
    )


def sentence_of(error: Exception, words: Words) -> str:
    """What went wrong, in the player's language."""
    if isinstance(error, StackTrouble):
        return words(error.key, **error.values)
    if isinstance(error, Unavailable) and not error.reason:
        return words("server.away", reason=error.message)
    return refusal(error, words) if isinstance(error, AnpaiCallError) else str(error)
