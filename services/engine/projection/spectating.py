"""Who may look on, as the contract says it and as the engine counts it: by how many
events spectators are behind, 0 for not at all, -1 where there are none."""

from anpai.engine.v1 import table_pb2

USUALLY_BEHIND = 20
MOST_BEHIND = 200  # of the events that a table keeps for its watchers


def spectating(behind: int) -> table_pb2.Spectating.ValueType:
    if behind < 0:
        return table_pb2.SPECTATING_NONE
    return table_pb2.SPECTATING_DELAYED if behind else table_pb2.SPECTATING_OPEN


def behind_in(said: int, behind: int, *, rated: bool) -> int:
    """What is meant by this; ValueError where it means nothing."""
    if said == table_pb2.SPECTATING_UNSPECIFIED:
        said = table_pb2.SPECTATING_DELAYED if rated else table_pb2.SPECTATING_OPEN
    if said == table_pb2.SPECTATING_DELAYED and behind <= MOST_BEHIND:
        return behind or USUALLY_BEHIND
    if said == table_pb2.SPECTATING_OPEN and not behind:
        return 0
    if said == table_pb2.SPECTATING_NONE and not behind:
        return -1
    raise ValueError("no way to look on")
