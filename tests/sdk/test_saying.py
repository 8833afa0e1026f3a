"""Seats talk: what is said is heard once, whatever becomes of the stream."""

import anpai
from anpai.engine.v1 import engine_service_pb2 as pb
from tests.sdk.waiting import until


async def test_what_was_said_is_heard_once_however_often_the_stream_breaks(
    engine, player, seat
):
    engine.said = [pb.Said(number=number, text=f"word {number}") for number in (3, 7)]
    engine.mischief.streams_cut_after = [2, 1]
    async with player.sit(seat) as table:
        await until(lambda: len(engine.entered) == 3)
        await table.say("mine", to_team=True)
        assert [one.text for one in table.said] == ["word 3", "word 7"]

    assert engine.said[-1].channel == anpai.CHANNEL_TEAM
    assert engine.heard == [0, 7, 7]


async def test_whoever_listens_is_called_with_each_word(engine, player, seat):
    heard = []
    async with player.sit(seat) as table:
        table.listen = lambda said: heard.append(said.text)
        table._hear(pb.TableUpdate(said=pb.Said(number=1, text="hello")))
    assert heard == ["hello"]
