"""The one thing the pure vault says no with."""


class OperationRefused(Exception):
    """An operation that cannot be done. Its text names decks and handles, no face."""

    reason = "OPERATION_REFUSED"
