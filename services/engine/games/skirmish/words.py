"""What a client has to show: every card's words and every key the rules use.

Placeholders of declared events: {seat} who it is about, {cards} and {places} in the
order named, {words}, {number}. Where an event has two cards the first one acts.
"""

from services.engine.games.skirmish.pieces import (
    COMMANDERS,
    DISASTERS,
    SOLDIERS,
    TACTICS,
    WEATHERS,
    Commander,
    Skill,
    Soldier,
    Tactic,
)
from services.engine.kernel import Catalog, Face, Text

COMMANDER_TEXTS = {
    Commander.WOLF: Text(
        "Soldiers from your hand may go to any row of your side, without penalty.",
        "你的手牌士兵可以部署到己方任意一行，且不受位置惩罚。",
    ),
    Commander.FIRE_FOX: Text(
        "Draw one more tactic at set-up, and one after each round in which you laid "
        "none.",
        "开局多摸一张战术牌；若某回合没有打出战术，下一回合开始时再摸一张。",
    ),
    Commander.SNOW_LEOPARD: Text(
        "Snow counts as clear on your side, and each soldier there has +1.",
        "己方把雪天当作晴天，己方每名士兵攻击加1。",
    ),
    Commander.VULTURE: Text(
        "When you win a round you may draw a soldier.",
        "赢下一个回合后，你可以摸一张士兵牌。",
    ),
}

SKILL_TEXTS = {
    Skill.LURKER: Text(
        "If it is alive when the round ends it stays on the table for the next one.",
        "回合结束时若还活着，就留在场上进入下一回合。",
    ),
    Skill.SPY: Text(
        "Is placed with an enemy and counts for them; take a soldier at random from "
        "their hand.",
        "放置时放到一名敌人的阵地，攻击归对方；随后随机拿走其一张士兵手牌。",
    ),
    Skill.MEDIC: Text(
        "When turned up: ward a face-up soldier of this side; only death touches it.",
        "翻开时：为本方一名明牌士兵提供护理，此后除死亡外什么都影响不了它。",
    ),
    Skill.BROTHERS: Text(
        "+1 for every other Band of Brothers on its side.",
        "本方每有另一名兄弟连，攻击加1。",
    ),
    Skill.SPOTTER: Text(
        "Spots one sniper of its side: +1 for that soldier.",
        "为本方一名狙击兵指示目标，使其攻击加1。",
    ),
    Skill.COVER: Text(
        "While it lives it may die in place of another soldier of its side.",
        "活着的时候，可以替本方一名将死的士兵去死。",
    ),
    Skill.BUGLE: Text(
        "+2 for the other soldiers of its row.", "同一行的其他士兵攻击加2。"
    ),
    Skill.LONE_RANGER: Text(
        "Shares its row with nobody from your hand this round.",
        "本回合不与你手牌里的其他士兵同处一行。",
    ),
    Skill.BOMBER: Text(
        "Before anything is turned up you may show it and choose a row: all there die, "
        "and so does it.",
        "翻牌开始前可抢先亮出并指定一行：那一行全体与它一同阵亡。",
    ),
    Skill.ROOKIE: Text(
        "Whoever chooses a soldier of its side to die must choose it.",
        "谁要在本方挑选阵亡者，只能先挑它。",
    ),
    Skill.CALL_OF_DUTY: Text(
        "When turned up: you may call a soldier from your hand to the table, face up.",
        "翻开时：可以从手牌叫一名士兵正面朝上登场，不占放置名额。",
    ),
    Skill.SOUL_CHASER: Text(
        "When turned up: you may take one who fell last round into your hand.",
        "翻开时：可以把上一回合的一名阵亡者收入手牌。",
    ),
    Skill.DISPATCH_TO_SCOUT: Text(
        "May go to the scout row, at -1 there.", "可以改放到侦察位，在那里攻击减1。"
    ),
    Skill.DISPATCH_TO_SNIPER: Text(
        "May go to the sniper row, at -1 there.", "可以改放到狙击位，在那里攻击减1。"
    ),
    Skill.GAZE: Text(
        "-1 for every enemy soldier in an assault row.",
        "敌方突击位上的每名士兵攻击减1。",
    ),
    Skill.OLD_HAND: Text(
        "Bad weather of any kind costs it 1 and nothing more.",
        "不论哪种坏天气，它都只减1点攻击。",
    ),
    Skill.HOT_BLOOD: Text(
        "+3 while it is the only soldier on its side.", "本方只有它一人时攻击加3。"
    ),
    Skill.SERGEANT: Text(
        "Soldiers of class assault ignore every -1.", "所有突击兵无视每一个减1。"
    ),
    Skill.ADRENALINE: Text(
        "The other soldiers of its row count double, before all else.",
        "同一行的其他士兵攻击先翻倍，再算别的。",
    ),
    Skill.QUICK_DRAW: Text(
        "When turned up: kills another face-up soldier that is not stronger.",
        "翻开时：击杀另一名攻击不高于自己的明牌士兵。",
    ),
    Skill.SNIPER_GOD: Text(
        "When turned up: kills another soldier in a sniper row.",
        "翻开时：击杀任意一方狙击位上的另一名士兵。",
    ),
    Skill.BLIND_SHOT: Text("-3 while nobody spots for it.", "没有观察手时攻击减3。"),
    Skill.SEEING_EYE: Text(
        "No tactic and no other soldier's skill changes or moves it; it can still die.",
        "战术和其他士兵的技能都改变不了、移动不了它，但它会死。",
    ),
    Skill.RECLUSE: Text(
        "-1 for every other soldier on its side.", "本方每有另一名士兵，攻击减1。"
    ),
    Skill.ASSAULT_SNIPER: Text(
        "May go to the scout row, at -2 there.", "可以改放到侦察位，在那里攻击减2。"
    ),
    Skill.PRECISION_RIFLE: Text(
        "-4 unless the weather is clear.", "天气不是晴时攻击减4。"
    ),
}

TACTIC_TEXTS = {
    Tactic.SNOW: Text(
        "Weather: attacks in scout rows become 1.", "天气：侦察位士兵攻击变为1。"
    ),
    Tactic.RAIN: Text(
        "Weather: attacks in assault rows become 1.", "天气：突击位士兵攻击变为1。"
    ),
    Tactic.FOG: Text(
        "Weather: attacks in sniper rows become 1.", "天气：狙击位士兵攻击变为1。"
    ),
    Tactic.SANDSTORM: Text(
        "Weather: attacks above 1 fall to 1, in all rows.",
        "天气：各行攻击高于1的都降到1。",
    ),
    Tactic.CLEAR: Text("Weather: the sky clears.", "天气：云开日出。"),
    Tactic.WILDFIRE: Text(
        "Disaster: soldiers with less than 6 die.", "灾难：攻击不到6的士兵阵亡。"
    ),
    Tactic.THUNDERSTORM: Text(
        "Disaster: soldiers with more than 3 die.", "灾难：攻击超过3的士兵阵亡。"
    ),
    Tactic.TSUNAMI: Text("Disaster: -2 for every soldier.", "灾难：每名士兵攻击减2。"),
    Tactic.EARTHQUAKE: Text(
        "Disaster: -3 for every soldier.", "灾难：每名士兵攻击减3。"
    ),
    Tactic.NUKE: Text(
        "Every soldier on the table dies.", "场上的士兵不分敌我全部阵亡。"
    ),
    Tactic.GENE_COPY: Text(
        "A face-up soldier of yours becomes a copy of another one.",
        "让己方一名明牌士兵变成另一名明牌士兵的样子。",
    ),
    Tactic.GENE_MUTATION: Text(
        "Double any soldier's attack, or make it 1.",
        "任选一名士兵，攻击翻倍或变成1。",
    ),
    Tactic.COERCION: Text(
        "Move an enemy soldier to the same row of your side.",
        "把一名敌方士兵拉到己方的同一行。",
    ),
    Tactic.FRENCH_SALUTE: Text(
        "If you do not win the round you may take living soldiers of your side home.",
        "没有赢下本回合时，可以把己方活着的士兵收回手牌。",
    ),
    Tactic.RESURRECTION: Text(
        "A soldier of the discard enters your side, face up.",
        "从弃牌堆选一名士兵，正面朝上加入己方。",
    ),
    Tactic.DUMB_DOWN: Text(
        "A seat discards its tactics, or all tactics on the table are void.",
        "令一人弃光战术手牌，或者让场上的战术牌全部作废。",
    ),
    Tactic.GAMBLE: Text(
        "Throw a die and a coin: on even or tails all enemy attacks are 0.",
        "掷骰子再抛硬币：出双数或出数字面，敌人的攻击都是0。",
    ),
}

PLACES = {
    "commander_deck": Text("Commanders", "指挥官牌堆"),
    "soldier_deck": Text("Soldier deck", "士兵牌堆"),
    "tactic_deck": Text("Tactic deck", "战术牌堆"),
    "commander": Text("Commander", "指挥官"),
    "soldiers": Text("Soldiers in hand", "士兵手牌"),
    "tactics": Text("Tactics in hand", "战术手牌"),
    "scout": Text("Scout row", "侦察位"),
    "assault": Text("Assault row", "突击位"),
    "sniper": Text("Sniper row", "狙击位"),
    "tactic": Text("Tactic slot", "战术位"),
    "discard": Text("Discard", "弃牌堆"),
}

COUNTERS = {
    "round": Text("Round", "回合"),
    "points": Text("Points this round", "本回合点数"),
    "total": Text("Total", "总点数"),
}

MARKERS = {
    "first": Text("Places first", "先手"),
    "weather": Text("Weather", "天气"),
    "disaster": Text("Disaster", "灾难"),
    "gamble": Text("Attacks are 0", "攻击归零"),
    "ward": Text("Warded", "受护理"),
    "copy": Text("Copy of", "复制自"),
    "mutation": Text("Mutated", "突变"),
    "spots": Text("Spots", "观察目标"),
    "leave": Text("Wolf's leave", "战狼许可"),
    "spy": Text("Laid as the spy", "作为间谍放置"),
    "stayed": Text("Stayed from last round", "上回合留场"),
    "void": Text("Void", "作废"),
    "attack": Text("Attack", "攻击"),
    "fallen": Text("Fell in round", "阵亡回合"),
}

QUESTIONS = {
    "place": Text(
        "Lay a card face down, or say that you are done.",
        "盖放一张牌，或者表示放置完毕。",
    ),
    "bomb": Text("Do you set off your Suicide Bomber?", "要引爆你的自爆兵吗？"),
    "blast": Text("Which row blows up?", "炸哪一行？"),
    "turn_up": Text("Which card do you turn up next?", "接下来翻开哪张牌？"),
    "spot": Text("For whom does your spotter spot?", "观察手为谁指示目标？"),
    "cover": Text("Whom does Cover save, dying instead?", "掩护要替谁去死？"),
    "ward": Text("Whom does the medic ward?", "医疗兵护理谁？"),
    "call_up": Text("Whom do you call up, and to which row?", "召唤谁，放到哪一行？"),
    "chase": Text("Whom do you take into your hand?", "把哪名阵亡者收入手牌？"),
    "quick_draw": Text("Whom does Quick Draw shoot?", "快枪手击杀谁？"),
    "sniper_god": Text("Whom does Sniper God shoot?", "狙神击杀谁？"),
    "copy": Text("Which soldier of yours becomes a copy?", "己方哪名士兵变成复制品？"),
    "pattern": Text("Whom does it copy?", "复制谁？"),
    "mutate": Text("Who mutates?", "让谁突变？"),
    "mutation": Text("Double the attack, or make it 1?", "攻击翻倍，还是变成1？"),
    "coerce": Text("Whom do you coerce to your side?", "把谁拉到己方？"),
    "raise": Text("Whom do you raise, and to which row?", "让谁复活，放到哪一行？"),
    "dumb_down": Text(
        "Strip a seat of its tactics, or void those on the table?",
        "弃掉一人的战术手牌，还是让场上的战术作废？",
    ),
    "strip": Text("Who discards all tactics?", "谁弃掉全部战术牌？"),
    "scavenge": Text("Do you draw a soldier?", "要摸一张士兵牌吗？"),
    "salute": Text("Which soldiers go home?", "哪些士兵撤回手牌？"),
    "throw": Text("Rock, paper or scissors?", "石头、剪刀还是布？"),
}

DECLINES = {
    "place": Text("done placing", "放置完毕"),
    "bomb": Text("no", "不引爆"),
    "cover": Text("nobody", "谁也不救"),
    "call_up": Text("nobody", "不召唤"),
    "chase": Text("nobody", "不收回"),
    "scavenge": Text("no", "不摸"),
    "salute": Text("all of them stay", "全部留下"),
}

OPTIONS = {
    "double": Text("Double it", "翻倍"),
    "one": Text("Make it 1", "变为1"),
    "strip": Text("Strip a seat of its tactics", "弃掉一人的战术"),
    "void": Text("Void the tactics on the table", "场上战术作废"),
    "draw": Text("Draw a soldier", "摸一张士兵"),
    "rock": Text("Rock", "石头"),
    "paper": Text("Paper", "布"),
    "scissors": Text("Scissors", "剪刀"),
}

EVENTS = {
    "done": Text("{seat} is done placing.", "{seat}放置完毕。"),
    "declines": Text("{seat} declines: {words}.", "{seat}放弃：{words}。"),
    "no_blast": Text("Nobody sets off a bomb.", "无人引爆。"),
    "blast": Text(
        "{seat} blows up {places} with {cards}.", "{seat}用{cards}炸掉{places}。"
    ),
    "covers": Text("{seat} saves a soldier: {cards}.", "{seat}发动掩护：{cards}。"),
    "kills": Text("{seat} has a soldier shot: {cards}.", "{seat}的士兵开枪：{cards}。"),
    "wards": Text("{seat} wards a soldier: {cards}.", "{seat}护理一名士兵：{cards}。"),
    "strips": Text("{seat} must discard all tactics.", "{seat}弃掉全部战术手牌。"),
    "voids": Text(
        "{seat} voids every tactic on the table.", "{seat}使场上战术全部作废。"
    ),
    "round_won": Text(
        "{seat} wins the round with {number} points.", "{seat}以{number}点赢下本回合。"
    ),
    "round_tied": Text(
        "The round is tied at {number} points: nobody has won it.",
        "本回合{number}点打平，无人获胜。",
    ),
    "throws": Text("{seat} throws {words}.", "{seat}出了{words}。"),
}

ROLLS = {
    "gamble_die": Text("The gamble's die: even hits", "赌局的骰子：双数命中"),
    "gamble_coin": Text(
        "The gamble's coin: 2, tails, hits", "赌局的硬币：2为数字面，命中"
    ),
}

RULES = {
    "game": Text("Game", "对局"),
    "go_on": Text("Game", "对局"),
    "round": Text("Round", "回合"),
    "placing": Text("Placing", "放置阶段"),
    "place_cards": Text("Placing cards", "放置卡牌"),
    "ask_to_place": Text("Choosing a card", "选择卡牌"),
    "turning_up": Text("Turning up", "掀开阶段"),
    "bomb_window": Text("The bomb's window", "自爆时机"),
    "blow_up": Text("Explosion", "引爆"),
    "next_to_turn_up": Text("Next card", "下一张牌"),
    "turn_up": Text("Turning up a card", "翻开一张牌"),
    "enter": Text("A soldier enters", "士兵登场"),
    "spot": Text("Spotting", "观察"),
    "choose_one": Text("Choosing", "选择"),
    "may_choose": Text("Choosing, if wanted", "可选"),
    "die": Text("Death", "阵亡"),
    "covered": Text("Cover", "掩护"),
    "kill_one": Text("A shot", "击杀"),
    "medic": Text("Part-time Medic", "兼职医疗"),
    "call_of_duty": Text("Call of Duty", "使命召唤"),
    "soul_chaser": Text("Soul Chaser", "冥土追魂"),
    "quick_draw": Text("Quick Draw", "快枪手"),
    "sniper_god": Text("Sniper God", "狙神"),
    "play_tactic": Text("A tactic", "战术"),
    "nuke": Text("Tactical Nuke", "战术核弹"),
    "gene_copy": Text("Gene Copy", "基因复制"),
    "gene_mutation": Text("Gene Mutation", "基因突变"),
    "coercion": Text("Coercion", "威逼利诱"),
    "resurrection": Text("Resurrection", "秽土转生"),
    "dumb_down": Text("Dumbing Strike", "降智打击"),
    "reckoning": Text("Reckoning", "计算阶段"),
    "strike": Text("The disaster", "灾难"),
    "end_of_round": Text("End of the round", "回合结束"),
    "scavenge": Text("Vulture", "秃鹫"),
    "salute": Text("French Salute", "法式军礼"),
    "next_round": Text("The next round", "下一回合"),
    "next_first_placer": Text("Who places first", "决定先手"),
    "throw_fingers": Text("Rock, paper, scissors", "猜拳"),
    "throw": Text("A throw", "出拳"),
}


def catalog() -> Catalog:
    """All faces, and the words of the tables above."""
    return Catalog({face.id: face for face in faces()}, dict(words()))


def faces() -> list[Face]:
    """Every face there is: commanders, soldiers, tactics."""
    return [
        *(
            Face(one.value, "commander", name, COMMANDER_TEXTS[one], {"copies": 1})
            for one, name in COMMANDERS.items()
        ),
        *(soldier_face(one) for one in SOLDIERS.values()),
        *(
            Face(
                one.value,
                kind_of(one),
                name,
                TACTIC_TEXTS[one],
                {"copies": copies},
            )
            for one, (copies, name) in TACTICS.items()
        ),
    ]


def soldier_face(one: Soldier) -> Face:
    """What is printed on a soldier."""
    attributes: dict[str, str | int] = {
        "class": one.row.value,
        "number": one.number,
        "attack": one.attack,
        "skill": one.skill.value,
        "copies": 1,
    }
    return Face(one.face, "soldier", one.name, SKILL_TEXTS[one.skill], attributes)


def kind_of(tactic: Tactic) -> str:
    """Weather, disaster, or plain tactic."""
    if tactic in WEATHERS:
        return "weather"
    return "disaster" if tactic in DISASTERS else "tactic"


def words() -> list[tuple[str, Text]]:
    """Every key, by what it names."""
    chapters = {
        "place": PLACES,
        "counter": COUNTERS,
        "marker": MARKERS,
        "question": QUESTIONS,
        "decline": DECLINES,
        "option": OPTIONS,
        "event": EVENTS,
        "roll": ROLLS,
        "rule": RULES,
    }
    return [
        (f"{chapter}.{key}", text)
        for chapter, texts in chapters.items()
        for key, text in texts.items()
    ]
