"""The changes of the store, one script each: all of a change happens, or none of it.

Versions decide whether a change happens. Clocks (the caller's) only decide how long
things last, so two servers whose clocks differ do no harm to each other.
"""

from services.chassis.stores import Script

# A ticket is a hash: `version`, `body`, and `fresh`: until when its player is thought
# to care. `fresh` is apart from the body so that watching never disturbs a change. A
# queue is a sorted set of ticket ids by age, and its crowd has one member for everybody
# who comes along with another's ticket. `pools` has each queue with somebody in it, and
# the number of its last change: `changes` counts them. A party is a hash: `version`
# and `body`.

ENTER = """
    local function set_place(queue, crowd, pool, id, size, place, pools, changes, keep)
        for i = 1, size - 1 do
            if place == '' then redis.call('ZREM', crowd, id .. '/' .. i)
            else redis.call('ZADD', crowd, place, id .. '/' .. i) end
        end
        if place == '' then redis.call('ZREM', queue, id)
        else redis.call('ZADD', queue, place, id) end
        if redis.call('ZCARD', queue) == 0 then redis.call('ZREM', pools, pool)
        else redis.call('ZADD', pools, redis.call('INCR', changes), pool) end
        redis.call('PEXPIRE', queue, keep)
        redis.call('PEXPIRE', crowd, keep)
    end
"""

CREATE = Script(
    "create_ticket",
    ENTER
    + """
    -- KEYS: ticket, maker's rate, queue, crowd, due, pools, changes, party, then of
    --       each of its people his open tickets
    -- ARGV: id, body, now, fresh, ttl, keep, open limit, rate limit, rate window,
    --       pool, channel, size, the party's old version or '', version, body, ttl
    if redis.call('EXISTS', KEYS[1]) == 1 then return {'MADE'} end
    if ARGV[13] ~= '' and redis.call('HGET', KEYS[8], 'version') ~= ARGV[13] then
        return {'PARTY'}
    end
    for i = 9, #KEYS do
        redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', ARGV[3])
        if redis.call('ZCARD', KEYS[i]) >= tonumber(ARGV[7]) then return {'OPEN'} end
    end
    if redis.call('INCR', KEYS[2]) == 1 then
        redis.call('PEXPIRE', KEYS[2], ARGV[9])
    end
    if tonumber(redis.call('GET', KEYS[2])) > tonumber(ARGV[8]) then
        return {'RATE', redis.call('PTTL', KEYS[2])}
    end
    redis.call('HSET', KEYS[1], 'version', 1, 'body', ARGV[2], 'fresh', ARGV[4])
    redis.call('PEXPIRE', KEYS[1], ARGV[5])
    set_place(KEYS[3], KEYS[4], ARGV[10], ARGV[1], tonumber(ARGV[12]), ARGV[3],
        KEYS[6], KEYS[7], ARGV[6])
    redis.call('ZADD', KEYS[5], ARGV[4], ARGV[1])
    for i = 9, #KEYS do redis.call('ZADD', KEYS[i], ARGV[4], ARGV[1]) end
    for i = 5, #KEYS do
        if i ~= 8 then redis.call('PEXPIRE', KEYS[i], ARGV[6]) end
    end
    if ARGV[13] ~= '' then
        redis.call('HSET', KEYS[8], 'version', ARGV[14], 'body', ARGV[15])
        redis.call('PEXPIRE', KEYS[8], ARGV[16])
        redis.call('PUBLISH', ARGV[11], KEYS[8])
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
    -- KEYS: ticket, queue, crowd, due, pools, changes, its people's open tickets
    -- ARGV: id, fresh, ttl, keep
    if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
    redis.call('HSET', KEYS[1], 'fresh', ARGV[2])
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
    for i = 7, #KEYS do redis.call('ZADD', KEYS[i], 'XX', ARGV[2], ARGV[1]) end
    for i = 2, #KEYS do redis.call('PEXPIRE', KEYS[i], ARGV[4]) end
    return 1
    """,
)

ALL_STAND = """
    -- KEYS: due, pools, changes, then of each ticket: itself, its queue, its queue's
    --       crowd, and of each of its people his open tickets
    -- ARGV: channel, keep, count, then of each ticket: id, old version, version, body,
    --       ttl, place in the queue or '', when due or '', whether open, pool, size
    local count = tonumber(ARGV[3])
    local key, arg = 4, 4
    for i = 1, count do
        if redis.call('HGET', KEYS[key], 'version') ~= ARGV[arg + 1] then return 0 end
        key, arg = key + 3 + tonumber(ARGV[arg + 9]), arg + 10
    end
"""

SWAP_ALL = """
    key, arg = 4, 4
    for i = 1, count do
        local id, _, version, body, ttl, place, due, open, pool, size =
            unpack(ARGV, arg, arg + 9)
        redis.call('HSET', KEYS[key], 'version', version, 'body', body)
        redis.call('PEXPIRE', KEYS[key], ttl)
        size = tonumber(size)
        set_place(KEYS[key + 1], KEYS[key + 2], pool, id, size, place,
            KEYS[2], KEYS[3], ARGV[2])
        if due == '' then redis.call('ZREM', KEYS[1], id)
        else redis.call('ZADD', KEYS[1], due, id) end
        if open ~= '1' then
            for i = key + 3, key + 2 + size do redis.call('ZREM', KEYS[i], id) end
        end
        redis.call('PUBLISH', ARGV[1], id)
        key, arg = key + 3 + size, arg + 10
    end
    for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[2]) end
"""

SWAP = Script("swap_tickets", ENTER + ALL_STAND + SWAP_ALL + "    return 1\n")

# Calls are queued by when they are due. Where no host is there to find those whose
# bodies have run out, the next that comes takes them away.
CALL = """
    local function call_from(queue, id, now, live)
        redis.call('ZADD', queue, 'NX', now, id)
        redis.call('ZREMRANGEBYSCORE', queue, '-inf', '(' .. (now - live))
        redis.call('PEXPIRE', queue, live)
    end
"""

SEAT = Script(
    "seat_tickets",
    ENTER
    + CALL
    + ALL_STAND
    + SWAP_ALL
    + """
    -- then KEYS: the table; of each player his seats; the calls' queue; the calls
    -- then ARGV: the table; how many players, now, how many seats a list keeps, how
    --       long; of each player his seat; how long calls live; of each call: id, body
    redis.call('SET', KEYS[key], ARGV[arg], 'PX', ARGV[arg + 4])
    key, arg = key + 1, arg + 1
    local players, now, most, keep = unpack(ARGV, arg, arg + 3)
    for i = 0, players - 1 do
        local seats = KEYS[key + i]
        redis.call('ZADD', seats, now, ARGV[arg + 4 + i])
        redis.call('ZREMRANGEBYRANK', seats, 0, -1 - most)
        redis.call('PEXPIRE', seats, keep)
    end
    key, arg = key + players, arg + 4 + players
    for i = 1, #KEYS - key do
        local id, body = ARGV[arg + 2 * i - 1], ARGV[arg + 2 * i]
        redis.call('SET', KEYS[key + i], body, 'PX', ARGV[arg])
        call_from(KEYS[key], id, now, ARGV[arg])
        redis.call('PUBLISH', ARGV[1], 'calls')
    end
    return 1
    """,
)

FORGET = Script(
    "forget_ticket",
    """
    -- KEYS: ticket, then lists. ARGV: as whom they may have it
    if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
    for i = 2, #KEYS do redis.call('ZREM', KEYS[i], unpack(ARGV)) end
    return 1
    """,
)

QUEUE = Script(
    "read_queue",
    """
    -- KEYS: queue, pools; and the tickets, which are known from the queue alone
    -- ARGV: how many at the most, pool, how many are read with it, the name of a ticket
    local oldest = redis.call('ZRANGE', KEYS[1], 0, ARGV[1] - 1)
    if #oldest == 0 then redis.call('ZREM', KEYS[2], ARGV[2]) end
    if #oldest > tonumber(ARGV[3]) then return {oldest} end
    local found = {}
    for i, id in ipairs(oldest) do
        found[i] = redis.call('HMGET', ARGV[4] .. id, 'body', 'fresh')
    end
    return {oldest, found}
    """,
)

DEPTH = Script(
    "read_depth",
    """
    -- KEYS: queue, crowd
    local tickets = redis.call('ZCARD', KEYS[1])
    local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    return {tickets, tickets + redis.call('ZCARD', KEYS[2]), oldest[2] or false}
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

TAKE_LEAD = Script(
    "take_lead",
    """
    -- KEYS: lead. ARGV: who, for how long
    local leads = redis.call('GET', KEYS[1])
    if leads and leads ~= ARGV[1] then return 0 end
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return 1
    """,
)

LEAVE_LEAD = Script(
    "leave_lead",
    """
    -- KEYS: lead. ARGV: who
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('DEL', KEYS[1])
    """,
)

WAITING = Script(
    "waiting",
    """
    local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    return {redis.call('ZCARD', KEYS[1]), first[2] or false}
    """,
)

POOLS = Script("pools", "return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')")

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

CREATE_PARTY = Script(
    "create_party",
    """
    -- KEYS: party, its maker's note, the request's party, the maker's rate
    -- ARGV: code, body, ttl, what the note says, rate limit, rate window
    local made = redis.call('GET', KEYS[3])
    if made then return {'MADE', made} end
    if (redis.call('GET', KEYS[2]) or '') ~= ARGV[4] then return {'IN'} end
    if redis.call('EXISTS', KEYS[1]) == 1 then return {'TAKEN'} end
    if redis.call('INCR', KEYS[4]) == 1 then
        redis.call('PEXPIRE', KEYS[4], ARGV[6])
    end
    if tonumber(redis.call('GET', KEYS[4])) > tonumber(ARGV[5]) then
        return {'RATE', redis.call('PTTL', KEYS[4])}
    end
    redis.call('HSET', KEYS[1], 'version', 1, 'body', ARGV[2])
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
    redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
    redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[3])
    return {'NEW'}
    """,
)

READ_PARTY = Script("read_party", "return redis.call('HGET', KEYS[1], 'body')")

GET = Script("get", "return redis.call('GET', KEYS[1])")

PROLONG = Script(
    "prolong",
    """
    -- KEYS: what lives on. ARGV: ttl
    for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end
    """,
)

SWAP_PARTY = Script(
    "swap_party",
    ENTER
    + ALL_STAND
    + """
    -- then KEYS: the party, the note of the player who joins or leaves
    -- then ARGV: old version, version, body or '' for its end, ttl, code, JOIN or
    --       LEAVE, and for JOIN what the note says
    local party, note = KEYS[key], KEYS[key + 1]
    local old, now, body, live, code, what, said = unpack(ARGV, arg, arg + 6)
    if redis.call('HGET', party, 'version') ~= old then return 0 end
    local noted = redis.call('GET', note) or ''
    if what == 'JOIN' and noted ~= said then return 0 end
    """
    + SWAP_ALL
    + """
    if body == '' then redis.call('DEL', party)
    else
        redis.call('HSET', party, 'version', now, 'body', body)
        redis.call('PEXPIRE', party, live)
    end
    if what == 'JOIN' then redis.call('SET', note, code, 'PX', live)
    elseif noted == code then redis.call('DEL', note) end
    redis.call('PUBLISH', ARGV[1], party)
    return 1
    """,
)

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

ADD_CALL = Script(
    "add_call",
    CALL
    + """
    -- KEYS: the calls' queue, the call
    -- ARGV: id, body, how long calls live, now, channel
    redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
    call_from(KEYS[1], ARGV[1], ARGV[4], ARGV[3])
    redis.call('PUBLISH', ARGV[5], 'calls')
    return 1
    """,
)

GIVE_BACK_CALL = Script(
    "give_back_call",
    """
    -- KEYS: the calls' queue. ARGV: id, now, channel
    redis.call('PUBLISH', ARGV[3], 'calls')
    return redis.call('ZADD', KEYS[1], 'XX', ARGV[2], ARGV[1])
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
