"""What a server refuses, in the player's language: servers speak English.

English readers see the server's own sentence, which knows more than a reason tells.
"""

import string

from anpai import AnpaiCallError
from clients.terminal.words import Words

# By reason, filled with its metadata; {message} is the server's sentence.
CHINESE = {
    "MALFORMED_MESSAGE": "服务器读不懂这条请求；请更新客户端。",
    "INVALID_FIELD": "{field} 的值无效；应为：{allowed}。",
    "MESSAGE_TOO_LONG": "请求过长。",
    "TOKEN_MISSING": "请先登录。",
    "TOKEN_INVALID": "登录凭证无效；请重新登录。",
    "TOKEN_EXPIRED": "登录已过期；请重新登录。",
    "NOT_ALLOWED": "你无权这样做。",
    "NOT_SEATED": "你在这张牌桌没有座位。",
    "NO_SPECTATORS": "对局结束前，只有在座的玩家能看到这张牌桌。",
    "TOKEN_REVOKED": "这位玩家目前被禁止进入。",
    "GUESTS_NOT_ADMITTED": "这里不接待访客；请以会员身份登录。",
    "TABLE_NOT_FOUND": "没有这张牌桌。",
    "GAME_NOT_FOUND": "这里没有这种游戏：{game}。",
    "TICKET_NOT_FOUND": "你没有这张排队票。",
    "ROOM_NOT_FOUND": "没有代码为 {code} 的开放房间。",
    "PARTY_NOT_FOUND": "你不在这支队伍里，或者没有这支队伍。",
    "QUESTION_STALE": "这个问题已经不再等待回答。",
    "ANSWER_ILLEGAL": "规则不允许这样回答：{message}",
    "ANSWER_ID_REUSED": "这个 answer_id 已经用于另一个回答。",
    "TABLE_ENDED": "对局已经结束。",
    "RULES_VERSION_UNAVAILABLE": "这张牌桌所用的规则版本，这里已经没有了。",
    "NOT_DISCLOSED": "对局还没有结束，尚未公开。",
    "TICKET_SETTLED": "你的座位已经分配好了。",
    "DECK_ILLEGAL": "这副牌组不能使用：{message}",
    "TABLE_NOT_OVER": "对局还在进行；结束后才能再来一局。",
    "READY_CHECK_OVER": "这次确认已经结束。",
    "IN_PARTY": "你已经在另一支队伍里；请先离开那支队伍。",
    "PARTY_FULL": "队伍已满，最多 {most} 人。",
    "NOT_LEADER": "只有队长能为队伍寻找牌桌。",
    "PARTY_WAITING": "队伍已经在等待牌桌。",
    "SEAT_OCCUPIED": "已经有人在这个座位上。",
    "LEDGER_LOST": "牌桌 {table} 的记录缺失，已停止。",
    "JOURNAL_LOST": "牌桌 {table} 的记录缺失，已停止。",
    "REPLAY_DIVERGED": "牌桌 {table} 的记录与重演不符，已停止。",
    "OVER_BUDGET": "牌桌 {table} 超出了允许的规模，已停止。",
    "REVISION_AHEAD": "客户端看到的比服务器现有的更多；请重试。",
    "OUTCOME_UNKNOWN": "目前无法确认是否已经完成；请重复一次，不会重复执行。",
    "TABLE_MOVING": "牌桌正在转移；请重试。",
    "PART_UNAVAILABLE": "服务的一部分暂时没有应答；请稍后重试。",
    "TOO_MANY": "请求过于频繁；请稍候。",
    "INTERNAL": "服务器内部出错。事件编号 {incident}。",
}


class Told(string.Formatter):
    """What the metadata does not tell is left empty."""

    def get_value(self, key: object, args: object, kwargs: object) -> str:
        return str(kwargs.get(key, "")) if isinstance(kwargs, dict) else ""


def refusal(error: AnpaiCallError, words: Words) -> str:
    """The sentence for whoever was refused."""
    sentence = CHINESE.get(error.reason) if words.language == "zh" else None
    if sentence is None:
        return error.message
    told = error.metadata | {"message": error.message}
    return Told().vformat(sentence, (), told)
