"""Gwent tables to look at, laid out by hand."""

from anpai import Card, Counter, Marker, PlaceView, Seat, View
from anpai.engine.v1.question_pb2 import ChooseMoves, MoveOption
from anpai.engine.v1.question_pb2 import Question as Message
from tests.terminal import scenes

place = scenes.place
RISING = ("melee", "ranged", "siege")


def reader(language="en"):
    return scenes.reader(language, "gwent")


def lying(handle, face, bringer=0) -> Card:
    return scenes.card(handle, face, up=True, bringer=bringer, game="gwent")


def leader(seat, face) -> PlaceView:
    return place("leader", seat, scenes.card(f"l{seat}", face, up=True, game="gwent"))


def held(seat, *faces) -> PlaceView:
    cards = [scenes.card(f"h{seat}{n}", f, game="gwent") for n, f in enumerate(faces)]
    return place("hand", seat, *cards, apart=False)


def strength(handle, value) -> Marker:
    return Marker(name="strength", on=handle, value=str(value))


def names(*some) -> list[Seat]:
    return [Seat(number=n, name=name, taken=True) for n, name in enumerate(some)]


def duel() -> View:
    """Anna (the viewer) against 陈晨: something of everything that a duel can show."""
    return View(
        table_id="t-1",
        game="gwent",
        variant="duel",
        revision=122,
        viewer=0,
        seats=names("Anna", "陈晨"),
        places=[
            leader(0, "foltest_siegemaster"),
            leader(1, "emhyr_relentless"),
            place("box", 0, apart=False),
            held(0, "poor_infantry", "poor_infantry", "scorch", "olgierd"),
            place("hand", 1, count=8, apart=False),
            place("pile", 0, count=22, apart=False),
            place("pile", 1, count=20, apart=False),
            place("melee", 1, lying("m1", "letho", 1)),
            place(
                "ranged",
                0,
                lying("r1", "keira"),
                lying("r2", "decoy"),
            ),
            place(
                "siege",
                0,
                lying("s1", "catapult"),
                lying("s2", "catapult"),
            ),
            place("melee", 0, lying("s3", "shilard", 1)),
            place("melee_slot", 1, lying("h", "commanders_horn", 1)),
            place("weather", None, lying("w", "impenetrable_fog", 1)),
            place("discard", 0, lying("d", "geralt", None)),
        ],
        counters=[
            Counter(name="round", value=2),
            Counter(name="gems", seat=0, value=1),
            Counter(name="gems", seat=1, value=2),
            Counter(name="total", seat=0, value=72),
            Counter(name="total", seat=1, value=10),
        ],
        markers=[
            Marker(name="faction", on="seat:0", value="northern_realms"),
            Marker(name="faction", on="seat:1", value="nilfgaard"),
            Marker(name="starts", on="seat:1"),
            Marker(name="passed", on="seat:1"),
            Marker(name="turn", on="seat:0"),
            Marker(name="used", on="l0"),
            Marker(name="horn", on="siege:0"),
            strength("m1", 10),
            strength("r1", 1),
            strength("s1", 32),
            strength("s2", 32),
            strength("s3", 7),
        ],
    )


def team() -> View:
    """Anna and Cem against 陈晨 and Dora."""
    return View(
        game="gwent",
        variant="team",
        revision=90,
        viewer=0,
        seats=names("Anna", "陈晨", "Cem", "Dora"),
        places=[
            held(0, "zoltan"),
            place("hand", 1, count=9, apart=False),
            held(2, "griffin", "griffin"),
            place("hand", 3, count=7, apart=False),
            place("melee", 0, lying("m1", "vesemir", 2), lying("m2", "zoltan", 0)),
            place("melee", 1, lying("m3", "vesemir", 2)),
        ],
        counters=[
            Counter(name="gems", seat=0, value=2),
            Counter(name="gems", seat=1, value=0),
            Counter(name="total", seat=0, value=11),
            Counter(name="total", seat=1, value=6),
        ],
        markers=[strength("m1", 6), strength("m2", 5), strength("m3", 6)],
    )


def free_for_all() -> View:
    """Three, and a frost."""
    return View(
        game="gwent",
        variant="free-for-all",
        revision=40,
        viewer=1,
        seats=names("Anna", "Ben", "陈晨"),
        places=[
            leader(0, "crach"),
            place("melee", 0, lying("m1", "vesemir")),
            place("siege", 2, lying("s1", "catapult", 2)),
            place("weather", None, lying("w", "biting_frost", 1)),
        ],
        counters=[
            Counter(name="points", seat=0, value=2),
            Counter(name="total", seat=0, value=1),
            Counter(name="total", seat=2, value=8),
        ],
        markers=[strength("m1", 1), strength("s1", 8)],
    )


def solo() -> View:
    """Anna against the automaton, which has no seat."""
    return View(
        game="gwent",
        variant="solo-leaders",
        revision=50,
        viewer=0,
        seats=names("Anna"),
        places=[
            leader(0, "king_bran"),
            held(0, "cow"),
            place("automaton_pile", None, count=60, apart=False),
            place("automaton_leaders", None, count=5, apart=False),
            place("automaton_ranged", None, lying("m1", "keira", None)),
            place("automaton_ranged_slot", None, lying("h", "commanders_horn", None)),
            place("automaton_discard", None, lying("d", "vesemir", None)),
        ],
        counters=[
            Counter(name="round", value=1),
            Counter(name="gems", seat=0, value=2),
            Counter(name="automaton_gems", value=1),
            Counter(name="automaton_total", value=10),
        ],
        markers=[
            Marker(name="automaton_faction", value="northern_realms"),
            Marker(name="one_more"),
            strength("m1", 10),
        ],
    )


def playing(*ways) -> Message:
    """The question of a turn: handle, place, and whose."""
    options = [
        MoveOption(id=f"{handle}>{to}:{seat}", handle=handle, place=to, place_seat=seat)
        for handle, to, seat in ways
    ]
    moves = ChooseMoves(options=options)
    return Message(id="q", seat=0, name="turn", min=0, max=1, moves=moves)
