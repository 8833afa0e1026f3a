"""Environment -> one frozen config per service.

A bad value is one sentence that names the variable; `run` in server.py exits with 2.
"""

import base64
import dataclasses
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from services.chassis.store_urls import StoreUrl

C = TypeVar("C", bound="ServiceConfig")

# Secrets: each may be set as NAME_FILE, the path of a file that holds it.
IN_FILES = ("ANPAI_REDIS_URL", "ANPAI_MASTER_KEY")


class ConfigError(Exception):
    """A sentence for the operator."""


# ---- what a value may be -------------------------------------------------------------


def address(text: str) -> str:
    """`host:port`, port 0 for any free one."""
    host, colon, port = text.rpartition(":")
    if not (host and colon and port.isdecimal() and int(port) < 65536):
        raise ValueError("must be host:port")
    return text


def target(text: str) -> str:
    """What a client dials: `host:port` or any name gRPC resolves (dns:///…, unix:…)."""
    return text if re.match(r"[a-z]+:", text) else address(text)


def targets(text: str) -> tuple[str, ...]:
    found = tuple(target(part.strip()) for part in text.split(",") if part.strip())
    if not found:
        raise ValueError("must name one at least")
    return found


def redis_url(text: str) -> str:
    StoreUrl.parse(text)
    return text


def collector(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be http://host:port or https://host:port")
    return text


def switch(text: str) -> bool:
    words = {"on": True, "off": False, "true": True, "false": False}
    if text.lower() not in words:
        raise ValueError("must be on or off")
    return words[text.lower()]


def one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return text

    return parse


def count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError("must be a whole number, 0 or more")
    return int(text)


def days(text: str) -> int:
    if count(text) < 1:
        raise ValueError("must be 1 day or more")
    return int(text)


def master_key(text: str) -> bytes:
    """The first of them is the one that seals."""
    return key_of_32(text.partition("\n")[0].partition(" ")[0])


def old_master_keys(text: str) -> tuple[bytes, ...]:
    """Those after the first: what they have sealed opens still."""
    return tuple(key_of_32(one) for one in text.split()[1:])


def key_of_32(text: str) -> bytes:
    try:
        key = base64.b64decode(text, validate=True)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise ValueError("must be 32 bytes in base64")
    return key


def file(text: str) -> Path:
    if not Path(text).is_file():
        raise ValueError("must be an existing file")
    return Path(text)


def key_set(text: str) -> str:
    if not (text.startswith("https://") or Path(text).is_file()):
        raise ValueError("must be an existing file or begin with https://")
    return text


def folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise ValueError("must be an existing directory")
    return Path(text)


# ---- the configs ---------------------------------------------------------------------


def setting(
    variable: str,
    parse: Callable[[str], Any],
    default: Any = dataclasses.MISSING,
    secret: bool = False,
) -> Any:
    known = {"variable": variable, "parse": parse}
    return field(default=default, repr=not secret, metadata=known)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceConfig:
    """What every service is told."""

    listen: str = setting("ANPAI_LISTEN", address, "127.0.0.1:8400")
    metrics_listen: str = setting("ANPAI_METRICS_LISTEN", address, "127.0.0.1:8401")
    address_file: Path | None = setting("ANPAI_ADDRESS_FILE", Path, None)
    redis_url: str = setting(
        "ANPAI_REDIS_URL", redis_url, "redis://127.0.0.1:6379/0", secret=True
    )
    replicas: int = setting("ANPAI_REPLICAS", count, 0)
    keys: Path = setting("ANPAI_KEYS", folder)
    player_rate: int = setting("ANPAI_PLAYER_RATE", count, 200)
    address_rate: int = setting("ANPAI_ADDRESS_RATE", count, 1000)
    player_streams: int = setting("ANPAI_PLAYER_STREAMS", count, 100)
    edges: int = setting("ANPAI_EDGES", count, 0)
    tls_cert: Path | None = setting("ANPAI_TLS_CERT", file, None)
    tls_key: Path | None = setting("ANPAI_TLS_KEY", file, None)
    tls_ca: Path | None = setting("ANPAI_TLS_CA", file, None)
    tls_name: str | None = setting("ANPAI_TLS_NAME", str, None)
    tls_clients: bool = setting("ANPAI_TLS_CLIENTS", switch, False)
    reflection: bool = setting("ANPAI_REFLECTION", switch, False)
    log: str = setting("ANPAI_LOG", one_of("json", "console"), "json")
    log_level: str = setting(
        "ANPAI_LOG_LEVEL", one_of("debug", "info", "warning", "error"), "info"
    )
    drain_ms: int = setting("ANPAI_DRAIN_MS", count, 0)
    otlp_endpoint: str | None = setting("ANPAI_OTLP_ENDPOINT", collector, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchmakingConfig(ServiceConfig):
    engines: tuple[str, ...] = setting("ANPAI_ENGINES", targets)
    audit: str = setting("ANPAI_AUDIT", target, "127.0.0.1:8420")
    edge: str | None = setting("ANPAI_EDGE", target, None)
    guests: bool = setting("ANPAI_GUESTS", switch, True)
    sign_in_issuer: str | None = setting("ANPAI_SIGN_IN_ISSUER", str, None)
    sign_in_audience: str | None = setting("ANPAI_SIGN_IN_AUDIENCE", str, None)
    sign_in_keys: str | None = setting("ANPAI_SIGN_IN_KEYS", key_set, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig(ServiceConfig):
    listen: str = setting("ANPAI_LISTEN", address, "127.0.0.1:8410")
    metrics_listen: str = setting("ANPAI_METRICS_LISTEN", address, "127.0.0.1:8411")
    vault: str = setting("ANPAI_VAULT", target)
    advertise: str | None = setting("ANPAI_ADVERTISE", target, None)
    lease_ms: int = setting("ANPAI_LEASE_MS", count, 2000)
    seat_wait: int = setting("ANPAI_SEAT_WAIT", count, 120)
    absent: int | None = setting("ANPAI_ABSENT", count, None)
    forsaken: int = setting("ANPAI_FORSAKEN", count, 300)
    worker: str | None = setting("ANPAI_WORKER", str, None)
    kept_days: int = setting("ANPAI_KEPT_DAYS", days, 30)
    stopped_days: int = setting("ANPAI_STOPPED_DAYS", days, 90)


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultConfig(ServiceConfig):
    listen: str = setting("ANPAI_LISTEN", address, "127.0.0.1:8420")
    metrics_listen: str = setting("ANPAI_METRICS_LISTEN", address, "127.0.0.1:8421")
    master_key: bytes = setting("ANPAI_MASTER_KEY", master_key, secret=True)
    old_master_keys: tuple[bytes, ...] = setting(
        "ANPAI_MASTER_KEY", old_master_keys, (), secret=True
    )
    kept_days: int = setting("ANPAI_KEPT_DAYS", days, 30)
    stopped_days: int = setting("ANPAI_STOPPED_DAYS", days, 90)
    exports: Path | None = setting("ANPAI_EXPORTS", folder, None)


def load(kind: type[C], environ: Mapping[str, str] = os.environ) -> C:
    """Read every setting of this kind, or raise ConfigError for the first bad one."""
    values = with_files(environ)
    return kind(
        **{
            known.name: read(known, values)
            for known in dataclasses.fields(kind)
            if known.metadata["variable"] in values
            or known.default is dataclasses.MISSING
        }
    )


def read(known: "dataclasses.Field[Any]", values: Mapping[str, str]) -> Any:
    variable = known.metadata["variable"]
    if variable not in values:
        raise ConfigError(f"{variable} is not set, and {known.name} has no default.")
    try:
        return known.metadata["parse"](values[variable])
    except ValueError as error:
        shown = f', not "{values[variable]}"' if known.repr else ""
        raise ConfigError(f"{variable} {error}{shown}.") from None


def with_files(environ: Mapping[str, str]) -> dict[str, str]:
    """A secret may come in a file, as orchestrators mount them."""
    values = {name: text for name, text in environ.items() if text}
    for name in IN_FILES:
        path = values.get(f"{name}_FILE")
        if path and name not in values:
            values[name] = content_of(f"{name}_FILE", Path(path))
    return values


def content_of(variable: str, path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError as error:
        raise ConfigError(f"{variable}: {error.strerror}.") from None
