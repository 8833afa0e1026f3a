"""What becomes of games that are over, one script each: seats, news, ratings.

The keys of a variant's ratings share a hash tag of their own. A rating is a hash:
`version` and `body`; the board is a sorted set of players by points, and `last` has
when each was last rated.
"""

from services.chassis.stores import Script

READ_TABLE = Script("read_table", "return redis.call('GET', KEYS[1])")

END_TABLE = Script(
    "end_table",
    """
    -- KEYS: the table, then lists of seats. ARGV: its id, its record, ttl, channel
    if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
    redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
    local its_own = '"table":"' .. ARGV[1] .. '"'
    for i = 2, #KEYS do
        for _, seat in ipairs(redis.call('ZRANGE', KEYS[i], 0, -1)) do
            if string.find(seat, its_own, 1, true) then
                redis.call('ZREM', KEYS[i], seat)
            end
        end
    end
    redis.call('PUBLISH', ARGV[4], ARGV[1])
    return 1
    """,
)

# ---- who reads the news, and how far -------------------------------------------------

TAKE_UP = Script(
    "take_up_news",
    """
    -- KEYS: the reader, the cursor. ARGV: who asks, for how long, how long the cursor
    --       is kept. -> the cursor, or nothing while another reads
    local reader = redis.call('GET', KEYS[1])
    if reader and reader ~= ARGV[1] then return false end
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    redis.call('PEXPIRE', KEYS[2], ARGV[3])
    return redis.call('GET', KEYS[2]) or ''
    """,
)

ADVANCE = Script(
    "advance_news",
    """
    -- KEYS: the reader, the cursor. ARGV: who asks, for how long, how long the cursor
    --       is kept, cursor. -> 1, or 0 where another reads by now
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[3])
    return 1
    """,
)

LET_GO = Script(
    "let_go_of_news",
    """
    -- KEYS: the reader. ARGV: who was
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('DEL', KEYS[1])
    """,
)

# ---- ratings -------------------------------------------------------------------------

READ_RATINGS = Script(
    "read_ratings",
    """
    -- KEYS: ratings. -> of each its version and body, or nothing
    local found = {}
    for i, key in ipairs(KEYS) do
        found[i] = redis.call('HMGET', key, 'version', 'body')
    end
    return found
    """,
)

RATE = Script(
    "rate_table",
    """
    -- KEYS: the table's mark, board, last, then ratings
    -- ARGV: how long the mark is kept, how long ratings are, now, then of each rating:
    --       player, old version or '', body, points
    -- -> 1; 0 where a rating is not as it was read; -1 where the table is rated
    if redis.call('EXISTS', KEYS[1]) == 1 then return -1 end
    for i = 4, #KEYS do
        local version = redis.call('HGET', KEYS[i], 'version') or ''
        if version ~= ARGV[4 * i - 11] then return 0 end
    end
    local idle = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[3] - ARGV[2],
        'LIMIT', 0, 20)
    for _, player in ipairs(idle) do
        redis.call('ZREM', KEYS[2], player)
        redis.call('ZREM', KEYS[3], player)
    end
    redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
    for i = 4, #KEYS do
        local player, version, body, points = unpack(ARGV, 4 * i - 12, 4 * i - 9)
        redis.call('HSET', KEYS[i], 'version', (tonumber(version) or 0) + 1,
            'body', body)
        redis.call('PEXPIRE', KEYS[i], ARGV[2])
        redis.call('ZADD', KEYS[2], points, player)
        redis.call('ZADD', KEYS[3], ARGV[3], player)
    end
    redis.call('PEXPIRE', KEYS[2], ARGV[2])
    redis.call('PEXPIRE', KEYS[3], ARGV[2])
    return 1
    """,
)

RANK = Script(
    "rank",
    """
    -- KEYS: board. ARGV: player. -> how many have more points, or nothing
    local points = redis.call('ZSCORE', KEYS[1], ARGV[1])
    return points and redis.call('ZCOUNT', KEYS[1], '(' .. points, '+inf')
    """,
)

BOARD = Script(
    "read_board",
    """
    -- KEYS: board. ARGV: how many, points and player that were last, or ''
    -- -> how many come before, how many have more points than the first of the page,
    --    then players and points
    -- One who has moved since is put back for a moment, to find who comes then.
    local first = 0
    if ARGV[2] ~= '' then
        local points = redis.call('ZSCORE', KEYS[1], ARGV[3])
        if points and tonumber(points) == tonumber(ARGV[2]) then
            first = redis.call('ZREVRANK', KEYS[1], ARGV[3]) + 1
        else
            local ghost = ARGV[3] .. '/'
            redis.call('ZADD', KEYS[1], ARGV[2], ghost)
            first = redis.call('ZREVRANK', KEYS[1], ghost)
            redis.call('ZREM', KEYS[1], ghost)
        end
    end
    local page = redis.call('ZREVRANGE', KEYS[1], first, first + ARGV[1] - 1,
        'WITHSCORES')
    local above = page[2] and redis.call('ZCOUNT', KEYS[1], '(' .. page[2], '+inf')
    return {first, above or first, unpack(page)}
    """,
)
