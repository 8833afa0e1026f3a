"""The store of a service: scripts called in groups, at the node that has their keys."""

from services.chassis.store_urls import StoreUrl
from services.chassis.stores.calls import Argument, Script, StoreUnavailable
from services.chassis.stores.opening import (
    Store,
    StoreUnreachable,
    open_store,
    patiently,
    primaries_at,
)
from services.chassis.stores.pipeline import Pipeline

__all__ = [
    "Argument",
    "Pipeline",
    "Script",
    "Store",
    "StoreUnavailable",
    "StoreUnreachable",
    "StoreUrl",
    "open_store",
    "patiently",
    "primaries_at",
]
