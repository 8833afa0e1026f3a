"""What a client has to show: every card's words and every key the rules use.

Placeholders of declared events: {seat} who it is about, {cards} and {places} in the
order named, {words}, {number}.
"""

from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.decks import FACTION_NAMES
from services.engine.games.gwent.pieces import FACTIONS, Kind, Printed, Row
from services.engine.games.gwent.starter import READY, STARTERS
from services.engine.kernel import Catalog, Face, Text

ROWS = {
    Row.MELEE: Text("Melee", "近战排"),
    Row.RANGED: Text("Ranged", "远程排"),
    Row.SIEGE: Text("Siege", "攻城排"),
}

SLOTS = {
    f"{row}_slot": Text(f"{name.en} special", f"{name.zh}特殊牌位")
    for row, name in ROWS.items()
}

PLACES = {
    "pile": Text("Pile", "牌库"),
    "hand": Text("Hand", "手牌"),
    "leader": Text("Leader", "领袖"),
    "side_deck": Text("Side deck", "辅助牌组"),
    "box": Text("Box", "牌盒"),
    **{row.value: name for row, name in ROWS.items()},
    **SLOTS,
    "weather": Text("Weather", "天气"),
    "discard": Text("Discard", "弃牌堆"),
    "removed": Text("Out of the game", "移出游戏"),
    "aside": Text("Set aside", "暂放"),
    "search": Text("Looking through the pile", "翻看牌库"),
}

# The automaton has no seat: its places and counters have names of their own.
AUTOMATON_PLACES = {
    f"automaton_{name}": Text(f"Automaton's {text.en}", f"自动对手的{text.zh}")
    for name, text in PLACES.items()
} | {
    "automaton_leaders": Text("Automaton's leaders", "自动对手的领袖牌堆"),
    "automaton_turned": Text("Turned up by the automaton", "自动对手翻开的牌"),
    "automaton_under": Text("Under the automaton's decoy", "自动对手诱饵下的牌"),
}

COUNTERS = {
    "total": Text("Total", "总战力"),
    "automaton_total": Text("Automaton's total", "自动对手总战力"),
    "gems": Text("Gems", "宝石"),
    "automaton_gems": Text("Automaton's gems", "自动对手宝石"),
    "points": Text("Points", "得分"),
    "round": Text("Round", "轮次"),
    "games": Text("Games won", "胜局"),
}

MARKERS = {
    "strength": Text("Strength", "战力"),
    "passed": Text("Passed", "已弃权"),
    "starts": Text("Starts the round", "本轮先手"),
    "turn": Text("Turn", "行动中"),
    "used": Text("Used", "已使用"),
    "horn": Text("Horn", "号角"),
    "cancelled": Text("Cancelled", "已失效"),
    "faction": Text("Faction", "阵营"),
}

QUESTIONS = {
    "turn": Text(
        "Play a card, use your leader, or pass.", "打出一张牌、使用领袖，或者弃权。"
    ),
    "decoy": Text("Which unit does the Decoy bring back?", "诱饵收回哪张单位牌？"),
    "medic": Text("Whom does the medic bring back?", "医疗复活哪张单位牌？"),
    "exchange": Text("Which card do you exchange?", "替换哪张手牌？"),
    "who_begins": Text("Who begins?", "由谁先手？"),
    "choose_deck": Text("Which deck do you play?", "使用哪套牌组？"),
    "opponent": Text("Which opponent?", "选择哪名对手？"),
    "discard_two": Text("Which two cards do you discard?", "弃掉哪两张手牌？"),
    "take": Text("Which card do you take?", "拿走哪张牌？"),
}

DECLINES = {
    "turn": Text("pass", "弃权"),
    "exchange": Text("keep the hand", "保留手牌"),
}

EVENTS = {
    "passes": Text("{seat} passes.", "{seat}弃权。"),
    "uses_leader": Text("{seat} uses {cards}.", "{seat}使用领袖{cards}。"),
    "round_won": Text("{seat} wins the round.", "{seat}赢得本轮。"),
    "round_tied": Text("The round is tied.", "本轮平局。"),
}

ROLLS: dict[str, Text] = {}

RULES = {
    "game": Text("Game", "对局"),
    "round": Text("Round", "轮"),
    "turn": Text("Turn", "回合"),
}

HERO_TEXT = Text("Hero: no effect touches it.", "英雄：不受任何效果影响。")
TOKEN_TEXT = Text("Comes from the side deck only.", "只能从辅助牌组登场。")
PLAIN_TEXT = Text("No ability.", "没有能力。")


def catalog() -> Catalog:
    """All faces, and the words of the tables above."""
    return Catalog({one.id: face_of(one) for one in CARDS.values()}, dict(words()))


def face_of(card: Printed) -> Face:
    """What is printed on a card, as clients read it."""
    return Face(card.id, card.kind.value, card.name, text_of(card), printed_on(card))


def text_of(card: Printed) -> Text:
    """What a card does; that it does nothing is said too."""
    texts = [HERO_TEXT] if card.is_hero else []
    texts += [card.text] if card.text.en else []
    texts += [TOKEN_TEXT] if card.kind is Kind.TOKEN else []
    texts = texts or [PLAIN_TEXT]
    return Text(" ".join(t.en for t in texts), "".join(t.zh for t in texts))


def printed_on(card: Printed) -> dict[str, str | int]:
    """Lists are written with spaces; what a card does not have is left out.

    `calls` are the faces it brings or calls, `starter` how many a starter deck has.
    """
    abilities = ["agile"] if card.is_agile else []
    abilities += [ability.name for ability in card.abilities]
    found: dict[str, str | int] = {
        "faction": card.faction.value,
        "rows": " ".join(card.rows),
        "abilities": " ".join(abilities),
        "calls": " ".join(face for one in card.abilities for face in one.faces),
        "hero": "yes" if card.is_hero else "",
        "starter": max(one.deck.count(card.id) for one in STARTERS) or "",
    }
    strength: dict[str, str | int] = (
        {"strength": card.strength} if card.is_fighter else {}
    )
    told = {name: value for name, value in found.items() if value != ""}
    return told | strength | {"copies": card.copies}


def options() -> dict[str, Text]:
    """Words that are options or values of markers: factions, rows, ready decks."""
    return {faction.value: FACTION_NAMES[faction] for faction in FACTIONS} | {
        one.id: one.name for one in READY.values()
    }


def words() -> list[tuple[str, Text]]:
    """Every key, by what it names."""
    chapters = {
        "place": PLACES | AUTOMATON_PLACES,
        "counter": COUNTERS,
        "marker": MARKERS,
        "question": QUESTIONS,
        "decline": DECLINES,
        "option": options(),
        "event": EVENTS,
        "roll": ROLLS,
        "rule": RULES,
    }
    return [
        (f"{chapter}.{key}", text)
        for chapter, texts in chapters.items()
        for key, text in texts.items()
    ]
