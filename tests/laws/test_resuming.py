"""A table rebuilt at any step from its journal and ledger goes on to the same end."""

import random

from hypothesis import given
from hypothesis import strategies as st

from services.engine.kernel.entry import Entry, Opening
from services.engine.kernel.play import Play, redraft
from services.engine.kernel.written import written
from services.local.table import seed_of
from services.vault.chain import veil_of
from tests.laws.examples import examples
from tests.laws.playing import played


def rebuilt(table, texts):
    """A `Play` made of nothing but what journal and ledger keep."""
    opening = table.play.opening
    veil = veil_of(seed_of(table.seed))
    play = Play(table.play.game, Opening(**vars_of(opening)), veil)
    records = iter(table.ledger)
    for text in texts:
        entry = Entry.read(text)
        run(play, entry, records)
    return play, records


def vars_of(opening):
    return {name: getattr(opening, name) for name in opening.__slots__}


def run(play, entry, records):
    """Replay an entry; the ledger gives the results, and a sealed choice first."""
    record, sealed = None, None
    if entry.is_sealed:
        record = next(records)
        sealed = tuple(record.operations[0][1])
    steps, results = play.apply(redraft(entry, sealed)), None
    try:
        while True:
            batch = steps.send(results)
            record = record or next(records)
            assert (record.digest, record.operations) == (
                batch.digest,
                batch.operations,
            )
            results, record = record.results, None
    except StopIteration as end:
        made = end.value
    assert made == entry


@examples(10)
@given(seed=st.integers(0, 2**32), share=st.floats(0, 1))
def test_t26_a_crash_at_any_step_changes_nothing(case, seed, share):
    table = case.table(seed)
    played(table, random.Random(seed), lateness=0.1, despair=0.002)
    texts = [entry.text() for entry in table.entries]
    crash = int(share * len(texts))

    play, records = rebuilt(table, texts[:crash])
    for text in texts[crash:]:
        run(play, Entry.read(text), records)

    assert play.outcome == table.outcome
    assert play.head == table.play.head
    assert list(map(written, play.table.events)) == list(map(written, table.events))


def asked_in(play, seat):
    """By id, with what may be answered."""
    asked = play.question(seat)
    if asked is None:
        return None
    name, question = asked
    return name, question.kind, question.ids, question.least, question.most


def kept_in(play):
    """All that a table is and waits for."""
    seats = range(play.opening.seats)
    return (
        (play.hash, play.head, play.revision, play.outcome),
        [asked_in(play, seat) for seat in seats],
        [play.deadline(seat) for seat in seats],
        list(map(written, play.table.events)),
    )


@examples(3)
@given(seed=st.integers(0, 2**32))
def test_t58_a_table_restored_again_and_again_asks_what_it_asked(case, seed):
    table, chance = case.table(seed), random.Random(seed)
    while table.outcome is None:
        played(table, chance, answers=chance.randint(1, 20), lateness=0.05)
        texts = [entry.text() for entry in table.entries]

        play, _ = rebuilt(table, texts)

        assert kept_in(play) == kept_in(table.play)
