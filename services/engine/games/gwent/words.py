"""What a client has to show: every card's words and every key the rules use.

Placeholders of declared events: {seat} who it is about, {cards} and {places} in the
order named, {words}, {number}.
"""

from services.engine.games.gwent.about import ABOUT
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
    "put_away": Text("Cards of games before", "此前各局的牌"),
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
    "drawn": Text("Games drawn", "平局数"),
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
    "brought": Text("Brought by seat", "打出者座位"),
    "returns": Text("Comes back", "即将重返战场"),
    "first": Text("Started the first round", "首轮先手"),
    "acted": Text("Somebody acted", "本轮有人行动"),
    "leads": Text("Acts first of the team", "队内先行动"),
    "decks": Text("Decks", "牌组"),
    "played": Text("Decks played", "已用牌组"),
    "won_with": Text("Decks that have won", "已获胜牌组"),
    "automaton_faction": Text("Automaton's faction", "自动对手的阵营"),
    "one_more": Text("The automaton plays one more", "自动对手多出一张牌"),
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
    "choose_set": Text("Which three decks do you bring?", "使用哪三套牌组？"),
    "choose_faction": Text("Which faction do you play?", "你使用哪个阵营？"),
    "choose_leader": Text("Which leader do you choose?", "选择哪位领袖？"),
    "automaton_faction": Text(
        "Which faction does the automaton play?", "自动对手使用哪个阵营？"
    ),
    "acts_first": Text("Who of your team acts first?", "本队由谁先行动？"),
    "opponent": Text("Which opponent?", "选择哪名对手？"),
    "discard_two": Text("Which two cards do you discard?", "弃掉哪两张手牌？"),
    "take": Text("Which card do you take?", "拿走哪张牌？"),
    "automaton_horn": Text(
        "Beside which of its rows does the automaton's horn go?",
        "自动对手的号角放在它的哪一排？",
    ),
}

DECLINES = {
    "turn": Text("pass", "弃权"),
    "exchange": Text("keep the hand", "保留手牌"),
}

EVENTS = {
    "passes": Text("{seat} passes.", "{seat}弃权。"),
    "uses_leader": Text("{seat} uses {cards}.", "{seat}使用领袖{cards}。"),
    "keeps": Text("{cards} stays on the table.", "{cards}留在场上。"),
    "scores": Text("{seat} scores {number}.", "{seat}得{number}分。"),
    "round_won": Text(
        "The round goes to {seat} with {number}.", "{seat}以战力{number}赢得本轮。"
    ),
    "automaton_round_won": Text(
        "The round goes to the automaton with {number}.",
        "自动对手以战力{number}赢得本轮。",
    ),
    "automaton_leads": Text(
        "The automaton turns up {cards}.", "自动对手翻开领袖{cards}。"
    ),
    "game_won": Text("{seat} wins this game.", "{seat}赢得本局。"),
    "game_drawn": Text("This game is drawn.", "本局打平。"),
    "round_tied": Text(
        "The round is tied: both sides lose a gem.", "本轮平局，双方各失去一颗宝石。"
    ),
}

ROLLS: dict[str, Text] = {}

RULES = {
    "game": Text("Game", "对局"),
    "go_on": Text("Game", "对局"),
    "match": Text("Match", "一局"),
    "play_on": Text("Rounds", "各轮"),
    "choose_decks": Text("Choosing decks", "选择牌组"),
    "set_up": Text("Set-up", "准备"),
    "deal": Text("Dealing", "发牌"),
    "lay_out": Text("Laying out", "摆放牌组"),
    "exchange": Text("Exchange", "替换手牌"),
    "name_first_starter": Text("Who begins", "决定先手"),
    "round": Text("Round", "轮"),
    "begin_round": Text("A round begins", "本轮开始"),
    "name_starter": Text("Who starts the round", "决定本轮先手"),
    "name_leads": Text("Who acts first", "决定先行动者"),
    "name_lead": Text("Who acts first", "决定先行动者"),
    "turn": Text("Turn", "回合"),
    "act": Text("Acting", "行动"),
    "play_card": Text("Playing a card", "出牌"),
    "end_of_round": Text("The end of the round", "本轮结束"),
    "keep": Text("Monsters keep a unit", "怪物保留单位"),
    "draw_for_winning": Text("Northern Realms draw", "北方领域抽牌"),
    "bring_back_fallen": Text("Skellige bring back", "史凯利格复活单位"),
    # Playing a card.
    "play_special": Text("Special card", "特殊牌"),
    "lay_in_slot": Text("Into a slot", "放入特殊牌位"),
    "take_back": Text("Decoy", "诱饵"),
    "play_scorch": Text("Scorch", "烧灼"),
    "play_weather": Text("Weather", "天气"),
    "play_clear": Text("Clear Weather", "晴天"),
    # Coming to the table, and leaving it.
    "choose_one": Text("Choosing", "选择"),
    "choose_opponent": Text("Choosing an opponent", "选择对手"),
    "enter": Text("Cards come", "入场"),
    "arrive": Text("What they do", "入场效果"),
    "call": Text("Muster", "集结"),
    "call_kin": Text("Muster", "集结"),
    "transform": Text("Berserkers", "狂战士"),
    "become_a_bear": Text("A berserker is transformed", "狂战士变身"),
    "revive": Text("Medic", "医疗"),
    "choose_fallen": Text("Whom to bring back", "选择复活对象"),
    "bring_back": Text("Brought back", "复活"),
    "return_to_row": Text("Back to the table", "重返战场"),
    "draw_two": Text("Spy", "间谍"),
    "scorch_all": Text("Scorch", "烧灼"),
    "burn": Text("Scorch of a row", "单排烧灼"),
    "burn_strongest": Text("Scorch", "烧灼"),
    "burn_row": Text("Scorch of a row", "单排烧灼"),
    "discard": Text("Into the discard", "进入弃牌堆"),
    "leave": Text("Cards leave", "离场"),
    "avenge": Text("Avengers", "召唤"),
    "end_weather": Text("The weather ends", "天气结束"),
    "clear_table": Text("Clearing the table", "清场"),
    "clear_specials": Text("Clearing special cards", "清理特殊牌"),
    # Leaders.
    "use_leader": Text("Leader", "领袖"),
    "play_it": Text("Weather of the pile", "牌库中的天气"),
    "play_any_weather": Text("King of the Wild Hunt", "狂猎之王"),
    "choose_weather": Text("King of the Wild Hunt", "狂猎之王"),
    "play_best_weather": Text("King of the Wild Hunt", "狂猎之王"),
    "clear_the_sky": Text("Lord Commander of the North", "北方指挥官"),
    "sound": Text("Leader's horn", "领袖号角"),
    "look_at_three": Text("Emperor of Nilfgaard", "尼弗迦德皇帝"),
    "take_opponents_fallen": Text("The Relentless", "冷血无情"),
    "take_own_fallen": Text("Bringer of Death", "死亡使者"),
    "take_to_hand": Text("Into the hand", "收入手牌"),
    "discard_two_take_one": Text("Destroyer of Worlds", "世界毁灭者"),
    "shuffle_discards": Text("Crach an Craite", "克拉茨·奎特"),
    "move_agile": Text("Agile units move", "敏捷单位换排"),
    # A tournament.
    "further_games": Text("Tournament", "锦标赛"),
    "choose_sets": Text("Choosing three decks", "选择三套牌组"),
    "choose_first_decks": Text("The first decks", "选择首局牌组"),
    "take_deck": Text("Choosing a deck", "选择牌组"),
    "next_game": Text("Between two games", "两局之间"),
    "change_decks": Text("Decks for the next game", "选择下一局牌组"),
    "put_away": Text("Cards are put away", "收起上一局的牌"),
    # The automaton.
    "choose_factions": Text("Choosing factions", "选择阵营"),
    "choose_leader": Text("Choosing a leader", "选择领袖"),
    "lay_out_automaton": Text("The automaton's set", "摆放自动对手的牌"),
    "before_comparing": Text("Before totals are compared", "比较战力之前"),
    "call_leader": Text("The automaton's leader", "自动对手的领袖"),
    "take_turn": Text("The automaton's turn", "自动对手的回合"),
    "play_next": Text("The next card of its pile", "翻开牌库顶的牌"),
    "play_turned_up": Text("Playing what it turned up", "打出翻开的牌"),
    "carry_out": Text("Its special card", "自动对手的特殊牌"),
    "turn_up_covered": Text("What lay under its decoys", "翻开诱饵下的牌"),
    "play_two_more": Text("Its spy", "自动对手的间谍"),
    "call_first": Text("Its muster", "自动对手的集结"),
    "burn_opponents": Text("Its Scorch", "自动对手的烧灼"),
    "lay_horn": Text("Its horn", "自动对手的号角"),
    "lay_mardroeme": Text("Its Mardroeme", "自动对手的致幻菌菇"),
    "lay_decoy": Text("Its Decoy", "自动对手的诱饵"),
}

ABILITIES = {
    "agile": Text("Agile", "敏捷"),
    "tight_bond": Text("Tight bond", "紧密联系"),
    "morale_boost": Text("Morale boost", "士气鼓舞"),
    "commanders_horn": Text("Commander's horn", "指挥号角"),
    "mardroeme": Text("Mardroeme", "致幻菌菇"),
    "berserker": Text("Berserker", "狂战士"),
    "avenger": Text("Avenger", "召唤"),
    "medic": Text("Medic", "医疗"),
    "spy": Text("Spy", "间谍"),
    "muster": Text("Muster", "集结"),
    "scorch": Text("Scorch", "烧灼"),
    "scorch_melee": Text("Scorch of melee", "近战烧灼"),
    "scorch_ranged": Text("Scorch of ranged", "远程烧灼"),
    "scorch_siege": Text("Scorch of siege", "攻城烧灼"),
    "decoy": Text("Decoy", "诱饵"),
    "weather": Text("Weather", "天气"),
    "clear_weather": Text("Clear weather", "放晴"),
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

    `calls` are the faces it brings or calls, `touches` the rows it works on, `starter`
    how many a starter deck has.
    """
    abilities = ["agile"] if card.is_agile else []
    abilities += [ability.name for ability in card.abilities]
    found: dict[str, str | int] = {
        "faction": card.faction.value,
        "rows": " ".join(card.rows),
        "abilities": " ".join(abilities),
        "calls": " ".join(face for one in card.abilities for face in one.faces),
        "touches": " ".join(row for one in card.abilities for row in one.rows),
        "hero": "yes" if card.is_hero else "",
        "starter": max(one.deck.count(card.id) for one in STARTERS) or "",
    }
    strength: dict[str, str | int] = (
        {"strength": card.strength} if card.is_fighter else {}
    )
    told = {name: value for name, value in found.items() if value != ""}
    return told | strength | {"copies": card.copies}


def options() -> dict[str, Text]:
    """Words that are options, or what markers and attributes say."""
    factions = {faction.value: FACTION_NAMES[faction] for faction in FACTIONS}
    decks = {one.id: one.name for one in READY.values()}
    return factions | decks | ABILITIES


def words() -> list[tuple[str, Text]]:
    """Every key, by what it names."""
    chapters = {
        "place": PLACES | AUTOMATON_PLACES,
        "counter": COUNTERS,
        "marker": MARKERS,
        "question": QUESTIONS,
        "decline": DECLINES,
        "option": options(),
        "about": ABOUT,
        "event": EVENTS,
        "roll": ROLLS,
        "rule": RULES,
    }
    return [
        (f"{chapter}.{key}", text)
        for chapter, texts in chapters.items()
        for key, text in texts.items()
    ]
