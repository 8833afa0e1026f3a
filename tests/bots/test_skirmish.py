"""Plain sense at skirmish: what the steady bot does in positions anybody would see."""

import random

import pytest

from anpai import Card, Marker, Place, PlaceView, Seat, View, question_of
from anpai.engine.v1 import question_pb2 as pb
from clients.bots.skirmish import play_skirmish
from clients.bots.strength import local_faces

FACES = local_faces("skirmish")


def position(**places: str) -> View:
    """Places as `name_seat="face face"`; `?` is a face this seat (0) does not know."""
    view = View(viewer=0, game="skirmish", seats=[Seat(number=0), Seat(number=1)])
    for place, cards in places.items():
        name, _, seat = place.rpartition("_")
        lying = [card_of(name, seat, face) for face in cards.split()]
        where = Place(name=name, seat=int(seat))
        view.places.add().CopyFrom(
            PlaceView(place=where, count=len(lying), cards=lying)
        )
    return view


def card_of(name: str, seat: str, face: str) -> Card:
    if face == "?":
        return Card(handle=f"hidden {name} {seat}")
    up = name not in ("soldiers", "tactics")
    return Card(handle=face, face=f"skirmish/{face}", face_up=up)


def chosen(view: View, name: str, *options: str, least: int = 1) -> tuple[str, ...]:
    """What it answers; an option is a card's face, or `card>place:seat`."""
    asked = pb.Question(name=name, min=least, max=1)
    for option in options:
        card, _, place = option.partition(">")
        if place:
            row, _, seat = place.partition(":")
            told = {"handle": card, "place": row, "place_seat": int(seat)}
            asked.moves.options.add(id=option, **told)
        else:
            asked.cards.options.add(id=option, handle=option)
    return play_skirmish(view, question_of(asked), FACES, random.Random(1))


def test_brothers_are_laid_together():
    hand = ["assault_20", "assault_21", "assault_3", "assault_5"]
    view = position(soldiers_0=" ".join(hand), assault_0="assault_4")

    (laid,) = chosen(view, "place", *(f"{card}>assault:0" for card in hand))

    assert laid in ("assault_3>assault:0", "assault_5>assault:0")


def test_fog_is_spent_on_their_snipers():
    view = position(tactics_0="fog", sniper_1="? sniper_8", assault_0="assault_3")

    assert chosen(view, "place", "fog>tactic:0", least=0) == ("fog>tactic:0",)


def test_fog_is_kept_where_the_snipers_are_ours():
    view = position(tactics_0="fog", sniper_0="sniper_5 sniper_6", assault_1="? ?")

    assert chosen(view, "place", "fog>tactic:0", least=0) == ()


@pytest.mark.parametrize(("row", "answer"), [("? ?", ("assault_1",)), ("", ())])
def test_the_bomber_wants_company(row, answer):
    view = position(assault_0="assault_1", sniper_1=row)

    assert chosen(view, "bomb", "assault_1", least=0) == answer


def test_a_shot_goes_to_the_strongest_of_theirs():
    view = position(sniper_0="sniper_2", sniper_1="sniper_1 sniper_8", scout_0="")

    assert chosen(view, "sniper_god", "sniper_1", "sniper_8") == ("sniper_8",)


def test_nobody_of_ours_is_shot_while_there_is_one_of_theirs():
    view = position(sniper_0="sniper_2 sniper_1", sniper_1="scout_1")

    assert chosen(view, "sniper_god", "sniper_1", "scout_1") == ("scout_1",)


def test_cover_does_not_die_for_less_than_itself():
    view = position(scout_0="scout_10 scout_1", sniper_0="sniper_5")

    assert chosen(view, "cover", "scout_1", least=0) == ()
    assert chosen(view, "cover", "sniper_5", least=0) == ("sniper_5",)


def test_weather_is_turned_up_after_the_soldiers():
    view = position(sniper_0="sniper_5", tactic_0="fog")

    assert chosen(view, "turn_up", "fog", "sniper_5") == ("sniper_5",)


def test_a_copy_is_counted_as_what_it_shows():
    view = position(scout_1="scout_1 scout_2", sniper_0="sniper_2")
    view.markers.append(Marker(name="copy", on="scout_2", value="sniper_8"))

    assert chosen(view, "quick_draw", "scout_1", "scout_2") == ("scout_2",)
