import re
from pathlib import Path

import grpc
import pytest

from anpai.errors.v1 import error_reason_pb2
from services.chassis.client import meaning_of
from services.chassis.errors import (
    STATUS,
    AnpaiError,
    Violation,
    invalid,
    refusal_in,
    refusal_of,
    status_of,
)

PROTO = "protos/anpai/errors/v1/error_reason.proto"


def documented():
    """Reason -> the status its comment begins with."""
    text = (Path(__file__).parents[3] / PROTO).read_text()
    comment = r"  // ([A-Z_]+)\. .*\n(?:  //.*\n)*"
    found = re.findall(comment + r"  ERROR_REASON_(\w+) = \d+;", text)
    return {reason: status for status, reason in found}


def test_every_reason_has_the_status_its_comment_promises():
    assert {reason: code.name for reason, code in STATUS.items()} == documented()


def test_every_reason_is_in_the_table():
    names = set(error_reason_pb2.ErrorReason.keys()) - {"ERROR_REASON_UNSPECIFIED"}

    assert {name.removeprefix("ERROR_REASON_") for name in names} == set(STATUS)


def test_a_refusal_comes_back_from_the_wire_as_it_was():
    sent = AnpaiError("QUESTION_STALE", "Too late.", retry_after=1.5, revision="118")

    got = refusal_in(status_of(sent, incident="i1"))

    assert (got.reason, str(got)) == ("QUESTION_STALE", "Too late.")
    assert (got.metadata, got.retry_after) == ({"revision": "118"}, 1.5)


def test_the_fields_that_are_to_blame_come_back_too():
    blamed = [Violation("decks[0].faces", "Too few."), Violation("decks", "Too many.")]
    sent = AnpaiError("DECK_ILLEGAL", "No.", violations=blamed, game="gwent")

    got = refusal_in(status_of(sent, incident="i1"))

    assert got.violations == tuple(blamed)
    assert got.metadata == {"game": "gwent"}


@pytest.mark.parametrize(
    ("allowed", "sentence"),
    [
        ("0-3", "seats must be 0-3."),
        (["2", "3"], "seats must be one of: 2, 3."),
        (["2"], "seats must be one of: 2."),
        ("", "seats must be empty."),
        ([], "seats must be empty."),
    ],
)
def test_of_a_field_that_cannot_be_so_a_person_is_told_what_it_can_be(
    allowed, sentence
):
    told = invalid("seats", allowed)

    assert (told.reason, str(told)) == ("INVALID_FIELD", sentence)
    words = allowed if isinstance(allowed, str) else ", ".join(allowed)
    assert told.metadata == {"field": "seats", "allowed": words}


def test_an_error_that_names_a_reason_needs_no_chassis():
    class IllegalAnswer(Exception):
        reason = "ANSWER_ILLEGAL"

    told = refusal_of(IllegalAnswer("A hero cannot be revived."), incident="i1")

    assert told.reason == "ANSWER_ILLEGAL"
    assert told.message == "A hero cannot be revived."


def test_of_an_error_of_ours_only_the_incident_is_told():
    told = status_of(KeyError("gwent/secret-card"), incident="i1")

    assert b"secret-card" not in told.SerializeToString()
    assert refusal_in(told).metadata == {"incident": "i1"}


def test_a_status_that_grpc_has_lost_is_no_fault_of_ours():
    """It writes to a stream that was refused, and forgets with what."""
    lost = grpc.aio.AioRpcError(
        grpc.StatusCode.INTERNAL,
        grpc.aio.Metadata(),
        grpc.aio.Metadata(),
        "Internal error from Core",
    )

    assert meaning_of(lost).reason == "PART_UNAVAILABLE"
