"""What can go wrong: a class for each kind of trouble, made from the wire's reason."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError

from anpai.errors.v1.error_reason_pb2 import (
    Refusal,
    RichBadRequest,
    RichErrorInfo,
    RichStatus,
)

DETAILS = "grpc-status-details-bin"
_INFO = "/google.rpc.ErrorInfo"
_BAD = "/google.rpc.BadRequest"
_RETRY = "/google.rpc.RetryInfo"


class Violation(NamedTuple):
    """One field of a request that is to blame, and a sentence that says why."""

    field: str
    message: str


class AnpaiError(Exception):
    """Anything this SDK raises on purpose."""


class NotAsked(AnpaiError):
    """There is no question to answer now."""


class HouseClosed(AnpaiError):
    """The house was closed: it makes no calls any more, and its streams have ended."""

    def __init__(self) -> None:
        super().__init__("the house was closed")


class TicketClosed(AnpaiError):
    """A ticket closed without a seat; `because` is `cancelled`, `expired`, `absent`
    (not confirmed in time), `party_changed` or `over`."""

    def __init__(self, because: str) -> None:
        super().__init__(f"the ticket is closed: {because}")
        self.because = because


class CommitmentChanged(AnpaiError):
    """The table's commitment is not the one that came with the seat: do not play."""


class AnpaiCallError(AnpaiError):
    """A call was refused. Program against `reason`, show `message`.

    `code` is the gRPC status; `retry_after`, in seconds, is the server's advice;
    `violations` blame fields of the request one by one.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        metadata: Mapping[str, str] | None = None,
        retry_after: float | None = None,
        violations: Sequence[Violation] = (),
    ) -> None:
        super().__init__(f"{message} ({reason})" if reason else message)
        self.code = code
        self.reason = reason
        self.message = message
        self.metadata = dict(metadata or {})
        self.retry_after = retry_after
        self.violations = tuple(violations)

    @property
    def may_be_repeated(self) -> bool:
        """Whether the same call, with the same id, may succeed later."""
        if isinstance(self, Unavailable):
            return True
        return isinstance(self, TooMany) and self.retry_after is not None


class BadRequest(AnpaiCallError):
    """The request was malformed, or a field of it."""


class NotSignedIn(AnpaiCallError):
    """The token is missing, invalid or has expired: sign in (again)."""


class NotAllowed(AnpaiCallError):
    """This player may not do this; without a seat there nobody plays."""


class NotFound(AnpaiCallError):
    """No such table, game, ticket, room or party."""


class QuestionStale(AnpaiCallError):
    """The question is not open any more. Nothing was changed."""


class AnswerIllegal(AnpaiCallError):
    """The rules do not allow this answer; the message says why, for the player."""


class DeckIllegal(AnpaiCallError):
    """A deck may not be played; `violations` say what is wrong with which card."""


class TableEnded(AnpaiCallError):
    """The game is over."""


class TableStopped(AnpaiCallError):
    """The table was stopped and flagged; what it showed is not taken back."""


class RevisionAhead(AnpaiCallError):
    """We have seen more of the table than this server has."""


class NotNow(AnpaiCallError):
    """Not possible as things stand, such as a disclosure before the outcome."""


class TooMany(AnpaiCallError):
    """Too many calls. Nothing was changed."""


class Unavailable(AnpaiCallError):
    """The server is out of reach, stopping, or cannot say: repeat the same call."""


class ServerFault(AnpaiCallError):
    """A fault of the server's own; `metadata["incident"]` finds it in its log."""


_BY_REASON: dict[str, type[AnpaiCallError]] = {
    "MALFORMED_MESSAGE": BadRequest,
    "INVALID_FIELD": BadRequest,
    "MESSAGE_TOO_LONG": BadRequest,
    "TOKEN_MISSING": NotSignedIn,
    "TOKEN_INVALID": NotSignedIn,
    "TOKEN_EXPIRED": NotSignedIn,
    "TOKEN_REVOKED": NotAllowed,
    "NOT_ALLOWED": NotAllowed,
    "GUESTS_NOT_ADMITTED": NotAllowed,
    "NOT_SEATED": NotAllowed,
    "NO_SPECTATORS": NotAllowed,
    "TABLE_NOT_FOUND": NotFound,
    "GAME_NOT_FOUND": NotFound,
    "TICKET_NOT_FOUND": NotFound,
    "ROOM_NOT_FOUND": NotFound,
    "PARTY_NOT_FOUND": NotFound,
    "QUESTION_STALE": QuestionStale,
    "ANSWER_ILLEGAL": AnswerIllegal,
    "DECK_ILLEGAL": DeckIllegal,
    "ANSWER_ID_REUSED": NotNow,
    "SEAT_OCCUPIED": NotNow,
    "TABLE_ENDED": TableEnded,
    "RULES_VERSION_UNAVAILABLE": NotNow,
    "NOT_DISCLOSED": NotNow,
    "TICKET_SETTLED": NotNow,
    "READY_CHECK_OVER": NotNow,
    "IN_PARTY": NotNow,
    "PARTY_FULL": NotNow,
    "NOT_LEADER": NotNow,
    "PARTY_WAITING": NotNow,
    "TABLE_NOT_OVER": NotNow,
    "LEDGER_LOST": TableStopped,
    "JOURNAL_LOST": TableStopped,
    "REPLAY_DIVERGED": TableStopped,
    "OVER_BUDGET": TableStopped,
    "REVISION_AHEAD": RevisionAhead,
    "OUTCOME_UNKNOWN": Unavailable,
    "TABLE_MOVING": Unavailable,
    "PART_UNAVAILABLE": Unavailable,
    "TOO_MANY": TooMany,
    "INTERNAL": ServerFault,
}

# A reason this release does not know is treated by its status.
_BY_CODE: dict[grpc.StatusCode, type[AnpaiCallError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: BadRequest,
    grpc.StatusCode.UNAUTHENTICATED: NotSignedIn,
    grpc.StatusCode.PERMISSION_DENIED: NotAllowed,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.FAILED_PRECONDITION: NotNow,
    grpc.StatusCode.ABORTED: NotNow,
    grpc.StatusCode.DATA_LOSS: TableStopped,
    grpc.StatusCode.OUT_OF_RANGE: RevisionAhead,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: Unavailable,
    # What a connection that breaks in the middle of a call can look like.
    grpc.StatusCode.CANCELLED: Unavailable,
    grpc.StatusCode.INTERNAL: Unavailable,
    grpc.StatusCode.UNKNOWN: Unavailable,
    grpc.StatusCode.RESOURCE_EXHAUSTED: TooMany,
}

_CODES: dict[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}


def fault(
    code: grpc.StatusCode,
    reason: str,
    message: str,
    metadata: Mapping[str, str] | None = None,
    retry_after: float | None = None,
    violations: Sequence[Violation] = (),
) -> AnpaiCallError:
    """The error of the class that belongs to this reason, or else to this status."""
    kind = _BY_REASON.get(reason) or _BY_CODE.get(code, ServerFault)
    return kind(code, reason, message, metadata, retry_after, violations)


def fault_of(error: grpc.aio.AioRpcError) -> AnpaiCallError:
    """What a failed call meant."""
    status = _rich_status(error)
    reason, metadata, wait, blamed = "", {}, None, RichBadRequest()
    for detail in status.details:
        if detail.type_url.endswith(_INFO):
            info = RichErrorInfo.FromString(detail.value)
            reason, metadata = info.reason, dict(info.metadata)
        elif detail.type_url.endswith(_BAD):
            blamed = RichBadRequest.FromString(detail.value)
        elif detail.type_url.endswith(_RETRY):
            wait = _retry_seconds(detail.value)
    message = status.message or error.details() or error.code().name
    violations = [Violation(v.field, v.description) for v in blamed.field_violations]
    return fault(error.code(), reason, message, metadata, wait, violations)


def refused(refusal: Refusal) -> AnpaiCallError:
    """What a refusal inside a stream meant."""
    code = _CODES.get(refusal.code, grpc.StatusCode.UNKNOWN)
    wait = 1.0 if refusal.reason == "TOO_MANY" else None  # it names no time itself
    return fault(code, refusal.reason, refusal.message, refusal.metadata, wait)


def _rich_status(error: grpc.aio.AioRpcError) -> RichStatus:
    trailers: Any = error.trailing_metadata() or ()
    for key, value in trailers:
        if key == DETAILS:
            try:
                return RichStatus.FromString(value)
            except DecodeError:  # an edge's own, not ours
                break
    return RichStatus()


def _retry_seconds(retry_info: bytes) -> float | None:
    """`google.rpc.RetryInfo` is one short field: a tag, a length, a Duration."""
    try:
        return Duration.FromString(retry_info[2:]).ToMilliseconds() / 1000
    except DecodeError:
        return None
