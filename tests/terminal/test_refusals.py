"""A refusal is told in the language that the player reads."""

import re

import pytest
from grpc import StatusCode

from anpai import AnpaiCallError
from anpai.errors.v1.error_reason_pb2 import ErrorReason
from clients.terminal.refusals import CHINESE, refusal
from clients.terminal.words import Words

PREFIX = "ERROR_REASON_"
NAMES = ErrorReason.DESCRIPTOR.values_by_name
# Between services: no player hears of them.
OURS = {"EPOCH_REFUSED", "HEAD_REFUSED", "DISCLOSED_ALREADY", "OPERATION_REFUSED"}


def refused(reason, **metadata):
    return AnpaiCallError(StatusCode.NOT_FOUND, reason, "So it is.", metadata)


def test_every_reason_that_a_player_can_hear_has_a_sentence():
    reasons = {name.removeprefix(PREFIX) for name in NAMES}
    assert set(CHINESE) == reasons - OURS - {"UNSPECIFIED"}


@pytest.mark.parametrize("sentence", CHINESE.values())
def test_each_is_chinese_and_ends(sentence):
    assert re.search("[\u4e00-\u9fff]", sentence)
    assert sentence.endswith(("。", "{message}"))


def test_the_sentence_is_filled_by_what_the_server_tells():
    error = refused("INVALID_FIELD", field="seats", allowed="2, 3")
    assert refusal(error, Words("zh")) == "seats 的值无效；应为：2, 3。"
    assert refusal(error, Words("en")) == "So it is."


def test_what_the_server_does_not_tell_is_left_empty():
    assert refusal(refused("PARTY_FULL"), Words("zh")) == "队伍已满，最多  人。"


def test_a_reason_of_a_later_server_is_told_by_its_own_sentence():
    assert refusal(refused("OF_ANOTHER_DAY"), Words("zh")) == "So it is."
