"""What a refusal means: its class by the reason, or else by the status."""

import grpc
import pytest

import anpai
from anpai.errors.v1.error_reason_pb2 import ErrorReason, Refusal
from anpai.faults import DETAILS, fault, fault_of, refused
from services.chassis.errors import AnpaiError, status_of

Code = grpc.StatusCode
PUBLIC = [
    name.removeprefix("ERROR_REASON_")
    for name, number in ErrorReason.items()
    if number and not 70 <= number < 80  # between engine and vault
]


def failed(code, details=b"", message=""):
    trailers = grpc.aio.Metadata((DETAILS, details)) if details else grpc.aio.Metadata()
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), trailers, message)


def test_a_refusal_arrives_as_it_was_meant():
    meant = AnpaiError("TOO_MANY", "Slowly.", retry_after=1.5, limit="tickets")
    details = status_of(meant, "").SerializeToString()

    told = fault_of(failed(Code.RESOURCE_EXHAUSTED, details))

    assert isinstance(told, anpai.TooMany)
    assert (told.reason, told.message) == ("TOO_MANY", "Slowly.")
    assert told.metadata == {"limit": "tickets"}
    assert told.retry_after == 1.5
    assert told.may_be_repeated


@pytest.mark.parametrize("reason", PUBLIC)
def test_every_reason_of_the_contract_has_its_class(reason):
    known = fault(Code.OK, reason, "")

    assert not isinstance(known, anpai.ServerFault) or reason == "INTERNAL"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (Code.NOT_FOUND, anpai.NotFound),
        (Code.UNAVAILABLE, anpai.Unavailable),
        (Code.FAILED_PRECONDITION, anpai.NotNow),
        (Code.CANCELLED, anpai.Unavailable),
    ],
)
def test_a_reason_of_tomorrow_is_treated_by_its_status(code, kind):
    assert isinstance(fault(code, "MOON_TOO_FULL", ""), kind)


def test_an_edge_that_fails_in_its_own_words_is_understood():
    told = fault_of(failed(Code.UNAVAILABLE, b"\xff not ours", "no healthy upstream"))

    assert isinstance(told, anpai.Unavailable)
    assert (told.reason, told.message) == ("", "no healthy upstream")


def test_a_refusal_inside_a_stream_means_the_same():
    refusal = Refusal(
        code=Code.FAILED_PRECONDITION.value[0],
        reason="ANSWER_ILLEGAL",
        message="A hero cannot be revived.",
        metadata={"rule": "medic"},
    )

    told = refused(refusal)

    assert isinstance(told, anpai.AnswerIllegal)
    assert told.code is Code.FAILED_PRECONDITION
    assert told.metadata == {"rule": "medic"}
