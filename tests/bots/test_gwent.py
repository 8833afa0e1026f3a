"""Plain sense at gwent: what the steady bot does in positions anybody would see."""

import random

import pytest

from anpai import Card, Counter, Marker, Place, PlaceView, Seat, View, question_of
from anpai.engine.v1 import question_pb2 as pb
from clients.bots.gwent import play_gwent
from clients.bots.strength import local_faces

FACES = local_faces("gwent")
FULL = "letho menno tibor morvran assire cahir"


def position(*, gems: str = "2 2", theirs: int = 6, **places: str) -> View:
    """Places as `name_seat="face face"`, seen by seat 0, whose turn it is in a duel."""
    view = View(viewer=0, game="gwent", variant="duel")
    view.seats.extend([Seat(number=0), Seat(number=1)])
    lay(view, "pile", 0, 12)
    lay(view, "hand", 1, theirs)
    for place, cards in places.items():
        name, _, seat = place.rpartition("_")
        lying = [
            Card(handle=face.replace("/", ""), face=f"gwent/{face.partition('/')[0]}")
            for face in cards.split()
        ]
        lay(view, name, int(seat), len(lying), lying)
    for who, left in enumerate(gems.split()):
        view.counters.append(Counter(name="gems", seat=who, value=int(left)))
        view.markers.append(Marker(name="faction", on=f"seat:{who}", value="monsters"))
    return view


def lay(view, name, seat, count, cards=()):
    where = Place(name=name, seat=seat)
    view.places.add().CopyFrom(PlaceView(place=where, count=count, cards=cards))


def passed(view: View, seat: int) -> View:
    view.markers.append(Marker(name="passed", on=f"seat:{seat}"))
    return view


def turn(view: View, *moves: str) -> str:
    """The move chosen, "" for a pass; a move is `card>place:seat`."""
    asked = pb.Question(name="turn", min=0, max=1)
    for move in moves:
        card, _, place = move.partition(">")
        row, _, seat = place.partition(":")
        told = {"handle": card, "place": row, "place_seat": int(seat or 0)}
        asked.moves.options.add(id=move, **told)
    return "".join(answer(view, asked))


def among(view: View, name: str, *cards: str, least: int = 1) -> tuple[str, ...]:
    asked = pb.Question(name=name, min=least, max=1)
    for card in cards:
        asked.cards.options.add(id=card, handle=card)
    return answer(view, asked)


def answer(view: View, asked: pb.Question) -> tuple[str, ...]:
    return play_gwent(view, question_of(asked), FACES, random.Random(1))


def test_it_passes_when_they_have_and_it_is_ahead():
    view = passed(position(hand_0=FULL, melee_0="geralt"), 1)

    assert turn(view, "letho>melee:0", "cahir>melee:0") == ""


def test_it_wins_a_round_they_have_left_with_the_card_that_just_does():
    view = passed(position(hand_0="letho cahir ves", melee_1="siegfried"), 1)

    moves = ["letho>melee:0", "cahir>melee:0", "ves>melee:0"]
    assert turn(view, *moves) == "cahir>melee:0"


def test_a_round_out_of_reach_is_given_up():
    high = "geralt ciri john_natalis letho"
    view = passed(position(hand_0="ves cahir", melee_1=high), 1)

    assert turn(view, "ves>melee:0", "cahir>melee:0") == ""


def test_a_spy_comes_first():
    view = position(hand_0=f"{FULL} shilard")

    moves = ["letho>melee:0", "shilard>melee:1", "assire>ranged:0"]
    assert turn(view, *moves) == "shilard>melee:1"


def test_a_horn_goes_where_it_doubles_most():
    view = position(
        hand_0="commanders_horn vreemde",
        melee_0="ves",
        siege_0="catapult catapult/2 trebuchet",
        melee_1="geralt ciri",
        gems="1 1",
    )

    moves = [f"commanders_horn>{row}_slot:0" for row in ("melee", "ranged", "siege")]
    assert turn(view, *moves, "vreemde>melee:0") == moves[2]


def test_scorch_burns_theirs_and_spares_ours():
    theirs = position(hand_0="scorch ves", siege_1="catapult catapult/2", gems="1 1")
    ours = position(hand_0="scorch ves", siege_0="catapult catapult/2", gems="1 1")

    moves = ["scorch>discard:0", "ves>melee:0"]
    assert turn(theirs, *moves) == "scorch>discard:0"
    assert turn(ours, *moves) == "ves>melee:0"


def test_frost_waits_for_their_melee():
    moves = ["biting_frost>weather", "ves>melee:0"]
    row = "blueboy_lugos madman_lugos craite_warrior fiend"

    here = position(hand_0="biting_frost ves", melee_1=row, gems="1 1")
    assert turn(here, *moves) == "biting_frost>weather"

    not_here = position(hand_0="biting_frost ves", melee_0=row, gems="1 1")
    assert turn(not_here, *moves) == "ves>melee:0"


@pytest.mark.parametrize(
    ("fallen", "best"),
    [("ves trebuchet", "trebuchet"), ("trebuchet thaler", "thaler")],
)
def test_a_medic_brings_back_who_brings_most(fallen, best):
    view = position(discard_0=fallen)

    assert among(view, "medic", *fallen.split()) == (best,)


def test_a_decoy_takes_their_spy():
    view = position(melee_0="stennis siegfried")

    assert among(view, "decoy", "siegfried", "stennis") == ("stennis",)


def test_whoever_is_called_anyway_is_exchanged():
    view = position(hand_0="nekker nekker/2 fiend griffin")

    (changed,) = among(view, "exchange", "nekker", "nekker2", "fiend", least=0)

    assert changed.startswith("nekker")


def test_a_good_hand_is_kept():
    view = position(hand_0="geralt ciri trebuchet")

    assert among(view, "exchange", "geralt", "ciri", "trebuchet", least=0) == ()
