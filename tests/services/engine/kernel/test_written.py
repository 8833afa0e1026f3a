"""The canonical form of events, as docs/fairness.md has it."""

import pytest

from services.engine.kernel import event as happened
from services.engine.kernel.ask import Asking, Default, Word, choose
from services.engine.kernel.outcome import Outcome
from services.engine.kernel.places import Place
from services.engine.kernel.sight import EVERYONE, only
from services.engine.kernel.written import written

HAND, TABLE = Place("hand", 1), Place("table")
SHOWN = happened.CardShown("c1", HAND, "spy", only(0), EVERYONE)
MOVED = happened.CardMoved(
    *(HAND, "c1", TABLE, "c2", "spy", True, None),
    *(only(0), EVERYONE, EVERYONE, only(1), False, True),
)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            happened.CardsMoved((MOVED,)),
            '["CardsMoved",[["hand:1","c1","table","c2","spy",true,null,1,-1,-1,2,'
            "false,true]]]",
        ),
        (
            happened.CardsTurnedUp((SHOWN,)),
            '["CardsTurnedUp",[["c1","hand:1","spy",1,-1]]]',
        ),
        (
            happened.CardsPeeked(0, (SHOWN,)),
            '["CardsPeeked",0,[["c1","hand:1","spy",1,-1]]]',
        ),
        (
            happened.CardsMixed(HAND, ("c1",), ("c2",)),
            '["CardsMixed","hand:1",["c1"],["c2"]]',
        ),
        (happened.DeckBuilt(TABLE, 3), '["DeckBuilt","table",3]'),
        (happened.DeckShuffled(TABLE, 3), '["DeckShuffled","table",3]'),
        (happened.ClockMoved(5, ((0, 9),)), '["ClockMoved",5]'),
        (
            happened.Ended(Outcome((1, 2), (5, 3))),
            '["Ended",["Outcome",[1,2],[5,3],"played"]]',
        ),
        (
            happened.SeatTaken(0, "冬", False, ""),
            '["SeatTaken",0,"\\u51ac",false,""]',
        ),
    ],
    ids=lambda one: type(one).__name__,
)
def test_an_event_is_an_array_that_begins_with_its_verb(event, text):
    assert written(event) == text


@pytest.mark.parametrize(
    ("default", "text"), [(Default.LOT, "lot"), ("pass", "pass")], ids=str
)
def test_questions_are_written_without_their_deadlines(default, text):
    question = choose(0, "go", [Word("pass"), Word("stay")], default=default)
    asking = Asking((question,), asked=(0,), behind="ff", deadlines=((0, 99),))

    assert written(happened.Asked(asking)) == (
        f'["Asked",[[[0,"go",["pass","stay"],1,1,"{text}"]],false,false,0,'
        f'[[0,"{asking.id_of(0)}"]]]]'
    )
