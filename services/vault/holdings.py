"""What the vault holds of one table, and what a batch of operations does to it. Pure.

An operation is a plain tuple that ends with its verb, as `docs/fairness.md` lists
them: `(deck, number, seats, "draw")`. What a batch gives follows from the key of the
chain and the batch's digest alone.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

from services.vault.cards import Cards, Dealt
from services.vault.chain import commitment_of, first_key, next_head, next_key
from services.vault.chance import Chance, Source
from services.vault.deck import Decks
from services.vault.refusal import OperationRefused

Operation = Sequence[Any]

MOST_CARDS = 10_000
MOST_NUMBERS = 1_000
MOST_SIDES = 2**32


class Result(NamedTuple):
    """What one operation gave: cards (in order), or numbers; often neither."""

    cards: tuple[Dealt, ...] = ()
    numbers: tuple[int, ...] = ()


Results = tuple[Result, ...]
NOTHING = Result()


class Holdings:
    """One table's cards, decks and chain.

    A batch that is refused leaves this object unusable:
    whoever keeps one makes it anew from the ledger.
    """

    __slots__ = ("_digests", "_head", "_key", "_seed", "cards", "decks", "table_id")

    def __init__(
        self, table_id: str, seed: bytes, reface: Mapping[int, str] | None = None
    ) -> None:
        self.table_id = table_id
        self._head = commitment_of(seed)
        self._digests: list[str] = []
        self.cards = Cards(reface)
        self.decks = Decks()
        self._seed = seed
        self._key = b""

    @property
    def head(self) -> str:
        """The ledger's, after all batches so far; made when somebody wants it."""
        self._head = reduce(next_head, self._digests, self._head)
        self._digests.clear()
        return self._head

    def resolve(self, digest: str, operations: Sequence[Operation]) -> Results:
        """Do a batch of operations; what each of them gave."""
        begun = () if self._key else self._begin(operations)
        if self._key:
            self._key = next_key(self._key, digest)
        chance, rest = Chance(self._key), operations[len(begun) :]
        results = (*begun, *[self.do(operation, chance) for operation in rest])
        self._digests.append(digest)
        return results

    def _begin(self, operations: Sequence[Operation]) -> Results:
        """`begin`, first in its batch, fixes key 0.

        Before it a table can keep what seats bring; all else needs chance or cards.
        """
        verbs = [one[-1] for one in operations]
        if verbs[:1] == ["begin"]:
            self._key = first_key(self._seed, self.table_id, operations[0][0])
            return (NOTHING,)
        if set(verbs) != {"seal"}:
            raise OperationRefused("a table begins before its first card")
        return ()

    def do(self, operation: Operation, chance: Source) -> Result:
        """Do one operation, with chance from this source."""
        verb = operation[-1]
        try:
            does = _VERBS[verb]
        except KeyError:
            raise OperationRefused(f"there is no operation {verb[:40]!r}") from None
        return does(self, chance, *operation[:-1])


# ---- the operations ------------------------------------------------------------------


def _begun(_: Holdings, __: Source, _nonces: Sequence[str]) -> Result:
    raise OperationRefused("a table begins once")


def _build(at: Holdings, chance: Source, deck: str, faces: Sequence[str]) -> Result:
    if len(faces) > MOST_CARDS:
        raise OperationRefused(f"a deck has {MOST_CARDS} cards at most")
    at.decks.build(deck, at.cards.make(faces), chance)
    return NOTHING


def _draw(
    at: Holdings, chance: Source, deck: str, number: int, seats: Sequence[int]
) -> Result:
    return Result(at.cards.name(at.decks.draw(deck, number), seats, chance))


def _find(
    at: Holdings,
    chance: Source,
    deck: str,
    faces: Sequence[str],
    number: int,
    seats: Sequence[int],
) -> Result:
    wanted = frozenset(faces)
    found = at.decks.find(deck, number, lambda card: at.cards.face(card) in wanted)
    return Result(at.cards.name(found, seats, chance))


def _shuffle(at: Holdings, chance: Source, deck: str, cards: Sequence[str]) -> Result:
    at.decks.shuffle(deck, at.cards.forget(cards), chance)
    return NOTHING


def _stack(
    at: Holdings, _: Source, deck: str, cards: Sequence[str], under: bool
) -> Result:
    at.decks.stack(deck, at.cards.forget(cards), under=under)
    return NOTHING


def _show(
    at: Holdings, _: Source, cards: Sequence[str], seats: Sequence[int]
) -> Result:
    return Result(at.cards.show(cards, seats))


def _conceal(
    at: Holdings, chance: Source, cards: Sequence[str], seats: Sequence[int]
) -> Result:
    return Result(at.cards.name(at.cards.forget(cards), seats, chance))


def _mix(
    at: Holdings, chance: Source, cards: Sequence[str], seats: Sequence[int]
) -> Result:
    mixed = at.cards.forget(cards)
    chance.shuffle(mixed)
    return Result(at.cards.name(mixed, seats, chance))


def _roll(_: Holdings, chance: Source, sides: int, dice: int) -> Result:
    if not (1 <= sides <= MOST_SIDES and 0 <= dice <= MOST_NUMBERS):
        raise OperationRefused(f"{dice} dice with {sides} sides cannot be thrown")
    return Result((), tuple(1 + chance.below(sides) for _ in range(dice)))


def _pick(_: Holdings, chance: Source, total: int, number: int) -> Result:
    if not 0 <= number <= total <= MOST_CARDS:
        raise OperationRefused(f"{number} of {total} lots cannot be drawn")
    return Result((), chance.sample(total, number))


def _seal(_: Holdings, __: Source, _seat: int, _choice: Sequence[str]) -> Result:
    return NOTHING


_VERBS: dict[str, Callable[..., Result]] = {
    "begin": _begun,
    "build": _build,
    "draw": _draw,
    "find": _find,
    "shuffle": _shuffle,
    "stack": _stack,
    "show": _show,
    "conceal": _conceal,
    "mix": _mix,
    "roll": _roll,
    "pick": _pick,
    "seal": _seal,
}
