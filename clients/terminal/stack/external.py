"""A store that exists: one, a group that Sentinels watch, or a cluster."""

import os
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from clients.terminal.stack.folder import StackTrouble

OLDEST = (6, 2)
SENTINEL_PORT = 26379
PATIENCE = 3


def external_url() -> str:
    """The store the operator named, or nothing."""
    return os.environ.get("ANPAI_REDIS_URL", "")


def check_external() -> str:
    """What the operator's store is, or StackTrouble if it cannot serve."""
    url = external_url()
    try:
        with client(one_of(url)) as store:
            told = store.info("server")
    except (redis.RedisError, OSError, ValueError) as error:
        told = {"url": shown(url), "reason": error}
        raise StackTrouble("stack.store_away", **told) from None
    version = str(told["redis_version"])
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise StackTrouble("stack.store_old", url=shown(url), version=version)
    return f"{shown(url)} ({version})"


def one_of(text: str) -> str:
    """The URL of the store, of a cluster's first node, or of who leads a group now."""
    url = urlsplit(text)
    scheme, _, group = url.scheme.partition("+")
    if not group:
        return text
    user, at, netloc = url.netloc.rpartition("@")
    host, path = netloc.partition(",")[0], url.path
    if group == "sentinel":
        service, _, db = path.strip("/").partition("/")
        host, path = leader_of(service, netloc.split(",")), f"/{db}"
    return url._replace(scheme=scheme, netloc=f"{user}{at}{host}", path=path).geturl()


def leader_of(service: str, sentinels: list[str]) -> str:
    """As the first Sentinel tells it that knows the group."""
    for sentinel in sentinels:
        port = "" if ":" in sentinel else f":{SENTINEL_PORT}"
        with client(f"redis://{sentinel}{port}") as asked:
            if found := asked.sentinel_get_master_addr_by_name(service):
                name, number = found
                return f"{name.decode()}:{number}"
    raise ValueError(f"no Sentinel knows {service}")


def client(url: str) -> "redis.Redis":
    once = Retry(NoBackoff(), 0)
    return redis.Redis.from_url(url, socket_connect_timeout=PATIENCE, retry=once)


def shown(url: str) -> str:
    """A URL without its password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
