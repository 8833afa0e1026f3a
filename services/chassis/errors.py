"""Domain error -> gRPC status with ErrorInfo: one table, read top to bottom.

Rules and stores raise what they mean; nobody else translates. An error is a refusal
when it carries a `reason` of this table (the kernel's own do, without knowing gRPC).
Everything else is ours: logged once, and told to the caller by an incident id only.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

from anpai.errors.v1 import error_reason_pb2

DOMAIN = "anpai"
# Of what a caller has sent so much is told him again: a trailer has no room for more.
LONGEST_VALUE = 500

_Code = grpc.StatusCode

STATUS: dict[str, grpc.StatusCode] = {
    # The call itself.
    "MALFORMED_MESSAGE": _Code.INVALID_ARGUMENT,
    "INVALID_FIELD": _Code.INVALID_ARGUMENT,
    "MESSAGE_TOO_LONG": _Code.INVALID_ARGUMENT,
    # Who calls.
    "TOKEN_MISSING": _Code.UNAUTHENTICATED,
    "TOKEN_INVALID": _Code.UNAUTHENTICATED,
    "TOKEN_EXPIRED": _Code.UNAUTHENTICATED,
    "TOKEN_REVOKED": _Code.UNAUTHENTICATED,
    "NOT_ALLOWED": _Code.PERMISSION_DENIED,
    "GUESTS_NOT_ADMITTED": _Code.PERMISSION_DENIED,
    "NOT_SEATED": _Code.PERMISSION_DENIED,
    "NO_SPECTATORS": _Code.PERMISSION_DENIED,
    # What is not there.
    "TABLE_NOT_FOUND": _Code.NOT_FOUND,
    "GAME_NOT_FOUND": _Code.NOT_FOUND,
    "TICKET_NOT_FOUND": _Code.NOT_FOUND,
    "ROOM_NOT_FOUND": _Code.NOT_FOUND,
    "PARTY_NOT_FOUND": _Code.NOT_FOUND,
    # What cannot be done now.
    "QUESTION_STALE": _Code.ABORTED,
    "ANSWER_ILLEGAL": _Code.FAILED_PRECONDITION,
    "ANSWER_ID_REUSED": _Code.FAILED_PRECONDITION,
    "SEAT_OCCUPIED": _Code.FAILED_PRECONDITION,
    "TABLE_ENDED": _Code.FAILED_PRECONDITION,
    "RULES_VERSION_UNAVAILABLE": _Code.FAILED_PRECONDITION,
    "NOT_DISCLOSED": _Code.FAILED_PRECONDITION,
    "TICKET_SETTLED": _Code.FAILED_PRECONDITION,
    "DECK_ILLEGAL": _Code.FAILED_PRECONDITION,
    "READY_CHECK_OVER": _Code.FAILED_PRECONDITION,
    "IN_PARTY": _Code.FAILED_PRECONDITION,
    "PARTY_FULL": _Code.FAILED_PRECONDITION,
    "NOT_LEADER": _Code.FAILED_PRECONDITION,
    "PARTY_WAITING": _Code.FAILED_PRECONDITION,
    "TABLE_NOT_OVER": _Code.FAILED_PRECONDITION,
    # A table that is stopped.
    "LEDGER_LOST": _Code.DATA_LOSS,
    "JOURNAL_LOST": _Code.DATA_LOSS,
    "REPLAY_DIVERGED": _Code.DATA_LOSS,
    "OVER_BUDGET": _Code.RESOURCE_EXHAUSTED,
    "REVISION_AHEAD": _Code.OUT_OF_RANGE,
    # Try again.
    "OUTCOME_UNKNOWN": _Code.UNAVAILABLE,
    "TABLE_MOVING": _Code.UNAVAILABLE,
    "PART_UNAVAILABLE": _Code.UNAVAILABLE,
    "TOO_MANY": _Code.RESOURCE_EXHAUSTED,
    # Between engine and vault.
    "EPOCH_REFUSED": _Code.ABORTED,
    "HEAD_REFUSED": _Code.ABORTED,
    "DISCLOSED_ALREADY": _Code.FAILED_PRECONDITION,
    "OPERATION_REFUSED": _Code.FAILED_PRECONDITION,
    # Ours.
    "INTERNAL": _Code.INTERNAL,
}


class Violation(NamedTuple):
    """One field of a request that is to blame, and why."""

    field: str
    sentence: str


class AnpaiError(Exception):
    """A refusal: a reason of `ErrorReason`, and a sentence for the person who reads it.

    `retry_after` is in seconds. `violations` blame fields of the request one by one.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        /,
        *,
        retry_after: float | None = None,
        violations: Sequence[Violation] = (),
        **metadata: str,
    ):
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata: dict[str, str] = metadata
        self.retry_after = retry_after
        self.violations = tuple(violations)


def invalid(field: str, allowed: str | Sequence[str]) -> AnpaiError:
    """INVALID_FIELD. What the field must be, in words or one of these; "" for empty."""
    is_list = not isinstance(allowed, str)
    words = ", ".join(allowed) if is_list else str(allowed)
    which = f"one of: {words}" if is_list and words else words or "empty"
    sentence = f"{field} must be {which}."
    return AnpaiError("INVALID_FIELD", sentence, field=field, allowed=words)


def is_refusal(error: BaseException) -> bool:
    reason = getattr(error, "reason", None)
    return isinstance(reason, str) and reason in STATUS


def code_of(error: BaseException) -> grpc.StatusCode:
    return STATUS[getattr(error, "reason", "INTERNAL")]


def told(error: BaseException, incident: str) -> Any:
    """What the caller may hear of it: of an error of ours only the incident id."""
    if is_refusal(error):
        return error
    message = f"Something went wrong on our side. Incident {incident}."
    return AnpaiError("INTERNAL", message, incident=incident)


def status_of(error: BaseException, incident: str) -> status_pb2.Status:
    """The wire form of a call that failed."""
    refusal = told(error, incident)
    return status_pb2.Status(
        code=code_of(refusal).value[0],
        message=str(refusal),
        details=[packed(detail) for detail in details_of(refusal)],
    )


def refusal_of(error: BaseException, incident: str) -> error_reason_pb2.Refusal:
    """The wire form of a failure inside a stream that goes on."""
    refusal = told(error, incident)
    return error_reason_pb2.Refusal(
        code=code_of(refusal).value[0],
        reason=refusal.reason,
        message=str(refusal),
        metadata=metadata_of(refusal),
    )


def metadata_of(refusal: Any) -> dict[str, str]:
    told = getattr(refusal, "metadata", {})
    return {name: text[:LONGEST_VALUE] for name, text in told.items()}


def details_of(refusal: Any) -> list[Any]:
    info = error_details_pb2.ErrorInfo(
        reason=refusal.reason, domain=DOMAIN, metadata=metadata_of(refusal)
    )
    details: list[Any] = [info]
    if blamed := getattr(refusal, "violations", ()):
        details.append(bad_request(blamed))
    if (wait := getattr(refusal, "retry_after", None)) is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(wait * 1000))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    return details


def bad_request(violations: Sequence[Violation]) -> error_details_pb2.BadRequest:
    told = error_details_pb2.BadRequest()
    for field, sentence in violations:
        told.field_violations.add(field=field, description=sentence)
    return told


def packed(detail: Any) -> any_pb2.Any:
    wrapped = any_pb2.Any()
    wrapped.Pack(detail)
    return wrapped


def refusal_in(status: status_pb2.Status) -> AnpaiError | None:
    """The refusal another of our services has sent, or None for any other status."""
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    blamed = error_details_pb2.BadRequest()
    found, wait = False, None
    for detail in status.details:
        found = found or detail.Unpack(info)
        detail.Unpack(blamed)
        if detail.Unpack(retry):
            wait = retry.retry_delay.ToMilliseconds() / 1000
    if not found or info.domain != DOMAIN or info.reason not in STATUS:
        return None
    violations = [Violation(v.field, v.description) for v in blamed.field_violations]
    return AnpaiError(
        info.reason,
        status.message,
        retry_after=wait,
        violations=violations,
        **dict(info.metadata),
    )
