"""The store of faces: seeds, ledgers and disclosures. The only file that writes a
secret, and it writes none in the clear before its table is disclosed.

Keys: `vault:{<table>}:about`, `:heads`, `:ledger`, `:disclosure`, and `vault:probe`.
"""

import secrets
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, NamedTuple

from services.chassis.config import ConfigError
from services.chassis.errors import AnpaiError
from services.chassis.stores import Script, Store
from services.vault import scripts
from services.vault.chain import SEED_BYTES, commitment_of
from services.vault.holdings import Operation
from services.vault.ledger import Recorded
from services.vault.sealing import Broken, MasterKey, Seal, new_data_key

PROBE_KEY = "vault:probe"
KINDS = ("about", "disclosure", "heads", "ledger")
HASH = 64  # a hash in hex
PIECE = 64 * 1024  # bytes of a disclosure sent at once
DAY_MS = 24 * 3600 * 1000
UNBEGUN_MS = DAY_MS  # as long as an opening can be repeated


class Epoch(NamedTuple):
    """A worker's right to write for a table."""

    number: int
    token: str


class Taken(NamedTuple):
    """What a takeover tells: where the ledger stands now."""

    seed: bytes
    commitment: str
    head_known: bool
    head: str
    length: int


class Secrets(NamedTuple):
    """A table's seed, and the seal for all else that is kept of it."""

    table_id: str
    seed: bytes
    seal: Seal


@dataclass(frozen=True, slots=True)
class About:
    """How far a table goes, and never what is in it.

    `tip` is the ledger's last head; `committed` the last one that Resolves have named
    as the journal's; `taken_length` is how many batches the last takeover found.
    """

    commitment: str
    game: str
    epoch: Epoch
    tip: str
    committed: str
    committed_length: int
    taken_length: int
    disclosed: bool

    @classmethod
    def read(cls, kept: Mapping[bytes, bytes]) -> "About":
        return cls(
            commitment=kept[b"commitment"].decode(),
            game=kept[b"game"].decode(),
            epoch=Epoch(int(kept[b"epoch"]), kept[b"token"].decode()),
            tip=kept[b"tip"].decode(),
            committed=kept[b"committed"].decode(),
            committed_length=int(kept[b"committed_length"]),
            taken_length=int(kept.get(b"taken_length", 0)),
            disclosed=b"disclosed" in kept,
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """All that the store has of a table; `texts` are the ledger's records."""

    about: About
    secrets: Secrets
    texts: list[str]

    def ledger(self) -> Iterator[Recorded]:
        """The ledger's records, from their texts."""
        return map(Recorded.read, self.texts)


class Batch(NamedTuple):
    """Operations to be resolved behind `head`; heads and digests in hex."""

    table_id: str
    epoch: Epoch
    head: str
    digest: str
    committed_head: str
    operations: Sequence[Operation]


class EpochRefused(AnpaiError):
    """Another epoch is in force; it is named."""

    def __init__(self, table_id: str, in_force: Epoch):
        super().__init__(
            "EPOCH_REFUSED",
            "Another worker has this table.",
            table=table_id,
            epoch=str(in_force.number),
        )
        self.in_force = in_force


class Faces:
    """The store. Every change is one script; a refusal is raised as `AnpaiError`.

    A table is kept as long as it is played, and `kept_days` after its disclosure, or
    `stopped_days` after it was stopped; a day if it is never begun."""

    def __init__(
        self,
        store: Store,
        master: MasterKey,
        kept_days: int = 30,
        stopped_days: int = 90,
    ):
        self._store = store
        self._master = master
        self._kept_ms = kept_days * DAY_MS
        self._stopped_ms = stopped_days * DAY_MS

    async def prove_master_key(self) -> None:
        """Raise ConfigError unless this key has sealed what the store has."""
        mine = await self._master.wrap("probe", new_data_key())
        kept = await self._store.pipeline.call(scripts.PROBE, [PROBE_KEY], [mine])
        try:
            await self._master.unwrap("probe", kept)
        except Broken:
            raise ConfigError(
                "ANPAI_MASTER_KEY is not the key with which this store was sealed."
            ) from None

    async def open(self, table_id: str, game: str) -> Secrets:
        """A new seed, or the one this table has: it is never drawn again."""
        seed, key = secrets.token_bytes(SEED_BYTES), new_data_key()
        sealed = Seal(key).seal(seed, table_id, "seed")
        wrapped = await self._master.wrap(table_id, key)
        _, sealed, wrapped = await self._call(
            scripts.OPEN,
            table_id,
            ("about", "heads"),
            [commitment_of(seed), sealed, wrapped, game, UNBEGUN_MS],
        )
        return await self._unsealed(table_id, sealed, wrapped)

    async def take_over(self, table_id: str, epoch: Epoch, head: str) -> Taken:
        """Record an epoch and cut what lies behind the head."""
        commitment, sealed, wrapped, taken, length, known = await self._call(
            scripts.TAKE_OVER,
            table_id,
            ("about", "heads", "ledger"),
            [*epoch, head],
        )
        held = await self._unsealed(table_id, sealed, wrapped)
        return Taken(
            held.seed, commitment.decode(), known == b"1", taken.decode(), int(length)
        )

    async def append(
        self, batch: Batch, held: Secrets, position: int, record: Recorded
    ) -> Recorded | None:
        """Record a batch, the one after `position` others, behind its head.

        What was recorded of it before, if it was.
        """
        sealed = seal_record(held, position, record)
        earlier = await self._resolve(batch, record.head, sealed)
        return open_record(held, position, earlier) if earlier else None

    async def judge(self, batch: Batch) -> None:
        """Raise what `append` would raise, and record nothing."""
        await self._resolve(batch, "", b"")

    async def disclose(self, table_id: str, epoch: Epoch, head: str, text: str) -> None:
        """Keep the disclosure, and end all resolving. For how long, `let_go` says."""
        data = text.encode()
        pieces = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
        await self._call(
            scripts.DISCLOSE,
            table_id,
            ("about", "disclosure"),
            [*epoch, head, *pieces],
        )

    async def let_go(self, table_id: str) -> None:
        """Of a disclosed table so many days are left."""
        await self._call(scripts.LET_GO, table_id, KINDS, [self._kept_ms])

    async def stop(self, table_id: str) -> None:
        """Of a table that is stopped for good so many days are left."""
        await self._call(scripts.STOP, table_id, KINDS, [self._stopped_ms])

    async def read(self, table_id: str) -> Kept:
        """All of a table, as it stands at one moment."""
        keys = [key_of(table_id, kind) for kind in ("about", "ledger")]
        told, records = await self._store.pipeline.call(scripts.READ, keys)
        about = fields_in(told, table_id)
        held = await self._unsealed(table_id, about[b"seed"], about[b"key"])
        texts = [open_text(held, at, one) for at, one in enumerate(records)]
        return Kept(About.read(about), held, texts)

    async def taken_ledger(self, table_id: str, epoch: Epoch) -> list[Recorded]:
        """The ledger as the takeover with this epoch found it."""
        kept = await self.read(table_id)
        if kept.about.epoch != epoch:
            raise EpochRefused(table_id, kept.about.epoch)
        return list(islice(kept.ledger(), kept.about.taken_length))

    async def about(self, table_id: str) -> About:
        """How far a table goes."""
        keys = [key_of(table_id, "about")]
        told = await self._store.reading.call(scripts.ABOUT, keys)
        return About.read(fields_in(told, table_id))

    async def disclosure(self, table_id: str) -> AsyncIterator[bytes]:
        """The disclosure, piece by piece."""
        if not (await self.about(table_id)).disclosed:
            raise refusal("NOT_DISCLOSED", table_id)
        keys = [key_of(table_id, "disclosure")]
        for at in count():
            piece = await self._store.reading.call(scripts.PIECE, keys, [at])
            if piece is None:
                return
            yield piece

    async def _resolve(self, batch: Batch, behind: str, sealed: bytes) -> bytes:
        earlier: bytes
        (earlier,) = await self._call(
            scripts.RESOLVE,
            batch.table_id,
            ("about", "heads", "ledger"),
            [
                *batch.epoch,
                batch.head,
                batch.digest,
                behind,
                batch.committed_head,
                sealed,
            ],
        )
        return earlier

    async def _call(
        self, script: Script, table_id: str, kinds: Iterable[str], args: Sequence[Any]
    ) -> list[Any]:
        keys = [key_of(table_id, kind) for kind in kinds]
        answer: list[Any] = await self._store.pipeline.call(script, keys, args)
        told, *reply = answer
        if told == b"OK":
            return reply
        if told == b"EPOCH_REFUSED":
            number, token = reply
            raise EpochRefused(table_id, Epoch(int(number), token.decode()))
        raise refusal(told.decode(), table_id)

    async def _unsealed(self, table_id: str, sealed: bytes, wrapped: bytes) -> Secrets:
        try:
            seal = Seal(await self._master.unwrap(table_id, wrapped))
            return Secrets(table_id, seal.open(sealed, table_id, "seed"), seal)
        except Broken:
            raise refusal("LEDGER_LOST", table_id) from None


REFUSALS = {
    "TABLE_NOT_FOUND": "There is no such table.",
    "HEAD_REFUSED": "The ledger does not stand where this batch says.",
    "JOURNAL_LOST": "The journal does not reach as far as the ledger.",
    "LEDGER_LOST": "The ledger is not whole any more.",
    "DISCLOSED_ALREADY": "This table is disclosed: nothing resolves any more.",
    "NOT_DISCLOSED": "This game is not over, and nothing is disclosed before it is.",
}


def refusal(reason: str, table_id: str) -> AnpaiError:
    return AnpaiError(reason, REFUSALS[reason], table=table_id)


def fields_in(told: list[bytes], table_id: str) -> dict[bytes, bytes]:
    """Of a hash, as scripts give it."""
    if not told:
        raise refusal("TABLE_NOT_FOUND", table_id)
    return dict(zip(told[::2], told[1::2], strict=True))


def key_of(table_id: str, kind: str) -> str:
    return f"vault:{{{table_id}}}:{kind}"


def seal_record(held: Secrets, position: int, record: Recorded) -> bytes:
    plain = record.text().encode()
    return held.seal.seal(plain, held.table_id, "ledger", position, record.head)


def open_record(held: Secrets, position: int, kept: bytes) -> Recorded:
    return Recorded.read(open_text(held, position, kept))


def open_text(held: Secrets, position: int, kept: bytes) -> str:
    """From what the ledger's list holds: digest, head, sealed batch."""
    head, sealed = kept[HASH : 2 * HASH].decode(), kept[2 * HASH :]
    try:
        plain = held.seal.open(sealed, held.table_id, "ledger", position, head)
    except Broken:
        raise refusal("LEDGER_LOST", held.table_id) from None
    return plain.decode()
