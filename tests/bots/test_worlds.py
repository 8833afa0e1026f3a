"""What the sharp bot thinks may lie hidden: nothing that what it sees rules out."""

import random
from collections import Counter

import pytest

from anpai import question_of
from clients.bots.sharp.gwent import worlds as gwent
from clients.bots.sharp.skirmish import worlds as skirmish
from clients.bots.steady import steady
from clients.bots.strength import local_faces
from services.local import GAMES, LocalTable
from services.local.decks import ready_decks
from services.local.position import Place
from services.local.seeing import position_of, view_of


def some_answers_on(table: LocalTable, answers: int):
    """What the seat that is asked sees, when steady bots have played so far."""
    chance, game = random.Random(answers), table.play.game.name
    for _ in range(answers):
        seat = table.waiting()[0]
        view = view_of(table, seat)
        choice = steady(view, question_of(view.question), local_faces(game), chance)
        table.answer(seat, choice)
    return position_of(view_of(table, table.waiting()[0]))


def dealt_at_gwent(position, seed: int):
    faces = local_faces("gwent")
    pools = gwent.pools_of(position, faces)
    return gwent.deal(position, pools, faces, random.Random(seed))


# -- gwent ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_whoever_plays_like_a_ready_deck_is_thought_to_have_it(seed):
    table = LocalTable(GAMES["gwent"], 2, seed=seed)
    position = some_answers_on(table, 10 + seed)
    ready = ready_decks("gwent", "duel")

    world = dealt_at_gwent(position, seed)

    for seat in (0, 1):
        (deck,) = world.brought[seat]
        assert Counter(deck) == Counter(
            ready[position.markers["faction", f"seat:{seat}"]]
        )


def odd_deck() -> tuple[str, ...]:
    """A legal one that is no ready deck."""
    deck = list(ready_decks("gwent", "duel")["monsters"])
    deck.remove("griffin")
    return (*deck, "geralt", "ciri", "zoltan")


@pytest.mark.parametrize("seed", range(6))
def test_any_other_deck_may_have_whatever_is_left_of_its_set(seed):
    table = LocalTable(GAMES["gwent"], 2, seed=seed, decks={1: [odd_deck()]})
    position = some_answers_on(table, 12 + seed)
    faces = local_faces("gwent")

    (deck,) = dealt_at_gwent(position, seed).brought[1]

    assert len(deck) == len(odd_deck())
    for face, number in Counter(deck).items():
        printed = faces[f"gwent/{face}"].attributes
        assert printed.get("faction", "neutral") in ("neutral", "monsters")
        assert number <= int(printed["copies"])


def test_a_hand_is_as_large_as_it_is_seen_to_be():
    table = LocalTable(GAMES["gwent"], 2, seed=3)
    position = some_answers_on(table, 15)
    hand = Place("hand", 1 - position.viewer)

    worlds = [dealt_at_gwent(position, seed) for seed in range(5)]

    assert {len(world.hidden[hand]) for world in worlds} == {position.hidden[hand]}
    assert len({tuple(sorted(world.hidden[hand])) for world in worlds}) == 5


# -- skirmish ------------------------------------------------------------------------

DECK = Counter(
    {
        id.partition("/")[2]: int(face.attributes["copies"])
        for id, face in local_faces("skirmish").items()
    }
)


@pytest.mark.parametrize("seed", range(6))
def test_every_card_of_skirmish_is_where_one_card_may_be(seed):
    table = LocalTable(GAMES["skirmish"], 3, seed=seed)
    position = some_answers_on(table, 20 + 3 * seed)

    world = skirmish.deal(position, local_faces("skirmish"), random.Random(seed))

    lying = [card.face or world.faces[card.handle] for card in position.cards]
    lying += [face for faces in world.hidden.values() for face in faces]
    assert Counter(lying) == DECK


@pytest.mark.parametrize("seed", range(6))
def test_bodies_fit_their_rows(seed):
    table = LocalTable(GAMES["skirmish"], 3, seed=seed)
    position = some_answers_on(table, 5 + 2 * seed)
    faces = local_faces("skirmish")

    world = skirmish.deal(position, faces, random.Random(seed))

    for card in position.unknown():
        told = faces[f"skirmish/{world.faces[card.handle]}"].attributes
        special = {("spy", card.handle), ("leave", card.handle)} & {*position.markers}
        if card.place.name != "tactic" and not special:
            second = skirmish.SECOND.get(told["skill"], "")
            assert card.place.name in (told["class"], second)
