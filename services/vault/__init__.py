"""The only holder of faces that nobody has turned up, of deck order, and of chance.

Why a ledger of its own: what chance gave must be the same when it is asked for again,
and another thing when the past is another. So every batch of operations is chained, and
what it gives follows from the chain's key and the batch's digest alone.
"""
