"""What a seat sees at a local table: the very view the engine would send it."""

from anpai.engine.v1.table_pb2 import View
from services.engine.projection import Viewer, view_for
from services.local.table import LocalTable


def view_of(table: LocalTable, viewer: Viewer) -> View:
    """The table as a seat may see it now; None for the public."""
    return view_for(table.play, viewer)
