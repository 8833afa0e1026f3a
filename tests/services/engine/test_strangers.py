"""Wrong tokens, foreign seats and nonsense in every field: nothing changes."""

import random
import time
from string import ascii_letters

import grpc
import jwt
import pytest

from services.chassis.keys import load_keys
from services.chassis.tokens import Kind, player_token
from tests.one_store import store_process  # noqa: F401
from tests.services.engine.playing import an_answer, is_cut_short, reason_of

REFUSALS = {
    "INVALID_FIELD",
    "MESSAGE_TOO_LONG",
    "TABLE_NOT_FOUND",
    "QUESTION_STALE",
    "ANSWER_ILLEGAL",
}


@pytest.fixture
async def table(opened, player):
    """A game that waits for anna or ben; carl is nobody here."""
    table = await opened("anna", "ben")
    for name in ("anna", "ben"):
        await player(name).takes_seat(table)
    return table


@pytest.fixture
async def before(table, player):
    return {name: await player(name).looks(table) for name in ("anna", "ben", "carl")}


@pytest.fixture
def nothing_has_changed(table, player, before):
    async def check():
        for name, view in before.items():
            assert await player(name).looks(table) == view

    return check


@pytest.fixture
def asked(before):
    """Somebody who is asked, by name, and the question."""
    return next((n, v.question) for n, v in before.items() if v.HasField("question"))


def tokens(keys_folder):
    """Tokens nobody should get in with."""
    ours = load_keys(keys_folder, "matchmaking")
    engine = load_keys(keys_folder, "engine")
    good = player_token(ours, "anna", "Anna", Kind.GUEST, 3600)
    head, body, signature = good.split(".")
    claims = {"sub": "anna", "name": "Anna", "kind": "guest", "aud": "anpai"}
    times = {"iss": "matchmaking", "exp": time.time() + 3600}
    return {
        "none": None,
        "empty": "",
        "nonsense": "nonsense",
        "old": player_token(ours, "anna", "Anna", Kind.GUEST, -60),
        "signed by the engine": player_token(engine, "anna", "Anna", Kind.GUEST, 3600),
        "unsigned": jwt.encode(claims | times, None, algorithm="none"),
        "cut short": f"{head}.{body}.{signature[:-6]}",
    }


WRONG_TOKENS = (
    "none",
    "empty",
    "nonsense",
    "old",
    "signed by the engine",
    "unsigned",
    "cut short",
)
CALLS = {
    "TakeSeat": {"nonce": b"n" * 32},
    "GetView": {},
    "Watch": {},
    "Sit": {},
    "Answer": {"question_id": "q", "answer_id": "a" * 8},
    "Concede": {},
}


STREAMS = {"Watch": "watching", "Sit": "sitting"}


async def refusal(player, method, **fields):
    """The reason for which a call is refused; OK if it is not."""
    try:
        if method in STREAMS:
            async with getattr(player, STREAMS[method])(**fields) as stream:
                await stream.next()
        else:
            await player.asks(method, **fields)
    except grpc.aio.AioRpcError as error:
        if is_cut_short(error):
            return await refusal(player, method, **fields)
        return reason_of(error)
    return "OK"


@pytest.mark.parametrize("method", CALLS)
@pytest.mark.parametrize("which", WRONG_TOKENS)
async def test_t20_no_wrong_token_gets_in_or_changes_anything(
    method, which, table, player, keys_folder, nothing_has_changed
):
    stranger = player("anna")
    stranger.token = tokens(keys_folder)[which]

    reason = await refusal(stranger, method, table_id=table, **CALLS[method])

    assert reason.startswith("TOKEN_")
    await nothing_has_changed()


@pytest.mark.parametrize("method", ["TakeSeat", "Answer", "Concede"])
async def test_nobody_without_a_seat_can_act(
    method, table, player, nothing_has_changed
):
    reason = await refusal(player("carl"), method, table_id=table, **CALLS[method])

    assert reason == "NOT_SEATED"
    await nothing_has_changed()


async def test_nobody_answers_for_another_seat(
    table, player, asked, nothing_has_changed
):
    name, question = asked
    other = player("ben" if name == "anna" else "anna")

    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await other.answers(table, an_answer(question))

    assert reason_of(refused.value) == "QUESTION_STALE"
    await nothing_has_changed()


async def test_a_spectator_who_sits_is_refused_each_answer_and_watches_on(
    table, player, asked, nothing_has_changed
):
    async with player("carl").sitting(table) as stream:
        await stream.update()
        await stream.answers(an_answer(asked[1]))
        refused = (await stream.next()).refused

    assert refused.refusal.reason == "NOT_SEATED"
    await nothing_has_changed()


async def test_nonsense_in_any_field_is_refused_in_words(
    table, player, asked, nothing_has_changed
):
    name, question = asked
    sender, chance = player(name), random.Random(7)
    for _ in range(300):
        method, fields = nonsense(chance, table, question)
        reason = await refusal(sender, method, **fields)
        assert reason in REFUSALS, (method, fields)
    await nothing_has_changed()


def nonsense(chance, table, question):
    """A call that would be right but for one field."""
    answer = {"question_id": question.id, "answer_id": "a" * 8, "choice": []}
    method = chance.choice(list(CALLS))
    fields = {"table_id": table} | (answer if method == "Answer" else {})
    broken = chance.choice(list(fields))
    if broken == "choice":
        fields["choice"] = [text(chance) for _ in range(chance.randint(1, 300))]
    elif broken == "answer_id":
        fields[broken] = "a" * 7 + text(chance) * 90
    else:
        fields[broken] = text(chance)
    if method == "TakeSeat" and chance.random() < 0.5:
        fields["nonce"] = chance.randbytes(chance.choice([1, 31, 33, 1000]))
    return method, fields


def text(chance):
    """Anything but what is meant."""
    letters = chance.choice([ascii_letters, "{}[]:*?\n\0 ", "暗牌😀é\u202e"])
    return chance.choice("~t") + "".join(
        chance.choices(letters, k=chance.choice([0, 1, 20, 500]))
    )


async def test_who_is_turned_away_from_a_table_has_no_seat_there_any_more(
    table, player, engine, opened, asked
):
    """Neither by a stream that is open nor by calling; elsewhere all is as it was."""
    name, question = asked
    elsewhere = await opened(name, "carl")
    async with player(name).sitting(table) as stream:
        await stream.update()
        revocations = engine._resources.revocations
        await revocations.revoke_seat(table, name, 60)
        assert await stream.reason_of_end() == "PART_UNAVAILABLE"

    refused = {
        "looking": player(name).looks(table),
        "answering": player(name).answers(table, an_answer(question)),
        "coming back": player(name).takes_seat(table),
        "giving up": player(name).concedes(table),
    }
    for what, call in refused.items():
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await call
        assert reason_of(error.value) == "TOKEN_REVOKED", what
    assert (await player(name).takes_seat(elsewhere)).commitment
    assert (await player("carl").looks(table)).table_id == table

    (one,) = revocations.everybody()
    await revocations.let_in(one.whom)
    assert await player(name).answers(table, an_answer(question))
