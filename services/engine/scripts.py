"""The engine's writes, each one script: it checks, then writes, or writes nothing.

A table's keys share the hash tag `{table}`. The hash `engine:{table}:state` has where
the journal stands (position, hash, head), who owns it (worker, address, epoch, token,
until, alive, released), `owed` milliseconds by which open clocks have still to be set
back, and `flag`, once the table is stopped. Times are the store's own.
"""

from services.chassis.stores import Script

_NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function ms(number) return string.format('%.0f', number) end
"""

# KEYS request. ARGV table id, seconds to remember. -> the table id claimed first.
CLAIM = Script(
    "claim",
    """
redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ARGV[2])
return redis.call('GET', KEYS[1])
""",
)

# KEYS state, journal. ARGV text, hash, head. -> 1, or 0 where the table exists.
CREATE = Script(
    "create",
    _NOW
    + """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('XADD', KEYS[2], '1-0', 'e', ARGV[1])
redis.call('HSET', KEYS[1], 'position', 1, 'hash', ARGV[2], 'head', ARGV[3],
  'epoch', 0, 'token', '', 'worker', '', 'address', '', 'until', 0,
  'alive', ms(now), 'released', 1, 'owed', 0, 'flag', '')
return 1
""",
)

# KEYS state, journal. ARGV first, last, at most how many. -> texts, in order.
# A script, so that it is read where it is written: after a failover another connection
# may still lead to the old primary, and a shorter journal would stop the table.
READ = Script(
    "read",
    """
local texts = {}
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], ARGV[1] .. '-0', ARGV[2] .. '-0',
  'COUNT', ARGV[3])) do
  texts[#texts + 1] = entry[2][2]
end
return texts
""",
)

# KEYS state. ARGV worker, address, lease, hint, token, then outages as start, end.
# -> absent | flagged, reason | owned, address
#    | taken, epoch, token, position, hash, head, owed, disclosed.
# A table whose worker vanished had its clocks stopped since; one that was handed over
# only while no worker at all was there.
TAKE_OVER = Script(
    "take_over",
    _NOW
    + """
local was = redis.call('HMGET', KEYS[1], 'epoch', 'worker', 'address', 'until',
  'alive', 'released', 'position', 'hash', 'head', 'owed', 'flag', 'disclosed')
if not was[1] then return {'absent'} end
if was[11] ~= '' then return {'flagged', was[11]} end
local lives = tonumber(was[4]) > now
if lives and was[2] ~= ARGV[1] then return {'owned', was[3]} end
local away, alive = 0, tonumber(was[5])
if was[6] == '1' then
  for i = 6, #ARGV, 2 do
    local since = math.max(alive, tonumber(ARGV[i]))
    away = away + math.max(0, tonumber(ARGV[i + 1]) - since)
  end
elseif not lives then away = math.max(0, now - alive) end
local epoch = math.max(tonumber(was[1]), tonumber(ARGV[4])) + 1
local token = ms(epoch) .. '-' .. ARGV[5]
local owed = tonumber(was[10]) + away
redis.call('HSET', KEYS[1], 'epoch', ms(epoch), 'token', token, 'worker', ARGV[1],
  'address', ARGV[2], 'until', ms(now + tonumber(ARGV[3])), 'alive', ms(now),
  'released', 0, 'owed', ms(owed))
return {'taken', epoch, token, tonumber(was[7]), was[8], was[9], owed,
  was[12] and 1 or 0}
""",
)

# KEYS state, journal. ARGV token, hash before, position, hash, head, text, lease, paid.
# -> 1, or 0 where epoch or journal are not the worker's any more.
APPEND = Script(
    "append",
    _NOW
    + """
local is = redis.call('HMGET', KEYS[1], 'token', 'hash')
if is[1] ~= ARGV[1] or is[2] ~= ARGV[2] then return 0 end
redis.call('XADD', KEYS[2], ARGV[3] .. '-0', 'e', ARGV[6])
redis.call('HSET', KEYS[1], 'position', ARGV[3], 'hash', ARGV[4], 'head', ARGV[5],
  'until', ms(now + tonumber(ARGV[7])), 'alive', ms(now))
if ARGV[8] ~= '0' then redis.call('HINCRBY', KEYS[1], 'owed', '-' .. ARGV[8]) end
return 1
""",
)

# KEYS state. ARGV token, hash. -> 1 where both are still the worker's own.
CONFIRM = Script(
    "confirm",
    """
local is = redis.call('HMGET', KEYS[1], 'token', 'hash')
return is[1] == ARGV[1] and is[2] == ARGV[2] and 1 or 0
""",
)

# KEYS state. ARGV token, lease. -> 1, or 0 where the epoch is not the worker's.
RENEW = Script(
    "renew",
    _NOW
    + """
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'until', ms(now + tonumber(ARGV[2])), 'alive', ms(now))
return 1
""",
)

# KEYS state. ARGV token. -> 1, or 0 where the epoch is not the worker's.
RELEASE = Script(
    "release",
    _NOW
    + """
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'until', 0, 'released', 1, 'alive', ms(now))
return 1
""",
)

# KEYS state, journal. ARGV token, reason, for how long both are kept. -> 1, or 0 where
# the epoch is not the worker's. One that was disclosed goes when it would have gone.
FLAG = Script(
    "flag",
    """
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'flag', ARGV[2], 'token', '', 'until', 0)
for _, key in ipairs(KEYS) do
  if redis.call('PTTL', key) == -1 then redis.call('PEXPIRE', key, ARGV[3]) end
end
return 1
""",
)

# KEYS state, journal. ARGV token, milliseconds. -> 1, or 0 as above.
RETIRE = Script(
    "retire",
    """
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'disclosed', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
""",
)

# KEYS alive, outages, rules. ARGV the gap that is an outage, how many are kept, where
# the worker is called, then the rules it has.
# -> start, end, start, end, ... of the last outages of the whole service.
BEAT = Script(
    "beat",
    _NOW
    + """
local last = tonumber(redis.call('GET', KEYS[1]) or ms(now))
redis.call('SET', KEYS[1], ms(now))
if now - last > tonumber(ARGV[1]) then
  redis.call('RPUSH', KEYS[2], ms(last), ms(now))
  redis.call('LTRIM', KEYS[2], -2 * tonumber(ARGV[2]), -1)
end
for i = 4, #ARGV do
  redis.call('ZADD', KEYS[3], ms(now + tonumber(ARGV[1])), ARGV[i] .. ' ' .. ARGV[3])
end
redis.call('PEXPIRE', KEYS[3], ARGV[1])
return redis.call('LRANGE', KEYS[2], 0, -1)
""",
)

# KEYS state. -> where the worker is called whose lease lives; empty if none does.
OWNER = Script(
    "owner",
    _NOW
    + """
local is = redis.call('HMGET', KEYS[1], 'address', 'until')
return is[2] and tonumber(is[2]) > now and is[1] or ''
""",
)

# KEYS rules. -> rules and address of every worker that is here.
HAVING = Script(
    "having",
    _NOW
    + """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ms(now))
return redis.call('ZRANGE', KEYS[1], 0, -1)
""",
)

# KEYS state, journal. -> nothing, or position, worker whose lease lives, flag, and the
# texts of the first and the last entry.
LINE = Script(
    "line",
    _NOW
    + """
local is = redis.call('HMGET', KEYS[1], 'position', 'worker', 'until', 'flag')
local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
if not is[1] or not first then return {} end
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
local worker = tonumber(is[3]) > now and is[2] or ''
return {tonumber(is[1]), worker, is[4], first[2][2], last[2][2]}
""",
)

# KEYS a sorted set of tables. -> all of them.
TABLES = Script("tables", "return redis.call('ZRANGE', KEYS[1], 0, -1)")

# KEYS list. ARGV table, for how long it is kept, however often it is noted.
NOTE_STOPPED = Script(
    "note_stopped",
    _NOW
    + """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ms(now - tonumber(ARGV[2])))
redis.call('ZADD', KEYS[1], 'NX', ms(now), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
""",
)

# KEYS mark, stream. ARGV piece, how long the mark and how long the stream is kept, how
# many pieces are. -> 1, or 0 where it was put up before.
PUT_UP = Script(
    "put_up_news",
    _NOW
    + """
if not redis.call('SET', KEYS[1], 1, 'NX', 'PX', ARGV[2]) then return 0 end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'e', ARGV[1])
redis.call('XTRIM', KEYS[2], 'MINID', '~', ms(now - tonumber(ARGV[3])))
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1
""",
)

# KEYS stream. ARGV first id, `(` before it for those behind it, at most how many.
# -> id, piece of each, in order. A script, for the reason that READ is one.
NEWS = Script(
    "read_news",
    """
local pieces = {}
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2])) do
  pieces[#pieces + 1] = {entry[1], entry[2][2]}
end
return pieces
""",
)

# KEYS deadlines. ARGV due, table, 1 to make the time another than what a former owner
# may have seen. An earlier time stays. -> what there is now.
ARM = Script(
    "arm",
    """
redis.call('ZADD', KEYS[1], 'LT', ARGV[1], ARGV[2])
if ARGV[3] == '1' then redis.call('ZINCRBY', KEYS[1], -1, ARGV[2]) end
return redis.call('ZSCORE', KEYS[1], ARGV[2])
""",
)

# KEYS deadlines. ARGV until, at most how many. -> table, time, table, time, ...
DUE = Script(
    "due",
    """
return redis.call('ZRANGEBYSCORE', KEYS[1], 0, ARGV[1], 'WITHSCORES', 'LIMIT', 0,
  ARGV[2])
""",
)

# KEYS deadlines. ARGV table, the time that was served, the next one ('' for none).
# -> 1, or 0 where another has set it meanwhile.
SERVED = Script(
    "served",
    """
local is = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not is or tonumber(is) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then redis.call('ZREM', KEYS[1], ARGV[1])
else redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return 1
""",
)

# KEYS said. ARGV seat, team or '', text, request, how many are kept, for how long, how
# many one seat may say, within how long. -> said | again, number | many, wait.
SAY = Script(
    "say",
    _NOW
    + """
local last, mine, since = 0, 0, 0
for _, entry in ipairs(redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', ARGV[5])) do
  local number, told = tonumber(string.match(entry[1], '^%d+')), entry[2]
  last = math.max(last, number)
  if told[2] == ARGV[1] then
    if told[8] == ARGV[4] then return {'again', ms(number)} end
    if number > now - tonumber(ARGV[8]) then mine, since = mine + 1, number end
  end
end
if mine >= tonumber(ARGV[7]) then
  return {'many', ms(since + tonumber(ARGV[8]) - now)}
end
local number = ms(math.max(now, last + 1))
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[5], number .. '-0',
  's', ARGV[1], 't', ARGV[2], 'w', ARGV[3], 'r', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[6])
return {'said', number}
""",
)

# KEYS said. -> what is kept, in order.
SAID = Script("said", "return redis.call('XRANGE', KEYS[1], '-', '+')")
