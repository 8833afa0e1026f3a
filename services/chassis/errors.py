"""Domain error -> gRPC status with ErrorInfo: one table, read top to bottom.

Rules and stores raise what they mean; nobody else translates. An error is a refusal
when it carries a `reason` of this table (the kernel's own do, without knowing gRPC).
Everything else is ours: logged once, and told to the caller by an incident id only.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

DOMAIN = "anpai"

_Code = grpc.StatusCode

STATUS: dict[str, grpc.StatusCode] = {
    "MALFORMED_MESSAGE": _Code.INVALID_ARGUMENT,
    "TOKEN_MISSING": _Code.UNAUTHENTICATED,
    "TOKEN_INVALID": _Code.UNAUTHENTICATED,
    "TOKEN_EXPIRED": _Code.UNAUTHENTICATED,
    "NOT_ALLOWED": _Code.PERMISSION_DENIED,
    "STORE_UNAVAILABLE": _Code.UNAVAILABLE,
    "SERVICE_UNAVAILABLE": _Code.UNAVAILABLE,
    "INTERNAL": _Code.INTERNAL,
}


class Refusal(Protocol):
    """What an error must have to be told to the caller."""

    reason: str
    metadata: Mapping[str, str]
    retry_after: float | None


class AnpaiError(Exception):
    """A refusal: a reason of `ErrorReason`, and a sentence for the person who reads it.

    `retry_after` is in seconds.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        retry_after: float | None = None,
        **metadata: str,
    ):
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata = metadata
        self.retry_after = retry_after


def is_refusal(error: BaseException) -> bool:
    reason = getattr(error, "reason", None)
    return isinstance(reason, str) and reason in STATUS


def code_of(error: BaseException) -> grpc.StatusCode:
    return STATUS[getattr(error, "reason", "INTERNAL")]


def status_of(error: BaseException, incident: str) -> status_pb2.Status:
    """The wire form. Of an error of ours only the incident id is told."""
    if not is_refusal(error):
        message = f"Something went wrong on our side. Incident {incident}."
        error = AnpaiError("INTERNAL", message, incident=incident)
    return status_pb2.Status(
        code=code_of(error).value[0],
        message=str(error),
        details=[packed(detail) for detail in details_of(error)],
    )


def details_of(error: Any) -> list[Any]:
    metadata = dict(getattr(error, "metadata", {}))
    info = error_details_pb2.ErrorInfo(
        reason=error.reason, domain=DOMAIN, metadata=metadata
    )
    wait = getattr(error, "retry_after", None)
    if wait is None:
        return [info]
    delay = duration_pb2.Duration()
    delay.FromMilliseconds(round(wait * 1000))
    return [info, error_details_pb2.RetryInfo(retry_delay=delay)]


def packed(detail: Any) -> any_pb2.Any:
    wrapped = any_pb2.Any()
    wrapped.Pack(detail)
    return wrapped


def refusal_in(status: status_pb2.Status) -> AnpaiError | None:
    """The refusal another of our services has sent, or None for any other status."""
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    found, wait = False, None
    for detail in status.details:
        found = found or detail.Unpack(info)
        if detail.Unpack(retry):
            wait = retry.retry_delay.ToMilliseconds() / 1000
    if not found or info.domain != DOMAIN or info.reason not in STATUS:
        return None
    error = AnpaiError(info.reason, status.message, retry_after=wait)
    error.metadata = dict(info.metadata)
    return error
