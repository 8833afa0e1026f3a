"""Time passes, players go away and come back: views fold, and games can be checked."""

import random
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as some

from anpai.fold import fold
from services.engine.projection import event_for, view_for
from services.local import LocalTable
from services.local.verify import verify
from tests.laws.examples import examples
from tests.laws.playing import a_choice


def somebody_comes_or_goes(table: LocalTable, chance: random.Random) -> None:
    play, seat = table.play, chance.randrange(table.play.opening.seats)
    if seat not in play.away:
        if play.may_be_away(seat):
            table.leave(seat)
    elif play.away[seat] is None and chance.random() < 0.7:
        table.stand_in(seat, "Abacus")
    else:
        table.come_back(seat)


def time_passes(table: LocalTable, chance: random.Random) -> None:
    """Now and then so much that a bank pays for it, or all time has run out."""
    table.now += chance.choice((10, 2_000, 70_000))
    if chance.random() < 0.05:
        table.resume(chance.randrange(1, 100_000))


def moves(table: LocalTable, chance: random.Random) -> None:
    if table.play.is_held:
        table.now = max(table.now, table.play.held_until)
        table.settle()
        return
    seat = chance.choice(table.waiting())
    due = table.play.deadline(seat)
    question = table.question(seat)
    assert due is not None
    assert question is not None
    if due <= table.now or chance.random() < 0.03:
        table.now = max(table.now, due)
        table.default(seat)
    elif chance.random() < 0.002:
        table.concede(seat)
    else:
        table.answer(seat, a_choice(question, chance))


def an_evening(table: LocalTable, chance: random.Random) -> Iterator[None]:
    """Played to its end, a step at a time."""
    while table.outcome is None:
        if chance.random() < 0.1:
            somebody_comes_or_goes(table, chance)
        else:
            time_passes(table, chance)
            moves(table, chance)
        yield


@examples(3)
@given(seed=some.integers(0, 2**32))
def test_t22_whoever_goes_and_comes_back_is_asked_the_very_same(case, seed):
    table, chance = case.table(seed, timed=True), random.Random(seed)
    while table.outcome is None:
        before = {seat: view_for(table.play, seat) for seat in table.waiting()}
        for seat in before:
            table.leave(seat)
            table.stand_in(seat, "Abacus")
            stand_in = view_for(table.play, seat)
            table.come_back(seat)

            asked = view_for(table.play, seat).question
            assert asked == stand_in.question == before[seat].question
        moves(table, chance)


@examples(2)
@given(seed=some.integers(0, 2**32))
def test_t24_every_change_of_clock_or_company_is_an_event(case, seed):
    table, chance = case.table(seed, timed=True), random.Random(seed)
    viewers = [*range(case.seats), None]
    views = {viewer: view_for(table.play, viewer) for viewer in viewers}
    shown = len(table.events)

    for _ in an_evening(table, chance):
        new, seats = table.events[shown:], views[None].seats
        for viewer in viewers:
            for revision, event in enumerate(new, shown + 1):
                told = event_for(event, revision, viewer, case.game.name)
                views[viewer] = fold(views[viewer], told)
            now = view_for(table.play, viewer)
            if not now.HasField("question"):  # the reply to an answer tells that
                views[viewer].ClearField("question")
            assert views[viewer] == now
        shown = len(table.events)
        assert len(seats) == len(views[None].banks) == case.seats

    report = verify(table.disclosure())
    assert report.ok, report.problem
