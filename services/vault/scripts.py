"""What is checked and written at once: one script for each change of a table.

Why scripts: between a check and its write nothing may come (protocol_faults F3). Each
answers with a list whose first item is "OK" or a reason of `anpai.errors.v1`.

A table has a hash `about` (commitment, sealed seed, wrapped key, epoch, how far ledger
and journal go), a hash `heads` (ledger head -> how many batches lie up to it) and a
list `ledger` (digest, head, sealed batch). It is a list because a stream refuses an id
that was cut.
"""

from services.chassis.stores import Script

# Until a worker takes it over nobody knows whether the table was ever begun: whoever
# was opening it may have died. So it is kept for ever only from then on.
OPEN = Script(
    "vault.open",
    """
    local about, heads = KEYS[1], KEYS[2]
    local commitment, seed, key, game, waiting = unpack(ARGV)
    if redis.call('EXISTS', about) == 0 then
      redis.call('HSET', about, 'commitment', commitment, 'seed', seed, 'key', key,
        'game', game, 'epoch', 0, 'token', '', 'tip', commitment, 'length', 0,
        'committed', commitment, 'committed_length', 0)
      redis.call('HSET', heads, commitment, 0)
    end
    local held = redis.call('HMGET', about, 'commitment', 'seed', 'key', 'epoch')
    if held[4] == '0' then
      for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, waiting) end
    end
    return {'OK', held[1], held[2], held[3]}
    """,
)

# An equal epoch never cuts (F1). A head nobody knows here leaves what Resolves have
# named as committed; the worker sends the rest again. A table that is taken over is not
# stopped: were it called so here, then the engine's store has lost its flag.
TAKE_OVER = Script(
    "vault.take_over",
    """
    local about, heads, ledger = KEYS[1], KEYS[2], KEYS[3]
    local number, token, head = tonumber(ARGV[1]), ARGV[2], ARGV[3]
    local held = redis.call('HMGET', about, 'epoch', 'token', 'length', 'committed',
      'committed_length', 'disclosed')
    if not held[1] then return {'TABLE_NOT_FOUND'} end
    local mine, length, kept = tonumber(held[1]), tonumber(held[3]), tonumber(held[5])
    if number < mine or (number == mine and token ~= held[2]) then
      return {'EPOCH_REFUSED', held[1], held[2]}
    end
    if number > mine then
      if redis.call('LLEN', ledger) ~= length then return {'LEDGER_LOST'} end
      if not held[6] then
        for _, key in ipairs(KEYS) do redis.call('PERSIST', key) end
      end
      local known = redis.call('HGET', heads, head)
      local at = tonumber(known or kept)
      if at < kept then return {'JOURNAL_LOST'} end
      if not known then head = held[4] end
      for _, record in ipairs(redis.call('LRANGE', ledger, at, -1)) do
        redis.call('HDEL', heads, string.sub(record, 65, 128))
      end
      if at == 0 then redis.call('DEL', ledger)
      else redis.call('LTRIM', ledger, 0, at - 1) end
      redis.call('HSET', about, 'epoch', ARGV[1], 'token', token, 'tip', head,
        'length', at, 'taken', head, 'taken_length', at, 'taken_known',
        known and 1 or 0)
    end
    local now = redis.call('HMGET', about, 'commitment', 'seed', 'key', 'taken',
      'taken_length', 'taken_known')
    return {'OK', unpack(now)}
    """,
)

# Resolving never cuts (F2): a batch goes behind the tip, or is there already. One that
# comes with nothing sealed is judged and not recorded. Epoch 0 is that of a table that
# nobody has taken over: it may go away, and what was recorded of it would stay.
RESOLVE = Script(
    "vault.resolve",
    """
    local about, heads, ledger = KEYS[1], KEYS[2], KEYS[3]
    local number, token, head, digest, behind, committed, sealed = unpack(ARGV)
    local held = redis.call('HMGET', about, 'epoch', 'token', 'tip', 'length',
      'committed_length', 'disclosed')
    if not held[1] then return {'TABLE_NOT_FOUND'} end
    if held[1] ~= number or held[2] ~= token or held[1] == '0' then
      return {'EPOCH_REFUSED', held[1], held[2]}
    end
    if held[6] then return {'DISCLOSED_ALREADY'} end
    local recorded = ''
    if head == held[3] then
      if sealed == '' then return {'OK', ''} end
      redis.call('RPUSH', ledger, digest .. behind .. sealed)
      redis.call('HSET', heads, behind, held[4] + 1)
      redis.call('HSET', about, 'tip', behind, 'length', held[4] + 1)
    else
      local at = redis.call('HGET', heads, head)
      recorded = at and redis.call('LINDEX', ledger, at) or ''
      if string.sub(recorded, 1, 64) ~= digest then return {'HEAD_REFUSED'} end
    end
    local reached = redis.call('HGET', heads, committed)
    if reached and tonumber(reached) > tonumber(held[5]) then
      redis.call('HSET', about, 'committed', committed, 'committed_length', reached)
    end
    return {'OK', recorded}
    """,
)

DISCLOSE = Script(
    "vault.disclose",
    """
    local about, disclosure = KEYS[1], KEYS[2]
    local number, token, head = unpack(ARGV, 1, 3)
    local held = redis.call('HMGET', about, 'epoch', 'token', 'tip', 'length',
      'disclosed')
    if not held[1] then return {'TABLE_NOT_FOUND'} end
    if held[5] and held[3] == head then return {'OK'} end
    if held[1] ~= number or held[2] ~= token or held[1] == '0' then
      return {'EPOCH_REFUSED', held[1], held[2]}
    end
    if held[3] ~= head then return {'HEAD_REFUSED'} end
    for piece = 4, #ARGV do redis.call('RPUSH', disclosure, ARGV[piece]) end
    redis.call('HSET', about, 'disclosed', 1, 'committed', head, 'committed_length',
      held[4])
    return {'OK'}
    """,
)

# Once, however often it is asked for; the disclosure has no end before.
LET_GO = Script(
    "vault.let_go",
    """
    local about, disclosure = KEYS[1], KEYS[2]
    if not redis.call('HGET', about, 'disclosed') then return {'NOT_DISCLOSED'} end
    if redis.call('PTTL', disclosure) == -1 then
      for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end
    end
    return {'OK'}
    """,
)

# Of a table that is stopped, what has no end yet.
STOP = Script(
    "vault.stop",
    """
    for _, key in ipairs(KEYS) do
      if redis.call('PTTL', key) == -1 then redis.call('PEXPIRE', key, ARGV[1]) end
    end
    return {'OK'}
    """,
)

# All of a table, as it stands at one moment.
READ = Script(
    "vault.read",
    """
    return {redis.call('HGETALL', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1)}
    """,
)

ABOUT = Script("vault.about", "return redis.call('HGETALL', KEYS[1])")

PIECE = Script("vault.piece", "return redis.call('LINDEX', KEYS[1], ARGV[1])")

# The data key of a table, as it is wrapped; wrapped by another master key.
WRAPPED = Script("vault.wrapped", "return redis.call('HGET', KEYS[1], 'key')")
REWRAP = Script(
    "vault.rewrap",
    """
    if redis.call('HGET', KEYS[1], 'key') ~= ARGV[1] then return 0 end
    redis.call('HSET', KEYS[1], 'key', ARGV[2])
    return 1
    """,
)
NEW_PROBE = Script("vault.new_probe", "return redis.call('SET', KEYS[1], ARGV[1])")

# Sealed with the master key by whoever came first: a wrong key is noticed at the start.
PROBE = Script(
    "vault.probe",
    """
    redis.call('SET', KEYS[1], ARGV[1], 'NX')
    return redis.call('GET', KEYS[1])
    """,
)
