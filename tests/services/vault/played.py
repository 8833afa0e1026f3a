"""A whole game whose chance comes from a vault that is called, as engines play it."""

import random
from typing import Any

from anpai.vault.v1 import vault_service_pb2 as pb
from services.engine.games import GAMES
from services.engine.kernel.chance import Dealt, Operation, Result, Results
from services.engine.kernel.entry import Draft, Entry, EntryKind, Opening
from services.engine.kernel.play import Batch, Play
from services.engine.kernel.written import written
from tests.services.vault.worker import Worker

SKIRMISH = GAMES["skirmish"]


class Played:
    """Skirmish for two at table "t", with random answers."""

    def __init__(self, worker: Worker, veil: bytes):
        version, commitment = SKIRMISH.version, worker.commitment
        opening = Opening(
            "t", "skirmish", "standard", version, 2, commitment, timed=False
        )
        self.play = Play(SKIRMISH, opening, veil)
        self.worker = worker
        self.entries: list[Entry] = []

    async def to_the_end(self, seed: int = 1) -> None:
        await self.begin()
        dice = random.Random(seed)
        while self.play.outcome is None:
            await self.answer(dice)

    async def begin(self) -> None:
        await self.move(EntryKind.OPEN, details=self.play.opening.details())
        for seat in (0, 1):
            sitter = {"player": "p", "name": "n", "bot": False, "nonce": f"{seat:064x}"}
            await self.move(EntryKind.SEAT, seat=seat, details=sitter)
        await self.move(EntryKind.START)

    async def answer(self, dice: random.Random) -> None:
        asked = self.play.question(self.play.open_seats[0])
        assert asked is not None
        question = asked[1]
        count = dice.randint(question.least, question.most)
        choice = tuple(dice.sample(question.ids, count))
        await self.move(EntryKind.ANSWER, seat=question.seat, choice=choice)

    async def move(self, kind: EntryKind, **draft: Any) -> None:
        steps, results = self.play.apply(Draft(kind, **draft)), None
        try:
            while True:
                batch = steps.send(results)  # type: ignore[arg-type]
                results = await self.resolve(batch)
        except StopIteration as end:
            self.entries.append(end.value)
        self.worker.committed = self.play.head

    async def resolve(self, batch: Batch) -> Results:
        sent = self.worker.batch(batch.head, "", *map(message_of, batch.operations))
        sent.digest = batch.digest
        (reply,) = await self.worker.send(sent)
        assert reply.refusal == ""
        return tuple(map(result_of, reply.results))

    async def disclose(self) -> None:
        await self.worker.disclose(
            self.play.head,
            [entry.text() for entry in self.entries],
            [written(event) for event in self.play.table.events],
        )


def message_of(operation: Operation) -> pb.Operation:
    items: Any = operation._asdict()
    verb = items.pop("verb")
    return pb.Operation(**{verb: items})


def result_of(message: pb.Result) -> Result:
    cards = [
        Dealt(one.handle, one.face if one.HasField("face") else None)
        for one in message.cards
    ]
    return Result(tuple(cards), tuple(message.numbers))
