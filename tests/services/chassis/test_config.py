import base64

import pytest

from services.chassis.config import (
    ConfigError,
    EngineConfig,
    MatchmakingConfig,
    VaultConfig,
    load,
)

KEY = base64.b64encode(bytes(32)).decode()


@pytest.fixture
def environ(tmp_path):
    return {"ANPAI_KEYS": str(tmp_path), "ANPAI_MASTER_KEY": KEY}


def test_what_is_not_said_has_a_default(environ):
    config = load(EngineConfig, {**environ, "ANPAI_VAULT": "vault:8420"})

    assert config.vault == "vault:8420"
    assert config.lease_ms == 2000
    assert config.reflection is False
    assert config.advertise is None


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("ANPAI_LISTEN", "8400", 'ANPAI_LISTEN must be host:port, not "8400".'),
        ("ANPAI_LISTEN", "a:70000", 'ANPAI_LISTEN must be host:port, not "a:70000".'),
        (
            "ANPAI_OTLP_ENDPOINT",
            "collector:4317",
            "ANPAI_OTLP_ENDPOINT must be http://host:port or https://host:port, "
            'not "collector:4317".',
        ),
        ("ANPAI_LOG", "xml", 'ANPAI_LOG must be one of json, console, not "xml".'),
        ("ANPAI_REFLECTION", "2", 'ANPAI_REFLECTION must be on or off, not "2".'),
        (
            "ANPAI_KEYS",
            "/no/such",
            'ANPAI_KEYS must be an existing directory, not "/no/such".',
        ),
        (
            "ANPAI_REPLICAS",
            "-1",
            'ANPAI_REPLICAS must be a whole number, 0 or more, not "-1".',
        ),
        (
            "ANPAI_KEPT_DAYS",
            "0",
            'ANPAI_KEPT_DAYS must be 1 day or more, not "0".',
        ),
    ],
)
def test_a_bad_value_is_one_sentence_that_names_the_variable(
    environ, variable, value, sentence
):
    with pytest.raises(ConfigError) as error:
        load(VaultConfig, {**environ, variable: value})

    assert str(error.value) == sentence


def test_a_bad_secret_is_not_repeated_in_the_sentence(environ):
    for variable in ("ANPAI_MASTER_KEY", "ANPAI_REDIS_URL"):
        with pytest.raises(ConfigError) as error:
            load(VaultConfig, {**environ, variable: "hunter2"})

        assert variable in str(error.value)
        assert "hunter2" not in str(error.value)


def test_a_setting_without_default_is_asked_for():
    with pytest.raises(ConfigError, match="ANPAI_KEYS is not set"):
        load(VaultConfig, {})


def test_secrets_are_not_in_a_printed_config(environ):
    url = "redis://vault:hunter2@localhost:6379/0"
    config = load(VaultConfig, {**environ, "ANPAI_REDIS_URL": url})

    assert config.redis_url == url
    assert "hunter2" not in repr(config)
    assert repr(config.master_key) not in repr(config)


def test_the_master_key_may_come_in_a_file(environ, tmp_path):
    (tmp_path / "master").write_text(f"{KEY}\n")
    del environ["ANPAI_MASTER_KEY"]

    config = load(
        VaultConfig, {**environ, "ANPAI_MASTER_KEY_FILE": str(tmp_path / "master")}
    )

    assert config.master_key == bytes(32)


def test_the_way_to_the_store_may_come_in_a_file_with_its_password(environ, tmp_path):
    (tmp_path / "url").write_text("redis://vault:hunter2@store:6379/0\n")

    told = {**environ, "ANPAI_REDIS_URL_FILE": str(tmp_path / "url")}

    assert load(VaultConfig, told).redis_url == "redis://vault:hunter2@store:6379/0"


def test_a_secret_whose_file_is_missing_is_asked_for_by_its_variable(environ, tmp_path):
    told = {**environ, "ANPAI_REDIS_URL_FILE": str(tmp_path / "none")}

    with pytest.raises(ConfigError) as error:
        load(VaultConfig, told)

    assert str(error.value) == "ANPAI_REDIS_URL_FILE: No such file or directory."


def test_matchmaking_may_know_several_engines(environ):
    config = load(
        MatchmakingConfig, {**environ, "ANPAI_ENGINES": "a:1, dns:///engines:8410"}
    )

    assert config.engines == ("a:1", "dns:///engines:8410")


def test_matchmaking_must_know_an_engine(environ):
    with pytest.raises(ConfigError) as error:
        load(MatchmakingConfig, {**environ, "ANPAI_ENGINES": " , "})

    assert str(error.value) == 'ANPAI_ENGINES must name one at least, not " , ".'


def test_behind_an_edge_matchmaking_is_told_its_address(environ):
    told = {"ANPAI_ENGINES": "a:1", "ANPAI_EDGE": "play.example:443"}

    assert load(MatchmakingConfig, {**environ, **told}).edge == "play.example:443"
