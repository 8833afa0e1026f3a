"""Short stories of one table: who calls what, what dies, and what is there then."""

import asyncio
from dataclasses import replace

import pytest

from services.chassis.errors import AnpaiError
from services.engine.kernel import Budget, Outcome, Table, Word
from services.engine.kernel.entry import EntryKind
from services.engine.live import OwnedElsewhere
from tests.services.engine.protocol.network import Fate, Misfortune
from tests.services.engine.protocol.scene import (
    a_scene,
    answers,
    in_virtual_time,
    plays_on,
)
from tests.services.engine.protocol.toy import TOY

OPTION = ("no such option",)


def refused(reason):
    return pytest.raises(AnpaiError, check=lambda error: error.reason == reason)


# ---- one answer ----------------------------------------------------------------------


@in_virtual_time
async def test_t13_an_answer_that_is_repeated_gets_the_first_result():
    scene = await a_scene()
    table = await scene.sits()
    seat, (question_id, question) = 0, table.play.question(0)
    first = await table.answer(seat, question_id, "once", question.ids[:1])
    await answers(table)
    assert await table.answer(seat, question_id, "once", question.ids[:1]) == first
    assert [entry.answer_id for entry in scene.journal].count("once") == 1


@in_virtual_time
async def test_t13_the_same_answer_twice_at_once_is_one_answer():
    scene = await a_scene()
    table = await scene.sits()
    question_id, question = table.play.question(0)
    sent = [table.answer(0, question_id, "once", question.ids[:1]) for _ in range(5)]
    assert len(set(await asyncio.gather(*sent))) == 1
    assert [entry.answer_id for entry in scene.journal].count("once") == 1


@in_virtual_time
async def test_an_answer_id_used_for_something_else_is_refused():
    scene = await a_scene()
    table = await scene.sits()
    question_id, question = table.play.question(0)
    await table.answer(0, question_id, "once", question.ids[:1])
    with refused("ANSWER_ID_REUSED"):
        await table.answer(0, question_id, "once", question.ids[1:2])


@in_virtual_time
async def test_a_stale_question_is_refused_with_the_revision_there_is():
    scene = await a_scene()
    table = await scene.sits()
    question_id, question = table.play.question(0)
    await answers(table)
    with refused("QUESTION_STALE") as error:
        await table.answer(0, question_id, "too late", question.ids[:1])
    assert error.value.metadata["revision"] == str(table.revision)


@in_virtual_time
async def test_an_illegal_answer_is_refused_in_words_and_changes_nothing():
    scene = await a_scene()
    table = await scene.sits()
    before = len(scene.journal)
    with refused("ANSWER_ILLEGAL") as error:
        await answers(table, "wrong", OPTION)
    assert "among the options" in error.value.message
    assert error.value.metadata["rule"] == "play > one_round"
    assert len(scene.journal) == before
    await answers(table, "wrong")  # refusals are never remembered


@in_virtual_time
async def test_a_caller_that_goes_away_cancels_nothing():
    scene = await a_scene()
    table = await scene.sits()
    call = asyncio.create_task(answers(table, "left behind"))
    await asyncio.sleep(0.002)
    call.cancel()
    await asyncio.sleep(1)
    assert scene.journal[-1].answer_id == "left behind"


@in_virtual_time
async def test_nothing_can_be_answered_once_the_game_is_over():
    scene = await a_scene()
    table = await scene.sits()
    await plays_on(table)
    with refused("TABLE_ENDED"):
        await table.answer(0, "any", "after the end", ("odd",))
    with refused("TABLE_ENDED"):
        await table.concede(0)


@in_virtual_time
async def test_after_three_attempts_nobody_can_say_what_became_of_it():
    scene = await a_scene()
    table = await scene.sits()
    scene.world.network.plan.misfortunes = [
        Misfortune("append", scene.world.network.plan.counts["append"] + n, Fate.LOST)
        for n in (1, 2, 3)
    ]
    with refused("OUTCOME_UNKNOWN"):
        await answers(table, "unknown")
    assert await answers(table, "unknown") == table.revision


@in_virtual_time
async def test_conceding_twice_is_conceding_once():
    scene = await a_scene()
    table = await scene.sits()
    revision = await table.concede(1)
    assert await table.concede(1) == revision
    assert [entry.kind for entry in scene.journal].count(EntryKind.CONCEDE) == 1
    assert table.play.outcome.winners == (0,)


# ---- seats ---------------------------------------------------------------------------


@in_virtual_time
async def test_a_seats_first_nonce_counts():
    scene = await a_scene()
    table = await scene.at()
    assert await table.take_seat("p1", b"f" * 32) == 1
    assert await table.take_seat("p1", b"s" * 32, (("ignored",),)) == 1
    assert table.play.sitters[1].nonce == (b"f" * 32).hex()


@in_virtual_time
async def test_who_is_not_assigned_gets_no_seat():
    scene = await a_scene()
    with refused("NOT_SEATED"):
        await (await scene.at()).take_seat("a stranger", b"")


@in_virtual_time
async def test_a_game_whose_worker_died_before_the_start_is_started_by_the_next():
    scene = await a_scene()
    table = await scene.at()
    await table.take_seat("p0", b"")
    nth = scene.world.network.plan.counts["append"] + 2
    scene.world.network.plan.misfortunes = [
        Misfortune("append", nth, Fate.CRASH_BEFORE)
    ]
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(table.take_seat("p1", b""), 1)
    assert scene.journal[-1].kind is EntryKind.SEAT
    await asyncio.sleep(3)
    table = await scene.at(scene.ben)
    await table.settled()
    assert table.play.started


@in_virtual_time
async def test_a_table_nobody_comes_to_is_abandoned():
    scene = await a_scene()
    await asyncio.sleep(scene.anna.works.seating_ms / 1000 + 5)
    assert scene.journal[-1].outcome == Outcome((0, 0), (0, 0), "abandoned")
    assert scene.vault.tables[scene.table_id].disclosed


# ---- who has the table ---------------------------------------------------------------


@in_virtual_time
async def test_another_worker_is_told_where_the_table_is():
    scene = await a_scene()
    await scene.sits()
    with pytest.raises(OwnedElsewhere) as error:
        await scene.at(scene.ben)
    assert error.value.address == scene.anna.name


@in_virtual_time
async def test_a_table_handed_over_is_taken_at_once():
    scene = await a_scene()
    await answers(await scene.sits())
    await scene.anna.hand_over(scene.table_id)
    before = scene.world.time()
    await answers(await scene.at(scene.ben))
    assert scene.world.time() - before < 1


@in_virtual_time
async def test_a_worker_that_cannot_renew_stops_answering_in_time():
    scene = await a_scene()
    table = await scene.sits()
    scene.anna.pause(10)
    await asyncio.sleep(5)
    with refused("TABLE_MOVING"):
        await table.concede(0)
    with refused("TABLE_MOVING"):
        await table.settled()


def released_later(*workers):
    """These have newer rules alone."""
    for worker in workers:
        worker.works.games.clear()
        worker.works.games["toy"] = replace(TOY, version="2")


@in_virtual_time
async def test_t56_a_worker_without_the_rules_passes_calls_on_to_one_that_has_them():
    scene = await a_scene()
    released_later(scene.ben)
    with pytest.raises(OwnedElsewhere) as other:
        await scene.at(scene.ben)
    assert other.value.address == scene.anna.identity.address
    assert scene.store.takeovers == 0
    await answers(await scene.sits())


@in_virtual_time
async def test_t56_rules_that_nobody_has_any_more_are_told_of_and_nothing_is_lost():
    scene = await a_scene()
    entries = len(scene.journal)
    released_later(scene.anna, scene.ben)
    for worker in (scene.anna, scene.ben):
        with refused("RULES_VERSION_UNAVAILABLE"):
            await scene.at(worker)
    assert scene.store.takeovers == 0
    assert len(scene.journal) == entries


@in_virtual_time
async def test_clocks_stand_still_while_nobody_is_there():
    scene = await a_scene()
    table = await scene.sits()
    due = table.play.deadline(0)
    scene.anna.is_dead = scene.ben.is_dead = True
    await asyncio.sleep(100)  # the deadline was 30 seconds
    await scene.world.one_more()
    table = await scene.at(scene.world.workers[-1])
    await table.settled()
    away = table.play.deadline(0) - due
    assert scene.journal[-1].kind is EntryKind.RESUME
    assert 99_000 < away < 102_000
    assert scene.store.primary.tables[scene.table_id].owed == 0


@in_virtual_time
async def test_clocks_stand_still_while_the_vault_is_away():
    scene = await a_scene()
    table = await scene.sits()
    await answers(table)  # the next answer needs the vault
    due = table.play.deadline(0)
    plan = scene.world.network.plan
    gone = [
        Misfortune("resolve", plan.counts["resolve"] + n, Fate.LOST) for n in (1, 2)
    ]
    late = Misfortune("take ledger", plan.counts["take ledger"] + 1, Fate.LOST)
    plan.misfortunes = [*gone, late]
    before = scene.world.wall_ms()
    with refused("OUTCOME_UNKNOWN"):
        await answers(table, "patience")
    await answers(table, "patience")
    resumed = [one for one in scene.journal if one.kind is EntryKind.RESUME]
    away = sum(entry.details["milliseconds"] for entry in resumed)
    assert 1000 <= away <= scene.world.wall_ms() - before
    assert dict(resumed[-1].deadlines)[0] == due + away


# ---- time ----------------------------------------------------------------------------


@in_virtual_time
async def test_at_the_deadline_the_default_is_answered_once():
    scene = await a_scene()
    table = await scene.sits()
    due = table.play.deadline(0)
    await asyncio.gather(*(table.time_out(due) for _ in range(3)))
    kinds = [entry.kind for entry in scene.journal]
    assert kinds.count(EntryKind.DEFAULT) == 1
    await table.time_out(due - 1)
    assert [entry.kind for entry in scene.journal] == kinds


@in_virtual_time
async def test_where_people_sit_a_secret_outcome_is_held_until_its_time():
    scene = await a_scene(people=True)
    table = await scene.sits()
    await answers(table)
    await answers(table)
    asked = scene.world.time()
    await answers(table)
    await answers(table)
    assert table.play.is_held
    await asyncio.sleep(5)
    settled = next(one for one in scene.journal if one.kind is EntryKind.SETTLE)
    assert (
        settled.at - scene.world.wall_ms() + scene.world.time() * 1000
        >= (asked + 2) * 1000 - 60
    )


@in_virtual_time
async def test_a_table_left_alone_is_played_to_its_end_by_the_clock():
    scene = await a_scene()
    await scene.sits()
    scene.anna.is_dead = True
    await asyncio.sleep(1000)
    assert scene.journal[-1].outcome is not None
    assert scene.vault.tables[scene.table_id].disclosed
    assert scene.table_id not in scene.store.primary.deadlines


# ---- lost, and stopped ---------------------------------------------------------------


@in_virtual_time
async def test_entries_that_were_shown_and_are_lost_are_put_back():
    scene = await a_scene()
    table = await scene.sits()
    for _ in range(3):
        await answers(table)
    whole = scene.journal
    scene.lose(entries=2)
    await answers(table)
    assert scene.journal[: len(whole)] == whole
    await plays_on(table)


@in_virtual_time
async def test_what_is_put_back_is_the_past_that_was_told():
    scene = await a_scene()
    table = await scene.sits()
    for _ in range(3):
        await answers(table)
    told = [table.pasts(revision) for revision in range(table.revision + 1)]
    scene.lose(entries=2)
    await answers(table)
    assert [table.pasts(revision) for revision in range(len(told))] == told


@in_virtual_time
async def test_t55_a_table_that_goes_on_elsewhere_after_a_loss_has_another_past():
    scene = await a_scene()
    table = await scene.sits()
    await answers(table)
    before, kept = table.revision, table.pasts(table.revision)
    await answers(table, "shown by anna")
    told = table.pasts(table.revision)
    scene.anna.crash()
    scene.lose(entries=1)
    scene.vault.roll_back(2)
    other = await scene.at(scene.ben)
    await answers(other, "ben goes on")
    assert other.revision >= table.revision
    assert other.pasts(before) == kept
    assert not {*other.pasts(table.revision)} & {*told}


@in_virtual_time
async def test_a_different_past_stops_the_table_and_is_never_forked_silently():
    scene = await a_scene()
    table = await scene.sits()
    await answers(table)
    await answers(table, "shown by anna")
    scene.lose(entries=1)
    scene.vault.roll_back(2)
    other = await scene.at(scene.ben)
    await answers(other, "ben goes on")
    await scene.ben.hand_over(scene.table_id)
    with refused("JOURNAL_LOST"):
        await answers(table)
    with refused("JOURNAL_LOST"):  # for good, and on every worker
        await scene.at(scene.ben)


@in_virtual_time
async def test_a_ledger_that_lost_its_end_is_made_again():
    scene = await a_scene()
    table = await scene.sits()
    while len(table.past.sealed) < 2:
        await answers(table)
    ledger = scene.vault.tables[scene.table_id].lines
    scene.vault.roll_back(3)
    await plays_on(table)
    assert scene.vault.tables[scene.table_id].lines[: len(ledger)] == ledger


@in_virtual_time
async def test_a_sealed_answer_nobody_remembers_stops_the_table():
    scene = await a_scene()
    table = await scene.sits()
    while len(table.past.sealed) < 1:
        await answers(table)
    scene.anna.crash()
    scene.vault.roll_back(1)
    await asyncio.sleep(3)
    with refused("LEDGER_LOST"):
        await scene.at(scene.ben)


@in_virtual_time
async def test_a_table_whose_seed_is_gone_is_stopped():
    scene = await a_scene()
    await scene.sits()
    await scene.anna.hand_over(scene.table_id)
    scene.vault.tables = {}
    with refused("LEDGER_LOST"):
        await scene.at(scene.ben)
    [told] = scene.store.primary.news
    assert (told.table, told.reason, told.seats) == (scene.table_id, "stopped", ())


@in_virtual_time
async def test_a_journal_that_does_not_replay_stops_the_table():
    scene = await a_scene()
    await scene.sits()
    await scene.anna.hand_over(scene.table_id)
    other = replace(TOY, play=another_game)
    scene.ben.works.games["toy"] = other
    with refused("REPLAY_DIVERGED"):
        await scene.at(scene.ben)
    with refused("REPLAY_DIVERGED"):
        await scene.at(scene.anna)


async def another_game(table: Table) -> Outcome:
    await table.ask(0, "other", [Word("this"), Word("that")])
    return Outcome((1, 1), (0, 0))


@in_virtual_time
async def test_t43_over_budget_a_table_is_abandoned_and_it_alone():
    scene = await a_scene(replace(TOY, budget=Budget(events=18)))
    table = await scene.sits()
    with refused("OVER_BUDGET"):
        await plays_on(table)
    assert scene.journal[-1].outcome.reason == "abandoned"
    await asyncio.sleep(1)
    assert scene.vault.tables[scene.table_id].disclosed
    with refused("TABLE_ENDED"):
        await table.concede(0)


@in_virtual_time
async def test_a_table_without_room_even_for_its_end_is_stopped():
    scene = await a_scene(replace(TOY, budget=Budget(events=5)))
    table = await scene.sits()
    assert table.revision == 5
    for worker in (scene.anna, scene.ben):
        with refused("OVER_BUDGET"):
            await answers(await scene.at(worker))


@in_virtual_time
async def test_rules_that_fail_with_nobody_to_blame_end_their_table():
    scene = await a_scene(replace(TOY, play=failing_game))
    table = await scene.sits()
    due = table.play.deadline(0)
    with pytest.raises(ZeroDivisionError):
        await answers(table)
    await table.time_out(due)
    assert scene.journal[-1].kind is EntryKind.ABANDON


async def failing_game(table: Table) -> Outcome:
    await table.ask(0, "divide", [Word("by zero")])
    return Outcome((1, 1 // 0), (0, 0))


# ---- the end -------------------------------------------------------------------------


@in_virtual_time
async def test_whoever_opens_an_ended_table_discloses_it():
    scene = await a_scene()
    table = await scene.sits()
    scene.world.network.plan.misfortunes = [
        Misfortune("disclose", 1, Fate.CRASH_BEFORE)
    ]
    await plays_on(table)
    await asyncio.sleep(1)
    assert not scene.vault.tables[scene.table_id].disclosed
    await asyncio.sleep(30)
    assert scene.vault.tables[scene.table_id].disclosed
    assert scene.store.primary.tables[scene.table_id].disclosed
    assert scene.table_id not in scene.store.primary.deadlines


@in_virtual_time
async def test_a_view_waits_for_the_answer_that_is_being_worked_on():
    scene = await a_scene()
    table = await scene.sits()
    call = asyncio.create_task(answers(table))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await table.settled()
    assert table.revision == table.play.revision
    assert call.done() or table.play.position == len(scene.journal)
    await call
