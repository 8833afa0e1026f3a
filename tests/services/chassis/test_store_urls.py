"""Where a store is, in one line."""

import base64

import pytest
from redis.asyncio.connection import SSLConnection

from services.chassis.config import ConfigError, VaultConfig, load
from services.chassis.store_urls import Host, Kind, StoreUrl
from services.chassis.stores.primaries import apart

KEY = base64.b64encode(bytes(32)).decode()


def test_a_single_store_is_named_as_ever():
    url = StoreUrl.parse("redis://vault:pa%40ss@store:6380/3")

    assert url.kind is Kind.ONE
    assert url.options == {
        "host": "store",
        "port": 6380,
        "db": 3,
        "username": "vault",
        "password": "pa@ss",
    }


def test_sentinels_are_named_with_the_group_they_watch():
    url = StoreUrl.parse("redis+sentinel://vault:word@one:26380,two/anpai/1")

    assert (url.kind, url.service) == (Kind.SENTINEL, "anpai")
    assert url.hosts == (Host("one", 26380), Host("two", 26379))
    assert url.options == {"username": "vault", "password": "word", "db": 1}


def test_sentinels_may_want_a_user_of_their_own():
    text = "rediss+sentinel://vault:word@one/anpai?sentinel_password=w&ssl_ca_certs=ca"

    store, sentinels = apart(StoreUrl.parse(text).options)

    shared = {"connection_class": SSLConnection, "ssl_ca_certs": "ca"}
    assert store == {**shared, "username": "vault", "password": "word", "db": 0}
    assert sentinels == {**shared, "password": "w"}


def test_a_cluster_is_named_by_some_of_its_nodes():
    url = StoreUrl.parse("rediss+cluster://vault:word@[::1]:7000,two?ssl_ca_certs=ca")

    assert url.kind is Kind.CLUSTER
    assert url.hosts == (Host("::1", 7000), Host("two", 6379))
    assert url.options["connection_class"] is SSLConnection
    assert url.options["ssl_ca_certs"] == "ca"


def test_it_is_shown_without_its_password():
    url = StoreUrl.parse("redis+sentinel://vault:hunter2@one,two/anpai")

    assert url.shown == "redis+sentinel://one,two/anpai"
    assert "hunter2" not in repr(url)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("http://hunter2", "must begin with redis://, rediss://, unix://, "),
        ("redis://hunter2:70000", "must look like redis://"),
        ("redis+sentinel://hunter2", "must look like redis+sentinel://"),
        ("redis+sentinel://one:hunter2/anpai", "must look like redis+sentinel://"),
        ("redis+sentinel://one/anpai/hunter2", "must look like redis+sentinel://"),
        ("redis+cluster://one,,hunter2", "must look like redis+cluster://"),
        ("redis+cluster://hunter2/1", "must look like redis+cluster://"),
        ("redis://user:1#hunter2@one", "must look like redis://"),
        ("redis://user:1/hunter2@one", "must look like redis://"),
    ],
)
def test_a_bad_one_is_a_sentence_that_does_not_repeat_it(tmp_path, text, sentence):
    told = {"ANPAI_KEYS": str(tmp_path), "ANPAI_REDIS_URL": text}

    with pytest.raises(ConfigError) as error:
        load(VaultConfig, {**told, "ANPAI_MASTER_KEY": KEY})

    assert str(error.value).startswith(f"ANPAI_REDIS_URL {sentence}")
    assert "hunter2" not in str(error.value)
