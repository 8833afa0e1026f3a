"""A game is held against what a client itself heard of it."""

import base64
import json
import random

import pytest

from anpai.engine.v1.engine_service_pb2 import Events, TableUpdate
from anpai.record import Record
from services.engine.games import GAMES
from services.engine.projection import event_for, view_for
from services.local import LocalTable
from services.local.verify import verify
from tests.services.local.conftest import finished


class Listener:
    """A viewer of a local table who records as the SDK does."""

    def __init__(self, table, viewer, path):
        self.table, self.viewer = table, viewer
        self.record = Record(path)
        self.record.hear(TableUpdate(view=view_for(table.play, viewer)))
        self.heard = table.play.revision

    def listen(self):
        fresh = self.table.events[self.heard :]
        told = [
            event_for(event, revision, self.viewer, "skirmish")
            for revision, event in enumerate(fresh, self.heard + 1)
        ]
        if told:
            self.record.hear(TableUpdate(events=Events(events=told)))
        self.heard = self.table.play.revision

    def look_again(self):
        self.record.hear(TableUpdate(view=view_for(self.table.play, self.viewer)))


@pytest.fixture(params=[0, 1, None])
def heard(request, tmp_path):
    """A finished game, and the lines one viewer recorded of it."""
    table = LocalTable(GAMES["skirmish"], 2, seed=5)
    listener = Listener(table, request.param, tmp_path / "heard.jsonl")
    dice = random.Random(5)
    while table.outcome is None:
        question = table.question(table.waiting()[0])
        chosen = dice.sample(question.ids, dice.randint(question.least, question.most))
        table.answer(question.seat, chosen)
        listener.listen()
        if dice.random() < 0.2:
            listener.look_again()
    listener.record.close()
    return table, (tmp_path / "heard.jsonl").read_text().splitlines()


def test_what_every_viewer_heard_is_what_happened(heard):
    table, lines = heard

    report = verify(table.disclosure(), heard=lines)

    assert report.ok
    assert report.promised
    assert report.heard == sum(map(told_in, lines[1:]))


def test_a_wholly_invented_game_is_not_what_was_heard(heard):
    _, lines = heard
    invented = finished(seed=99).disclosure()

    told = verify(invented, heard=lines).problem

    assert told == "The seed is not the one that was promised at the table."


def test_other_answers_under_the_same_seed_are_not_what_was_heard(heard):
    _, lines = heard
    other = LocalTable(GAMES["skirmish"], 2, seed=5)
    other.abandon()

    told = verify(other.disclosure(), heard=lines).problem

    assert told.startswith("Event ")


def test_a_forged_record_of_a_view_is_told(heard):
    table, lines = heard
    number, update = last_view(lines)
    update.view.counters[0].value += 1
    lines[number] = line_of(update)

    told = verify(table.disclosure(), heard=lines).problem

    assert told == f"The view heard at revision {update.view.revision} was another."


def test_a_forged_record_of_an_event_is_told(heard):
    table, lines = heard
    number, update = last_events(lines)
    forged = update.events.events[-1]
    forged.conceded.seat = 1
    lines[number] = line_of(update)

    told = verify(table.disclosure(), heard=lines).problem

    assert told == f"Event {forged.revision} was heard otherwise at the table."


def test_what_the_table_told_to_be_undone_is_no_less_unlike(heard):
    table, lines = heard
    number, update = last_events(lines)
    forged = update.events.events[-1]
    forged.conceded.seat = 1
    lines[number] = line_of(update)
    again = TableUpdate(view=view_for(table.play, viewer_of(lines)), undone=True)
    lines.append(line_of(again))

    told = verify(table.disclosure(), heard=lines).problem

    assert told.startswith(f"Event {forged.revision} was heard otherwise")
    assert told.endswith("had told that it lost some of what was heard.")


def viewer_of(lines):
    return json.loads(lines[0])["viewer"]


@pytest.mark.parametrize("line", ["", "{}", '{"update":"!"}', '{"update":""}', "[]"])
def test_a_line_that_cannot_be_read_is_told(heard, line):
    table, lines = heard
    lines[3] = line or '{"update": 7}'

    assert verify(table.disclosure(), heard=lines).problem.startswith("Line 4 ")


def test_a_record_of_no_table_is_told(game):
    told = verify(game.disclosure(), heard=['{"table":"local"}']).problem

    assert told == "The record of what was heard does not say of which table."


def told_in(line):
    """How many views and events a line holds."""
    update = update_in(line)
    return update.HasField("view") + len(update.events.events)


def last_view(lines):
    return last_with("view", lines)


def last_events(lines):
    return last_with("events", lines)


def last_with(kind, lines):
    for number in reversed(range(1, len(lines))):
        update = update_in(lines[number])
        if update.WhichOneof("update") == kind:
            return number, update
    raise AssertionError(f"no {kind}")


def update_in(line):
    return TableUpdate.FromString(base64.b64decode(json.loads(line)["update"]))


def line_of(update):
    told = base64.b64encode(update.SerializeToString()).decode()
    return json.dumps({"revision": 0, "update": told})
