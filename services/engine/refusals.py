"""What a table says no with, and the one thing that is neither yes nor no."""

from services.chassis.errors import AnpaiError

# After these nobody knows what became of the attempt: take over and look.
DOUBTFUL = frozenset(
    ("PART_UNAVAILABLE", "EPOCH_REFUSED", "HEAD_REFUSED", "DISCLOSED_ALREADY")
)


class Doubt(Exception):
    """Epoch or journal may not be ours any more: take over, look, judge again."""


class OwnedElsewhere(AnpaiError):
    """TABLE_MOVING: another worker's lease lives; `address` is where it is called."""

    def __init__(self, table_id: str, address: str) -> None:
        super().__init__(
            "TABLE_MOVING",
            "The table is with another worker; resume from the last revision seen.",
            retry_after=0.2,
            table=table_id,
        )
        self.address = address


def is_doubt(error: BaseException) -> bool:
    if isinstance(error, AnpaiError):
        return error.reason in DOUBTFUL
    return isinstance(error, Doubt)


def is_fault(error: Exception) -> bool:
    """Whether the rules themselves have failed, here or on what they asked for."""
    if isinstance(error, AnpaiError):
        return error.reason == "OPERATION_REFUSED"
    return not isinstance(error, Doubt)


def moving(table_id: str) -> AnpaiError:
    return AnpaiError(
        "TABLE_MOVING",
        "The table is moving; resume from the last revision seen.",
        retry_after=0.2,
        table=table_id,
    )


def outcome_unknown(table_id: str) -> AnpaiError:
    return AnpaiError(
        "OUTCOME_UNKNOWN",
        "Nobody can say yet whether this was done; repeat it, it is done once.",
        retry_after=0.5,
        table=table_id,
    )


def not_found(table_id: str) -> AnpaiError:
    return AnpaiError("TABLE_NOT_FOUND", "There is no such table.", table=table_id)


def occupied(table_id: str, seat: int) -> AnpaiError:
    return AnpaiError(
        "SEAT_OCCUPIED",
        "Somebody plays this seat: its player, or another bot.",
        table=table_id,
        seat=str(seat),
    )


def not_seated(table_id: str) -> AnpaiError:
    return AnpaiError("NOT_SEATED", "You have no seat here.", table=table_id)


def no_spectators(table_id: str) -> AnpaiError:
    return AnpaiError(
        "NO_SPECTATORS",
        "Only those who play see this table before its end.",
        table=table_id,
    )


def ended(table_id: str) -> AnpaiError:
    return AnpaiError("TABLE_ENDED", "The game is over.", table=table_id)


def stale(table_id: str, revision: int) -> AnpaiError:
    return AnpaiError(
        "QUESTION_STALE",
        "That question is not open any more.",
        table=table_id,
        revision=str(revision),
    )


def illegal(table_id: str, rule: str, sentence: str) -> AnpaiError:
    return AnpaiError("ANSWER_ILLEGAL", sentence, table=table_id, rule=rule)


def reused(answer_id: str) -> AnpaiError:
    return AnpaiError(
        "ANSWER_ID_REUSED",
        "This answer_id was used before, for something else.",
        answer_id=answer_id,
    )


STOPPED = {
    "LEDGER_LOST": "The vault has lost what this table was dealt; it is stopped.",
    "JOURNAL_LOST": "Part of this table's journal is lost; it is stopped.",
    "REPLAY_DIVERGED": "This table's journal does not replay; it is stopped.",
    "OVER_BUDGET": "This table outgrew what one table may use; it is stopped.",
}


def stopped(table_id: str, reason: str) -> AnpaiError:
    return AnpaiError(reason, STOPPED[reason], table=table_id)
