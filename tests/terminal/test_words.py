"""One table of sentences, in two languages that say the same."""

from string import Formatter

import pytest

from clients.terminal.words import TABLE, Words, language_of_locale


def values_in(sentence):
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("key", TABLE)
def test_both_languages_are_filled_from_the_same_values(key):
    english, chinese = TABLE[key]
    assert values_in(english) == values_in(chinese)


def test_names_are_listed_as_each_language_does():
    assert Words("en").listed(["Anna", "Ben", "Cem"]) == "Anna, Ben and Cem"
    assert Words("zh").listed(["Anna", "Ben", "Cem"]) == "Anna、Ben和Cem"
    assert Words("en").listed([]) == ""


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_MESSAGES": "zh_TW.UTF-8", "LANG": "C"}, "zh"),
        ({"LANG": "C"}, "en"),
    ],
)
def test_the_language_is_that_of_the_locale(environ, language, monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert language_of_locale() == language
