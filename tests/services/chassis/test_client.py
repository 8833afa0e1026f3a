"""What a call to another service meant, when it did not end well."""

import grpc
import pytest
from grpc.aio import AioRpcError, Metadata
from grpc_status import rpc_status

from services.chassis.client import meaning_of
from services.chassis.errors import AnpaiError, status_of

CODE = grpc.StatusCode


def ended(code, trailing=(), details="Internal error from Core"):
    return AioRpcError(code, Metadata(), Metadata(*trailing), details)


@pytest.mark.parametrize(
    "code",
    [
        *(CODE.UNAVAILABLE, CODE.DEADLINE_EXCEEDED, CODE.CANCELLED),
        *(CODE.INTERNAL, CODE.UNKNOWN),
    ],
)
def test_a_connection_that_breaks_is_a_part_out_of_reach_however_it_looks(code):
    meaning = meaning_of(ended(code))

    assert isinstance(meaning, AnpaiError)
    assert meaning.reason == "PART_UNAVAILABLE"


def test_a_refusal_means_what_it_says():
    refusal = AnpaiError("TABLE_NOT_FOUND", "There is no such table.", table="t")
    told = rpc_status.to_status(status_of(refusal, "incident"))

    meaning = meaning_of(ended(told.code, told.trailing_metadata, told.details))

    assert (meaning.reason, meaning.metadata) == ("TABLE_NOT_FOUND", {"table": "t"})


@pytest.mark.parametrize("code", [CODE.UNIMPLEMENTED, CODE.INVALID_ARGUMENT])
def test_any_other_end_without_words_is_a_mistake_of_ours(code):
    error = ended(code)

    assert meaning_of(error) is error
