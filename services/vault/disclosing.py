"""Telling all about a table once its outcome is committed."""

from collections.abc import Sequence

from services.vault.exporting import Exports
from services.vault.faces import Epoch, Faces, refusal
from services.vault.ledger import disclosure_of


async def disclose(
    faces: Faces,
    exports: Exports | None,
    table_id: str,
    epoch: Epoch,
    head: str,
    journal: Sequence[str],
    events: Sequence[str],
) -> None:
    """Write seed, ledger, journal and events down for anybody to read.

    The ledger read here is the one the store then judges: its head stands for all of
    it. Repeating this changes nothing, and does what is left to be done: the table goes
    away some day only once it is exported, where games are.
    """
    kept = await faces.read(table_id)
    if kept.about.tip != head:
        raise refusal("HEAD_REFUSED", table_id)
    text = disclosure_of(
        table_id, kept.about.game, kept.secrets.seed, kept.texts, journal, events
    )
    await faces.disclose(table_id, epoch, head, text)
    if exports is not None:
        await exports.export(table_id)
    await faces.let_go(table_id)
