"""What the laws of the games do not reach: clocks, peeks, and verbs of tomorrow."""

from google.protobuf.timestamp_pb2 import Timestamp

from anpai import Card, Event, PlaceView, Seat, View, fold

AT = Timestamp(seconds=1000)


def test_the_view_before_is_left_as_it_was():
    before = View(seats=[Seat(number=0)])
    event = Event(revision=1)
    event.conceded.seat = 0

    after = fold(before, event)

    assert after.seats[0].conceded
    assert before == View(seats=[Seat(number=0)])


def test_a_verb_of_tomorrow_changes_nothing_but_the_revision():
    unknown = Event.FromString(Event(revision=8).SerializeToString() + b"\xfa\x07\x00")

    assert fold(View(revision=7), unknown) == View(revision=8)


def test_when_the_service_was_away_deadlines_and_holds_move():
    view = View(viewer=1)
    view.question.deadline.CopyFrom(AT)
    view.question.hold_until.CopyFrom(AT)
    event = Event(revision=1)
    event.clock_moved.by.FromMilliseconds(1500)
    event.clock_moved.asked.add(seat=1, deadline=Timestamp(seconds=1001))

    after = fold(view, event)

    assert after.asked == event.clock_moved.asked
    assert after.question.deadline.ToMilliseconds() == 1_001_500
    assert after.question.hold_until.ToMilliseconds() == 1_001_500


def test_who_concedes_is_asked_nothing_more():
    view = View(viewer=0, seats=[Seat(number=0)])
    view.question.id = "q"
    event = Event(revision=1)
    event.conceded.seat = 0

    assert not fold(view, event).HasField("question")


def test_a_peek_shows_its_face_and_turns_nothing_up():
    card = Card(handle="a", bringer=1)
    view = View(places=[PlaceView(count=1, apart=True, cards=[card])])
    event = Event(revision=1)
    event.cards_peeked.cards.add(handle="a", face="gwent/spy")

    (seen,) = fold(view, event).places[0].cards
    assert seen == Card(handle="a", bringer=1, face="gwent/spy")


def test_mixed_cards_are_strangers_and_lose_their_markers():
    cards = [Card(handle="a", face="x/1", face_up=True), Card(handle="b")]
    view = View(places=[PlaceView(count=2, apart=True, cards=cards)])
    view.markers.add(name="ward", on="a")
    event = Event(revision=1)
    event.cards_mixed.handles.extend(["d", "c"])

    after = fold(view, event)

    assert list(after.places[0].cards) == [Card(handle="d"), Card(handle="c")]
    assert not after.markers


def test_a_card_turned_up_among_its_like_is_told_apart_from_then_on():
    view = View(places=[PlaceView(count=3, cards=[Card(handle="m", face="x/2")])])
    event = Event(revision=1)
    event.cards_turned_up.cards.add(handle="a", face="x/1")

    cards = fold(view, event).places[0].cards

    assert [card.handle for card in cards] == ["a", "m"]
    assert cards[0].face_up
