"""A player who sits, answers at random, and comes back whenever the stream breaks."""

import asyncio
import random

import grpc

from anpai.engine.v1 import engine_service_pb2 as pb
from tests.services.engine.playing import (
    Game,
    Player,
    Stream,
    an_answer,
    is_cut_short,
    options,
)

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE


class Bot:
    """One seat. What it was not told the outcome of, it sends again, unchanged."""

    def __init__(self, player: Player, table: str, pause: float = 0) -> None:
        self.player = player
        self.game = Game()
        self.accepted: dict[str, int] = {}
        self.refused: list[pb.AnswerRefused] = []
        self._table = table
        self.pause = pause
        self._chance = random.Random(f"{table}/{player.id}")
        self._given: dict[str, pb.AnswerRequest] = {}
        self._unsure: dict[str, pb.AnswerRequest] = {}

    async def plays(self) -> "Bot":
        """To the end of the game."""
        while not self.game.is_over or self._unsure:
            try:
                await self._sits()
            except grpc.aio.AioRpcError as error:
                if error.code() is not UNAVAILABLE and not is_cut_short(error):
                    raise
                self.game.resumed += 1
                await asyncio.sleep(0.1)
        return self

    async def _sits(self) -> None:
        seen = self.game.view
        after = seen.revision if seen is not None else None
        async with self.player.sitting(self._table, after) as stream:
            for answer in self._unsure.values():
                await stream.answers(answer)
            while (step := await stream.next()) is not None:
                await self._hears(step, stream)

    async def _hears(self, step: pb.SitResponse, stream: Stream) -> None:
        if step.HasField("accepted"):
            self.accepted[step.accepted.answer_id] = step.accepted.revision
            self._unsure.pop(step.accepted.answer_id, None)
        if step.HasField("refused"):
            await self._is_refused(step.refused, stream)
        if step.HasField("update"):
            self.game.hear(step.update)
            await self._answers(stream)

    async def _is_refused(self, refused: pb.AnswerRefused, stream: Stream) -> None:
        if refused.refusal.code != UNAVAILABLE.value[0]:
            self.refused.append(refused)
            self._unsure.pop(refused.answer_id, None)
            return
        await asyncio.sleep(0.1)
        await stream.answers(self._unsure[refused.answer_id])

    async def _answers(self, stream: Stream) -> None:
        asked = self.game.question
        if asked is None or asked.id in self._given:
            return
        await asyncio.sleep(self.pause)
        choice = self._chance.sample(options(asked), asked.min)
        answer = self._given[asked.id] = an_answer(asked, choice)
        self._unsure[answer.answer_id] = answer
        await stream.answers(answer)
