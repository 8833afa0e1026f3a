"""The changes of the store, one script each: all of a change happens, or none of it.

Versions decide whether a change happens. Clocks (the caller's) only decide how long
things last, so two servers whose clocks differ do no harm to each other.
"""

from services.chassis.stores import Script

# A ticket is a hash: `version`, `body`, and `fresh`: until when its player is thought
# to care. `fresh` is apart from the body so that watching never disturbs a change. A
# queue is a sorted set of ticket ids by age; `pools` has the length of each queue.

CREATE = Script(
    "create_ticket",
    """
    -- KEYS: ticket, player's open tickets, player's rate, queue, due, pools
    -- ARGV: id, body, now, fresh, ttl, keep, open limit, rate limit, rate window,
    --       pool, channel
    if redis.call('EXISTS', KEYS[1]) == 1 then return {'MADE'} end
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[3])
    if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[7]) then return {'OPEN'} end
    if redis.call('INCR', KEYS[3]) == 1 then
        redis.call('PEXPIRE', KEYS[3], ARGV[9])
    end
    if tonumber(redis.call('GET', KEYS[3])) > tonumber(ARGV[8]) then
        return {'RATE', redis.call('PTTL', KEYS[3])}
    end
    redis.call('HSET', KEYS[1], 'version', 1, 'body', ARGV[2], 'fresh', ARGV[4])
    redis.call('PEXPIRE', KEYS[1], ARGV[5])
    redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
    redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
    redis.call('ZADD', KEYS[5], ARGV[4], ARGV[1])
    redis.call('ZADD', KEYS[6], redis.call('ZCARD', KEYS[4]), ARGV[10])
    for i = 2, 6 do
        if i ~= 3 then redis.call('PEXPIRE', KEYS[i], ARGV[6]) end
    end
    redis.call('PUBLISH', ARGV[11], 'queue')
    return {'NEW'}
    """,
)

READ = Script(
    "read_tickets",
    """
    -- KEYS: tickets
    local found = {}
    for i, key in ipairs(KEYS) do
        found[i] = redis.call('HMGET', key, 'body', 'fresh')
    end
    return found
    """,
)

TOUCH = Script(
    "touch_ticket",
    """
    -- KEYS: ticket, player's open tickets, queue, due, pools
    -- ARGV: id, fresh, ttl, keep
    if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
    redis.call('HSET', KEYS[1], 'fresh', ARGV[2])
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
    redis.call('ZADD', KEYS[2], 'XX', ARGV[2], ARGV[1])
    for i = 2, 5 do redis.call('PEXPIRE', KEYS[i], ARGV[4]) end
    return 1
    """,
)

SWAP_ALL = """
    -- KEYS: queue, due, pools, then of each ticket: itself, its player's open tickets
    -- ARGV: pool, channel, keep, count, then of each ticket: id, old version, version,
    --       body, ttl, place in the queue or '', when due or '', whether open
    local count = tonumber(ARGV[4])
    for i = 0, count - 1 do
        if redis.call('HGET', KEYS[4 + 2 * i], 'version') ~= ARGV[6 + 8 * i] then
            return 0
        end
    end
    for i = 0, count - 1 do
        local ticket, mine = KEYS[4 + 2 * i], KEYS[5 + 2 * i]
        local id, _, version, body, ttl, place, due, open =
            unpack(ARGV, 5 + 8 * i, 12 + 8 * i)
        redis.call('HSET', ticket, 'version', version, 'body', body)
        redis.call('PEXPIRE', ticket, ttl)
        if place == '' then redis.call('ZREM', KEYS[1], id)
        else redis.call('ZADD', KEYS[1], place, id) end
        if due == '' then redis.call('ZREM', KEYS[2], id)
        else redis.call('ZADD', KEYS[2], due, id) end
        if open ~= '1' then redis.call('ZREM', mine, id) end
        redis.call('PUBLISH', ARGV[2], id)
    end
    local length = redis.call('ZCARD', KEYS[1])
    if length == 0 then redis.call('ZREM', KEYS[3], ARGV[1])
    else redis.call('ZADD', KEYS[3], length, ARGV[1]) end
    for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[3]) end
"""

SWAP = Script("swap_tickets", SWAP_ALL + "    return 1\n")

SEAT = Script(
    "seat_tickets",
    SWAP_ALL
    + """
    -- then KEYS: of each ticket its player's seats; the calls' queue; the calls
    -- then ARGV: now, how many seats a player's list keeps, how long; of each ticket
    --       its seat; how long calls live; of each call: id, body
    local key, arg = 4 + 2 * count, 5 + 8 * count
    local now, most, keep = unpack(ARGV, arg, arg + 2)
    for i = 0, count - 1 do
        local seats = KEYS[key + i]
        redis.call('ZADD', seats, now, ARGV[arg + 3 + i])
        redis.call('ZREMRANGEBYRANK', seats, 0, -1 - most)
        redis.call('PEXPIRE', seats, keep)
    end
    key, arg = key + count, arg + 3 + count
    for i = 1, #KEYS - key do
        local id, body = ARGV[arg + 2 * i - 1], ARGV[arg + 2 * i]
        redis.call('SET', KEYS[key + i], body, 'PX', ARGV[arg])
        redis.call('ZADD', KEYS[key], 0, id)
        redis.call('PEXPIRE', KEYS[key], ARGV[arg])
        redis.call('PUBLISH', ARGV[2], 'calls')
    end
    return 1
    """,
)

FORGET = Script(
    "forget_ticket",
    """
    -- KEYS: ticket, then lists. ARGV: id
    if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
    for i = 2, #KEYS do redis.call('ZREM', KEYS[i], ARGV[1]) end
    return 1
    """,
)

QUEUE = Script(
    "read_queue",
    """
    -- KEYS: queue, pools. ARGV: how many at the most, pool
    local length = redis.call('ZCARD', KEYS[1])
    if length == 0 then redis.call('ZREM', KEYS[2], ARGV[2])
    else redis.call('ZADD', KEYS[2], length, ARGV[2]) end
    return redis.call('ZRANGE', KEYS[1], 0, ARGV[1] - 1)
    """,
)

DUE = Script(
    "read_due",
    """
    -- KEYS: due. ARGV: now, how many at the most
    return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
    """,
)

RESCORE = Script(
    "rescore_due",
    """
    -- KEYS: due. ARGV: id, when due
    return redis.call('ZADD', KEYS[1], 'XX', ARGV[2], ARGV[1])
    """,
)

LENGTH = Script("length", "return redis.call('ZCARD', KEYS[1])")

POOLS = Script("pools", "return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')")

HEAD = Script("head", "return redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')")

NEWEST = Script("newest", "return redis.call('ZREVRANGE', KEYS[1], 0, -1)")

CREATE_ROOM = Script(
    "create_room",
    """
    -- KEYS: the request's room, the player's rate, the room of a new code
    -- ARGV: code, body, ttl, rate limit, rate window
    local made = redis.call('GET', KEYS[1])
    if made then return {'MADE', made} end
    if redis.call('EXISTS', KEYS[3]) == 1 then return {'TAKEN'} end
    if redis.call('INCR', KEYS[2]) == 1 then
        redis.call('PEXPIRE', KEYS[2], ARGV[5])
    end
    if tonumber(redis.call('GET', KEYS[2])) > tonumber(ARGV[4]) then
        return {'RATE', redis.call('PTTL', KEYS[2])}
    end
    redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
    redis.call('SET', KEYS[3], ARGV[2], 'PX', ARGV[3])
    return {'NEW', ARGV[2]}
    """,
)

READ_ROOM = Script("read_room", "return redis.call('GET', KEYS[1])")

CLAIM_CALL = Script(
    "claim_call",
    """
    -- KEYS: the calls' queue, the call. ARGV: id, now, claimed until
    local due = redis.call('ZSCORE', KEYS[1], ARGV[1])
    if not due or tonumber(due) > tonumber(ARGV[2]) then return false end
    local body = redis.call('GET', KEYS[2])
    if body then redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
    else redis.call('ZREM', KEYS[1], ARGV[1]) end
    return body
    """,
)

GIVE_BACK_CALL = Script(
    "give_back_call",
    """
    -- KEYS: the calls' queue. ARGV: id, channel
    redis.call('PUBLISH', ARGV[2], 'calls')
    return redis.call('ZADD', KEYS[1], 'XX', 0, ARGV[1])
    """,
)

TAKE_CALL = Script(
    "take_call",
    """
    -- KEYS: the calls' queue, the call. ARGV: id
    redis.call('DEL', KEYS[2])
    return redis.call('ZREM', KEYS[1], ARGV[1])
    """,
)
