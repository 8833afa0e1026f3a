"""What a worker remembers of tables that it had to let go."""

from services.engine.past import Former, Given, Past, packed, unpacked
from tests.services.engine.games import a_game

ENTRIES = a_game(steps=12).entries
MANY = 1000


def a_past(entries=10):
    return Past(list(ENTRIES[:entries]))


def written(past):
    return [entry.text() for entry in past.entries], past.answers, past.sealed


def known(former, *names):
    return [name for name in names if former.of(name) is not None]


def test_all_tables_that_a_failover_takes_at_once_are_remembered():
    former, pasts = Former(), [a_past() for _ in range(MANY)]
    for number, past in enumerate(pasts):
        former.keep(f"t-{number}", past)

    remembered = [former.of(f"t-{number}") for number in range(MANY)]
    assert list(map(written, remembered)) == list(map(written, pasts))


def test_what_the_journal_does_not_say_is_remembered_too():
    past = a_past()
    past.answers[1, "a-secret"] = Given("q-1", ("keep", "none"), 7)
    past.sealed[9] = ("keep", "none")

    assert written(unpacked(packed(past))) == written(past)


def test_of_too_many_entries_those_lost_longest_ago_are_forgotten():
    former = Former(most=25)
    for name in ("first", "second", "third"):
        former.keep(name, a_past())

    assert known(former, "first", "second", "third") == ["second", "third"]


def test_a_table_lost_again_is_remembered_as_it_was_then():
    former, again = Former(most=25), a_past(8)
    for name, past in (("t-1", a_past()), ("t-2", a_past()), ("t-1", again)):
        former.keep(name, past)

    former.keep("t-3", a_past(7))

    assert written(former.of("t-1")) == written(again)
    assert former.of("t-2") is not None


def test_what_is_here_again_takes_no_room_even_if_it_grew_meanwhile():
    former = Former(most=25)
    for _ in range(10):
        past = a_past()
        former.keep("t-1", past)
        past.entries.append(ENTRIES[10])
        former.forget("t-1")
    assert former.of("t-1") is None

    for name in ("t-2", "t-3", "t-4"):
        former.keep(name, a_past())

    assert known(former, "t-2", "t-3", "t-4") == ["t-3", "t-4"]


def test_the_last_one_is_remembered_however_long_it_is():
    former, long = Former(most=5), a_past()
    former.keep("t-1", a_past())
    former.keep("t-2", long)

    assert written(former.of("t-2")) == written(long)
    assert former.of("t-1") is None
