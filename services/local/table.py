"""LocalTable: one game, from opening to outcome, in this process.

It drives the very `Play` that engine workers drive, with the very files with which the
vault resolves; only journal and ledger are lists. `docs/fairness.md` holds for it as it
does for a table that is served.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import cast

from services.engine.kernel.ask import Option, Question, option_id
from services.engine.kernel.chance import Results
from services.engine.kernel.entry import Draft, Entry, EntryKind, Opening
from services.engine.kernel.event import Event
from services.engine.kernel.game import Deck, Game
from services.engine.kernel.outcome import Outcome
from services.engine.kernel.play import Batch, Play, brought_as
from services.engine.kernel.waiting import StaleQuestion
from services.engine.kernel.written import written
from services.vault.chain import SEED_BYTES, commitment_of, veil_of
from services.vault.holdings import Holdings
from services.vault.ledger import Recorded, disclosure_of

Choice = Sequence[str | Option]


class LocalTable:
    """A table whose seats all sit in this process.

    `seed` is 32 bytes, a number to make them from, or None for a secret one. `nonces`
    (hex), `names` and the `decks` brought are by seat. `timed` tables have deadlines
    and holds, read from `now` (milliseconds), which the caller moves.

    `reface` gives physical cards another face and changes nothing else: neither handles
    nor order nor draws. Cards are numbered in the order built: card *k* is the *k*-th
    face of the first deck, and the next deck goes on counting. `card_number(handle)`
    tells which card goes by a handle now.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        variant: str = "",
        *,
        decks: Mapping[int, Sequence[Deck]] | None = None,
        seed: bytes | int | None = None,
        nonces: Sequence[str] = (),
        table_id: str = "local",
        timed: bool = False,
        names: Sequence[str] = (),
        bots: Sequence[bool] = (),
        reface: Mapping[int, str] | None = None,
    ) -> None:
        self._seed = seed_of(seed)
        self.now = 0
        self.entries: list[Entry] = []
        self.ledger: list[Recorded] = []
        self._holdings = Holdings(table_id, self._seed, reface)
        opening = Opening(
            table=table_id,
            game=game.name,
            variant=variant or game.variants[0].name,
            rules_version=game.version,
            seats=seats,
            commitment=commitment_of(self._seed),
            bots=tuple(bots) or (False,) * seats,
            timed=timed,
            names=tuple(names),
        )
        self.play = Play(game, opening, veil_of(self._seed))
        self._open(nonces, names, decks or {})

    def _open(
        self,
        nonces: Sequence[str],
        names: Sequence[str],
        decks: Mapping[int, Sequence[Deck]],
    ) -> None:
        opening = self.play.opening
        self._move(EntryKind.OPEN, details=opening.details())
        for seat in range(opening.seats):
            brought = brought_as(decks.get(seat, ()))
            sitter = {
                "player": f"player-{seat}",
                "name": names[seat] if names else f"Seat {seat}",
                "bot": opening.bots[seat],
                "nonce": nonces[seat] if nonces else "",
                **({"decks": len(brought)} if brought else {}),
            }
            self._move(EntryKind.SEAT, seat, choice=brought or None, details=sitter)
        self._move(EntryKind.START)

    # -- reading ------------------------------------------------------------------

    @property
    def events(self) -> list[Event]:
        """Everything that happened, whole; event *n* has revision *n* + 1."""
        return self.play.table.events

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        return self.play.outcome

    @property
    def commitment(self) -> str:
        """What is published before play, in hex."""
        return self.play.opening.commitment

    def waiting(self) -> tuple[int, ...]:
        """The seats whose answer the table waits for."""
        return self.play.open_seats

    def question(self, seat: int) -> Question | None:
        """What a seat has still to answer, if anything."""
        return self.play.asked(seat)

    def card_number(self, handle: str) -> int:
        """Which physical card goes by this handle now."""
        return self._holdings.cards.number(handle)

    def disclosure(self) -> str:
        """The file from which anybody can check this game (JSON)."""
        return disclosure_of(
            self.play.opening.table,
            self.play.game.name,
            self._seed,
            map(Recorded.text, self.ledger),
            [entry.text() for entry in self.entries],
            [written(event) for event in self.events],
        )

    # -- moving -------------------------------------------------------------------

    def answer(self, seat: int, choice: Choice, *, answer_id: str = "") -> Entry:
        """Answer a seat's question with options or their ids.

        Raises `StaleQuestion` where the seat is not asked, `IllegalAnswer` where the
        rules do not allow it; the table is then as it was.
        """
        question = self.play.asked(seat)
        if question is None:
            raise StaleQuestion(f"seat {seat} is not asked now")
        chosen, ids = chosen_of(question, choice)
        answer_id = answer_id or f"{seat}-{self.play.position}"
        draft = Draft(EntryKind.ANSWER, seat, answer_id, ids, self.now, chosen=chosen)
        return self._apply(draft)

    def default(self, seat: int) -> Entry:
        """Let a seat's time run out."""
        if self.play.asked(seat) is None:
            raise StaleQuestion(f"seat {seat} is not asked now")
        return self._move(EntryKind.DEFAULT, seat)

    def settle(self) -> Entry:
        """Let a held question go on, `now` being past `play.held_until`."""
        return self._move(EntryKind.SETTLE)

    def concede(self, seat: int) -> Entry:
        """A seat gives the game up."""
        return self._move(EntryKind.CONCEDE, seat)

    def leave(self, seat: int) -> Entry:
        """A seat's player goes away."""
        return self._move(EntryKind.AWAY, seat)

    def stand_in(self, seat: int, name: str) -> Entry:
        """A bot plays for a player who is away."""
        told = {"player": f"bot-{seat}", "name": name}
        return self._move(EntryKind.STAND_IN, seat, details=told)

    def come_back(self, seat: int) -> Entry:
        """A player who was away is back."""
        return self._move(EntryKind.BACK, seat)

    def resume(self, milliseconds: int) -> Entry:
        """The service was away for so long."""
        told = {"milliseconds": milliseconds}
        return self._move(EntryKind.RESUME, details=told)

    def abandon(self) -> Entry:
        """The table ends without a winner."""
        return self._move(EntryKind.ABANDON)

    def _move(
        self,
        kind: EntryKind,
        seat: int = -1,
        answer_id: str = "",
        choice: tuple[str, ...] | None = None,
        details: Mapping[str, object] | None = None,
    ) -> Entry:
        draft = Draft(kind, seat, answer_id, choice, self.now, dict(details or {}))
        return self._apply(draft)

    def _apply(self, draft: Draft) -> Entry:
        steps = self.play.apply(draft)
        try:
            batch = next(steps)
            while True:
                batch = steps.send(self._resolve(batch))
        except StopIteration as end:
            entry: Entry = end.value
        self.entries.append(entry)
        return entry

    def _resolve(self, batch: Batch) -> Results:
        """The vault's results have the kernel's shape: cards with handle and face."""
        results = self._holdings.resolve(batch.digest, batch.operations)
        record = Recorded(batch.digest, batch.then, batch.operations, results)
        self.ledger.append(record)
        return cast(Results, results)


def chosen_of(
    question: Question, choice: Choice
) -> tuple[tuple[Option, ...], tuple[str, ...]]:
    """The options chosen and their ids; `IllegalAnswer`."""
    ids = tuple([str(o) if isinstance(o, str) else option_id(o) for o in choice])
    if choice and isinstance(choice[0], str):
        return question.judge(ids), ids
    return question.judge_options(choice), ids


def seed_of(seed: bytes | int | None) -> bytes:
    """32 bytes: those given, made from a number, or drawn."""
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    if isinstance(seed, int):
        return hashlib.sha256(f"anpai/seed/{seed}".encode()).digest()
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    return seed
