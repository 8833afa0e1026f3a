"""Finished games as files, `TABLE.json` in one directory: each is there whole or not.

A table is disclosed first, so that its outcome is settled, then written, and only then
does its time in the store begin to run. Whoever discloses repeats that until all of it
is done; the same file is written again then, and is the same.
"""

import asyncio
import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

import structlog

from services.chassis.errors import AnpaiError
from services.chassis.telemetry import passage_of
from services.vault.counts import Counts
from services.vault.faces import Faces

log = structlog.get_logger()

DRAFT = ".{}.draft"
LEFT_SECONDS = 3600


class Exports:
    """Where finished games go. None of their tables leaves the store before."""

    def __init__(self, folder: Path, faces: Faces, counts: Counts) -> None:
        self._folder = folder
        self._faces = faces
        self._counts = counts
        self._sweep()

    async def export(self, table_id: str) -> None:
        """PART_UNAVAILABLE where it cannot be written: repeat. What was once opened has
        a name that is safe for a file."""
        pieces = [piece async for piece in self._faces.disclosure(table_id)]
        path = self._folder / f"{table_id}.json"
        try:
            await asyncio.to_thread(write_for_good, path, b"".join(pieces))
        except OSError as error:
            self._counts.exports.labels("failed").inc()
            log.error("not exported", table=table_id, passage=passage_of(error))
            raise not_written() from None
        self._counts.exports.labels("written").inc()

    def _sweep(self) -> None:
        """What a vault that died was writing."""
        for draft in self._folder.glob(DRAFT.format("*")):
            with suppress(FileNotFoundError):  # another vault sweeps as well
                if draft.stat().st_mtime < time.time() - LEFT_SECONDS:
                    draft.unlink()


def write_for_good(path: Path, data: bytes) -> None:
    """On the disk, under its name, before this returns."""
    draft = path.with_name(DRAFT.format(f"{path.name}.{secrets.token_hex(4)}"))
    try:
        with open(draft, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_names(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def sync_names(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def not_written() -> AnpaiError:
    return AnpaiError(
        "PART_UNAVAILABLE",
        "The finished game could not be exported.",
        retry_after=1.0,
        part="exports",
    )
