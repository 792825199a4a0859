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
