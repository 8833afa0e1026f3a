"""Where a store is: one of its own, one that Sentinels watch, or a cluster."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from redis.asyncio.connection import parse_url

SENTINEL_PORT = 26379
CLUSTER_PORT = 6379


class Kind(StrEnum):
    """How the primary is found."""

    ONE = "one"
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


SCHEMES = {
    "redis": Kind.ONE,
    "rediss": Kind.ONE,
    "unix": Kind.ONE,
    "redis+sentinel": Kind.SENTINEL,
    "rediss+sentinel": Kind.SENTINEL,
    "redis+cluster": Kind.CLUSTER,
    "rediss+cluster": Kind.CLUSTER,
}

FORMS = {
    Kind.ONE: "redis://[user:password@]host[:port][/db]",
    Kind.SENTINEL: "redis+sentinel://[user:password@]host[:port],host…/service[/db]",
    Kind.CLUSTER: "redis+cluster://[user:password@]host[:port],host…",
}


class Host(NamedTuple):
    """Of a store, of a Sentinel, or of a cluster's node."""

    name: str
    port: int

    def __str__(self) -> str:
        return f"{self.name}:{self.port}"


@dataclass(frozen=True, slots=True)
class StoreUrl:
    """`options` are redis-py's, for a connection to the store; they have a secret."""

    kind: Kind
    hosts: tuple[Host, ...]
    service: str
    options: Mapping[str, Any] = field(repr=False)
    shown: str

    @classmethod
    def parse(cls, text: str) -> "StoreUrl":
        """ValueError says how such a URL looks, never how this one does."""
        kind = SCHEMES.get(text.partition("://")[0])
        if kind is None:
            raise ValueError(f"must begin with {', '.join(s + '://' for s in SCHEMES)}")
        try:
            return cls._of(kind, text)
        except ValueError:
            raise ValueError(f"must look like {FORMS[kind]}") from None

    @classmethod
    def _of(cls, kind: Kind, text: str) -> "StoreUrl":
        parts = urlsplit(text)
        if is_torn(parts):
            raise ValueError(text)
        shown = without_password(text)
        if kind is Kind.ONE:
            return cls(kind, (), "", parse_url(text), shown)
        user, at, netloc = parts.netloc.rpartition("@")
        service, db = service_and_db(kind, parts.path)
        port = SENTINEL_PORT if kind is Kind.SENTINEL else CLUSTER_PORT
        hosts = tuple(host_in(each, port) for each in netloc.split(","))
        scheme = parts.scheme.partition("+")[0]
        options: dict[str, Any] = {
            **parse_url(f"{scheme}://{user}{at}store/{db}?{parts.query}")
        }
        del options["host"]
        return cls(kind, hosts, service, options, shown)


def service_and_db(kind: Kind, path: str) -> tuple[str, int]:
    service, _, db = path.strip("/").partition("/")
    if (kind is Kind.SENTINEL) != bool(service) or not (db or "0").isdecimal():
        raise ValueError(path)
    return service, int(db or 0)


def host_in(text: str, port: int) -> Host:
    """`name`, `name:port`, `[::1]:port`."""
    found = re.fullmatch(r"(\[[^\]]+\]|[^\[\]:]+)(?::(\d{1,5}))?", text.strip())
    if found is None:
        raise ValueError(text)
    return Host(found[1].strip("[]"), int(found[2] or port))


def is_torn(parts: SplitResult) -> bool:
    """Whether a password with a `/` or `#` of its own, not written as %2F or %23, has
    been cut in two: the rest of it would be shown."""
    return bool(parts.fragment) or ("@" in parts.path and parts.scheme != "unix")


def without_password(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host, query="").geturl()
