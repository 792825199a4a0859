/**
 * Lua scripts, which Redis runs atomically. KEYS[1] is the record. For a listed namespace, KEYS[2]
 * is its index, KEYS[3] its version, and the last argument the record's id.
 */

const note = `
local function note(change, id)
  if #KEYS < 3 then return end
  if change == 'add' then redis.call('ZADD', KEYS[2], 0, id) else redis.call('ZREM', KEYS[2], id) end
  redis.call('INCR', KEYS[3])
end
local function put(value, ttl, ...)
  if ttl == '' then return redis.call('SET', KEYS[1], value, ...) end
  return redis.call('SET', KEYS[1], value, 'PX', ttl, ...)
end
`

/** Writes a record. ARGV: envelope, milliseconds to live or '', id. */
export const setScript = `${note}
put(ARGV[1], ARGV[2])
note('add', ARGV[3])
return 1`

/** Writes a record unless it exists; returns whether it did, 1 or 0. ARGV as for `setScript`. */
export const addScript = `${note}
if not put(ARGV[1], ARGV[2], 'NX') then return 0 end
note('add', ARGV[3])
return 1`

/** Replaces an expected envelope; returns whether it did, 1 or 0. ARGV: expected, new, id. */
export const replaceScript = `${note}
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
note('add', ARGV[3])
return 1`

/** Deletes a record; returns whether it existed, 1 or 0. ARGV: id. */
export const deleteScript = `${note}
local found = redis.call('DEL', KEYS[1])
if found == 1 then note('remove', ARGV[1]) end
return found`

/** Deletes a record with an expected envelope; returns whether it did, 1 or 0. ARGV: expected, id. */
export const deleteIfScript = `${note}
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
note('remove', ARGV[2])
return 1`

/**
 * Removes the ids of records that have expired from the index of a listed namespace. KEYS: the index, then
 * the records. ARGV: the ids of the records.
 */
export const forgetScript = `
for position, id in ipairs(ARGV) do
  if redis.call('EXISTS', KEYS[position + 1]) == 0 then redis.call('ZREM', KEYS[1], id) end
end
return 1`

/** Adds to a counter; returns the sum, and the milliseconds that it has left or -1. ARGV: the addend, milliseconds to live or ''. */
export const countScript = `
local fresh = redis.call('EXISTS', KEYS[1]) == 0
local sum = redis.call('INCRBYFLOAT', KEYS[1], ARGV[1])
if fresh and ARGV[2] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return {sum, redis.call('PTTL', KEYS[1])}`

/**
 * Appends rows and counts to the ledger. KEYS: the rows, the batch, then all others. ARGV: JSON of `groups` (of sums: their
 * keys, which begin with the keys of all calls, and their owner), `rows` (cursor, text, key of the exchange, group, sums),
 * `counts` (group, sums) and `expiry` (of keys of sums); the number of keys of all calls in a group; milliseconds that
 * rows and batches are stored; the most rows. The members of the rows are cursors, a line feed and the text of the row.
 */
export const appendScript = `
local data = cjson.decode(ARGV[1])
local sums = {}
local function add(entry)
  local group = data.groups[entry.group]
  group.sums = group.sums or {}
  for name, amount in pairs(entry.sums) do group.sums[name] = (group.sums[name] or 0) + amount end
end
for _, row in ipairs(data.rows) do
  local known = redis.call('ZRANGE', KEYS[1], '[' .. row.cursor .. '\\n', '(' .. row.cursor .. '\\v', 'BYLEX', 'LIMIT', 0, 1)
  if #known == 0 then
    redis.call('ZADD', KEYS[1], 0, row.cursor .. '\\n' .. row.text)
    redis.call('SET', KEYS[row.key], string.sub(row.cursor, 1, 15), 'PX', ARGV[3])
    add(row)
  end
end
if #data.counts > 0 and redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[4]) then
  for _, one in ipairs(data.counts) do add(one) end
end
for _, group in ipairs(data.groups) do
  for position, key in ipairs(group.keys) do
    local owner = position > tonumber(ARGV[2]) and group.owner .. '\\0' or ''
    for name, amount in pairs(group.sums or {}) do
      redis.pcall('HINCRBY', KEYS[key], owner .. name, string.format('%.0f', amount))
    end
  end
end
for _, one in ipairs(data.expiry) do redis.call('PEXPIREAT', KEYS[one.key], string.format('%.0f', one.at)) end
local time = redis.call('TIME')
local oldest = string.format('%015.0f', time[1] * 1000 - tonumber(ARGV[3]))
local most = 100 + 2 * #data.rows
local old = redis.call('ZRANGE', KEYS[1], '-', '(' .. oldest, 'BYLEX', 'LIMIT', 0, most)
local beyond = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[5])
local count = math.min(most, math.max(#old, beyond))
if count > 0 then redis.call('ZREMRANGEBYRANK', KEYS[1], 0, count - 1) end
return 1`
