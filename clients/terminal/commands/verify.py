"""`anpai verify`: was all that happened fixed before play?"""

from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from clients.terminal.commands.export import export_bytes
from clients.terminal.finding import Where
from clients.terminal.say import Trouble, tell
from clients.terminal.words import Words
from services.local.verify import Report, verify


def check_file(path: Path, commitment: str | None, heard: Path | None) -> Report:
    """No service is needed for it."""
    return verify(path.read_bytes(), commitment=commitment, heard=lines_of(heard))


def check_table(
    table: str, where: Where, commitment: str | None, heard: Path | None
) -> Report:
    """Against all that was heard here while it was played, where nothing is named."""
    disclosure = export_bytes(table, where)
    files = [heard] if heard else own_records(table, where)
    for file in files:
        report = verify(disclosure, commitment=commitment, heard=lines_of(file))
        if not report.ok:
            break
    return report


def own_records(table: str, where: Where) -> list[Path | None]:
    """What was heard here of this table, seat by seat; or nothing."""
    return [*sorted((where.home / "heard").glob(f"{table}-*.jsonl"))] or [None]


def lines_of(heard: Path | None) -> list[str] | None:
    """Without a last one that whoever wrote it did not live to end."""
    if heard is None:
        return None
    try:
        return heard.read_text().rpartition("\n")[0].splitlines()
    except OSError as error:
        raise Trouble(f"{heard}: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise Trouble(f"{heard}: {error}.") from None


def print_report(report: Report, words: Words, out: Console) -> None:
    """What agreed; or Trouble with what did not."""
    if not report.ok:
        raise Trouble(words("verify.failed", problem=report.problem))
    told = asdict(report)
    tell(out, words("verify.agreed", **told))
    tell(out, words("verify.counts", **told))
    if report.outcome is not None:
        tell(out, words("verify.outcome", scores=scores_of(report)))
    key = "verify.heard" if report.heard else "verify.promised"
    tell(out, words(key if report.promised else "verify.alone", **told))


def scores_of(report: Report) -> str:
    assert report.outcome is not None
    return " : ".join(map(str, report.outcome.scores))


def as_json(report: Report) -> dict[str, object]:
    return {"verified": report.ok, **asdict(report)}
