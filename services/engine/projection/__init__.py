"""What one viewer may see: views and events, built up from sight, never stripped down.

A viewer is a seat, or None for the public. A field is set only where the event or the
table says that this viewer is among its seers; whatever nobody thought of stays absent.
Pure: the same event, viewer and revision give the same bytes.
"""

from services.engine.projection.events import event_for, eyes_for
from services.engine.projection.nouns import Viewer
from services.engine.projection.views import view_for

__all__ = ["Viewer", "event_for", "eyes_for", "view_for"]
