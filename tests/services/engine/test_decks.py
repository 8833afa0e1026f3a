"""Decks that seats bring: judged by the rules, kept by the vault, known to nobody."""

import grpc
import pytest
from grpc_status import rpc_status

from anpai.engine.v1 import catalog_pb2
from anpai.engine.v1 import engine_service_pb2 as pb
from anpai.engine.v1 import engine_service_pb2_grpc as rpc
from services.chassis.errors import refusal_in
from tests.services.engine.playing import an_answer, reason_of
from tests.services.menagerie import ANIMALS, ids, opened_to_visitors
from tests.stores import keyspace

HERD = ids("okapi", "takin", "saola")
FLOCK = ids("vicuna", "vicuna", "vicuna")


@pytest.fixture(autouse=True)
def menagerie(monkeypatch):
    with opened_to_visitors(monkeypatch):
        yield


@pytest.fixture
async def checks(engine):
    """Asks what is wrong with decks."""
    async with grpc.aio.insecure_channel(engine.address) as channel:
        door = rpc.EngineServiceStub(channel)

        async def check(*decks, game="menagerie", **more):
            told = [catalog_pb2.Deck(faces=faces) for faces in decks]
            request = pb.CheckDecksRequest(game=game, decks=told, **more)
            return list((await door.CheckDecks(request)).faults)

        yield check


def refusal(error):
    return refusal_in(rpc_status.from_call(error.value))


# ---- asked about beforehand ----------------------------------------------------------


async def test_a_deck_that_may_be_played_has_no_faults(checks):
    assert await checks(HERD) == []
    assert await checks() == []


async def test_every_fault_is_told_in_the_language_asked_for(checks):
    deck = [*ids("okapi", "dodo", "dodo"), "skirmish/gamble"]

    told = await checks(deck)
    zh = await checks(deck, locale="zh-CN")

    assert [(one.deck, one.face) for one in told] == [
        (0, ""),
        (0, "menagerie/dodo"),
        (0, "skirmish/gamble"),
    ]
    assert told[0].message == "4 animals, not 3."
    assert zh[0].message == "应有3只动物。"


async def test_decks_are_judged_by_the_variant(checks):
    assert await checks(HERD, FLOCK, HERD, variant="cup") == []

    (fault,) = await checks(HERD, variant="cup")

    assert (fault.deck, fault.face) == (1, "")


@pytest.mark.parametrize(
    ("decks", "more", "field", "allowed"),
    [
        ([HERD, HERD], {}, "decks", "at most 1"),
        ([HERD], {"variant": "plain"}, "decks", "empty in this variant"),
        ([[]], {}, "decks[0].faces", "1-200 faces"),
        ([HERD * 67], {}, "decks[0].faces", "1-200 faces"),
        ([HERD, HERD * 67], {"variant": "cup"}, "decks[1].faces", "1-200 faces"),
        ([["okapi"]], {}, "decks[0].faces[0]", "a face, as game/face"),
        ([[*HERD, "menagerie/ok api"]], {}, "decks[0].faces[3]", None),
        ([[*HERD, "menagerie/" + "x" * 61]], {}, "decks[0].faces[3]", None),
        ([HERD], {"variant": "blind"}, "variant", None),
        ([HERD], {"locale": "xx"}, "locale", None),
    ],
)
async def test_what_cannot_be_a_deck_is_refused_by_its_field(
    checks, decks, more, field, allowed
):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await checks(*decks, **more)

    assert refusal(error).reason == "INVALID_FIELD"
    assert refusal(error).metadata["field"] == field
    assert allowed in (None, refusal(error).metadata["allowed"])


async def test_decks_of_a_game_that_is_not_there_are_not_judged(checks):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await checks(HERD, game="chess")

    assert reason_of(error.value) == "GAME_NOT_FOUND"


# ---- brought to the table ------------------------------------------------------------


@pytest.fixture
async def table(opened):
    return await opened("anna", "ben", game="menagerie")


def faces_seen(view):
    """Every face that the viewer can read."""
    return {card.face for place in view.places for card in place.cards if card.face}


async def test_the_game_is_played_with_the_decks_that_were_brought(table, player):
    anna, ben = player("anna"), player("ben")

    await anna.takes_seat(table, decks=[FLOCK])
    await ben.takes_seat(table)

    assert faces_seen(await anna.looks(table)) == {"menagerie/vicuna"}
    assert faces_seen(await ben.looks(table)) == {"menagerie/quagga"}
    assert faces_seen(await player("carl").looks(table)) == set()


async def test_the_first_decks_count_and_others_are_not_even_judged(table, player):
    anna = player("anna")
    first = await anna.takes_seat(table, decks=[FLOCK])

    again = await anna.takes_seat(table, decks=[ids("dodo")])
    await player("ben").takes_seat(table)

    assert first == again
    assert faces_seen(await anna.looks(table)) == {"menagerie/vicuna"}


async def test_who_sat_down_without_decks_brings_none_later(table, player):
    anna = player("anna")
    await anna.takes_seat(table)

    await anna.takes_seat(table, decks=[FLOCK])
    await player("ben").takes_seat(table)

    assert faces_seen(await anna.looks(table)) == {"menagerie/quagga"}


async def test_t14_a_deck_that_may_not_be_played_leaves_the_seat_free(table, player):
    anna = player("anna")
    deck = ids("okapi", "dodo", "takin", "dodo")

    with pytest.raises(grpc.aio.AioRpcError) as error:
        await anna.takes_seat(table, decks=[deck])

    told = refusal(error)
    assert error.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert told.reason == "DECK_ILLEGAL"
    assert str(told) == "4 animals, not 3. There is no such animal."
    assert told.metadata == {"game": "menagerie", "variant": "pair"}
    assert [field for field, _ in told.violations] == [
        "decks[0].faces",
        "decks[0].faces[1]",
    ]
    assert not (await anna.looks(table)).seats[0].taken
    await anna.takes_seat(table, decks=[HERD])
    assert (await anna.looks(table)).seats[0].taken


async def test_more_is_wrong_than_a_refusal_has_room_for(table, player):
    deck = ids(*(f"dodo_{number}" for number in range(150)))

    with pytest.raises(grpc.aio.AioRpcError) as error:
        await player("anna").takes_seat(table, decks=[deck])

    told = refusal(error)
    assert 20 < len(told.violations) < 150
    left = 151 - len(told.violations)
    assert str(told).endswith(f"There is more wrong: {left} in all.")


async def test_a_worker_that_has_not_the_table_passes_deck_and_refusal_on(
    table, player, worker
):
    await player("ben").looks(table)
    anna = player("anna", (await worker()).address)

    with pytest.raises(grpc.aio.AioRpcError) as error:
        await anna.takes_seat(table, decks=[ids("dodo")])
    await anna.takes_seat(table, decks=[FLOCK])
    await player("ben").takes_seat(table)

    assert refusal(error).violations[1].field == "decks[0].faces[0]"
    assert faces_seen(await anna.looks(table)) == {"menagerie/vicuna"}


async def test_another_worker_goes_on_with_the_decks_of_the_ledger(
    table, player, worker, engine
):
    await player("anna").takes_seat(table, decks=[FLOCK])
    other = await worker()
    await engine.stop()
    anna, ben = (player(name, other.address) for name in ("anna", "ben"))

    await ben.takes_seat(table, decks=[HERD])

    assert faces_seen(await anna.looks(table)) == {"menagerie/vicuna"}
    assert len(faces_seen(await ben.looks(table))) == 2


async def test_who_plays_alone_is_dealt_at_once(opened, player):
    table = await opened("anna", game="menagerie", variant="alone")
    anna = player("anna")

    await anna.takes_seat(table, decks=[FLOCK])
    view = await anna.looks(table)
    await anna.answers(table, an_answer(view.question))

    assert (await anna.looks(table)).outcome.reason == "played"


# ---- told to nobody ------------------------------------------------------------------


def animals_in(text):
    return {name for name in ANIMALS if name in text}


async def test_decks_are_in_no_key_log_or_metric_of_the_engine(
    table, player, checks, valkey, engine, capfd
):
    with pytest.raises(grpc.aio.AioRpcError):
        await player("anna").takes_seat(table, decks=[ids("okapi", "dodo")])
    await checks(HERD)
    await player("anna").takes_seat(table, decks=[FLOCK])
    await player("ben").takes_seat(table, decks=[HERD])
    assert faces_seen(await player("anna").looks(table)) == {"menagerie/vicuna"}

    kept, said = keyspace(valkey, "engine"), capfd.readouterr()
    measured = {
        text
        for metric in engine.metrics.registry.collect()
        for sample in metric.samples
        for text in sample.labels.values()
    }
    assert kept.count('"decks":1') == 2
    assert animals_in(f"{kept} {said.out} {said.err} {measured}") == set()
