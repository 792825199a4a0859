/**
 * The Lua of meters, as `meter-rules.ts` and `sql-meter.ts` have it in JavaScript. One script for all operations, which
 * Redis compiles once. KEYS: a hash with the counters and holds of a subject, and the times at which they expire.
 * ARGV: the operation as JSON, milliseconds since 1970 or ''.
 *
 * Fields of the hash: `s` and `h` with the name of a counter (what is spent and held), `o` with the id of a hold
 * (whether it is lost, and its parts). The members of the sorted set: `o` with a live hold, `l` with one that is
 * remembered, `c` with a counter. Numbers are doubles, which have all amounts exactly; Lua would write large ones with
 * an exponent.
 */
export const meterScript = `
local hash, due = KEYS[1], KEYS[2]
local write = cjson.decode(ARGV[1])
local keepsMs, idleRateMs, mostDue, most = 86400000, 3600000, 1000, 9000000000000000
local now
if ARGV[2] == '' then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
else
  now = tonumber(ARGV[2]) * 1000
end
local nowMs = math.floor(now / 1000)

local function text(number) return string.format('%.0f', number) end

local function nameOf(limit)
  local counts = limit.counts
  if counts.kind == 'budget' then return 'budget ' .. counts.period .. '\\n' .. limit.id end
  return counts.kind .. ' ' .. limit.id
end

local counters, changed = {}, {}
local function get(name)
  local counter = counters[name]
  if not counter then
    local row = redis.call('HMGET', hash, 's' .. name, 'h' .. name)
    counter = { spent = tonumber(row[1] or 0), held = tonumber(row[2] or 0), isKnown = row[1] and true }
    counters[name] = counter
  end
  return counter
end
local function set(limit, spent, held)
  local name = nameOf(limit)
  local counter = get(name)
  counter.spent, counter.held = spent, held
  changed[name] = limit
end

local function sweepAt(limit)
  local counts = limit.counts
  if counts.kind == 'rate' then return nowMs + 2 * counts.windowMs + idleRateMs end
  if counts.kind == 'budget' then return counts.endsAt and counts.endsAt + keepsMs end
  return nowMs + keepsMs
end

local function writeCounters()
  local lasts = nowMs + keepsMs
  for name, limit in pairs(changed) do
    local counter = counters[name]
    if counter.spent == 0 and counter.held == 0 then
      redis.call('HDEL', hash, 's' .. name, 'h' .. name)
    else
      redis.call('HSET', hash, 's' .. name, text(counter.spent), 'h' .. name, text(counter.held))
      local at = sweepAt(limit)
      if at and not counter.isKnown then redis.call('ZADD', due, text(at), 'c' .. name) end
      lasts = lasts and at and math.max(lasts, at)
    end
  end
  return lasts
end

-- Both keys live as long as anything in them: the subjects of the past leave the memory. Each has a member of its own,
-- so that it is not removed and made again without its time. 'lasts' is nil for ever.
local function keepUntil(lasts)
  local left = redis.call('PTTL', hash)
  if left == -2 then return end
  local isNew = left == -1 and redis.call('HSETNX', hash, 'k', '1') == 1
  if left == -1 and not isNew then return end
  if isNew then redis.call('ZADD', due, '+inf', 'k') end
  if not lasts then
    redis.call('PERSIST', hash)
    redis.call('PERSIST', due)
  elseif isNew or nowMs + left < lasts then
    local ms = text(lasts + keepsMs - nowMs)
    redis.call('PEXPIRE', hash, ms)
    redis.call('PEXPIRE', due, ms)
  end
end

local function sum(one, other) return math.min(most, one + other) end

local function fullAt(spent, windowMs)
  return math.min(math.max(spent, now), now + 2 * windowMs * 1000)
end

local function microsecondsOf(limit, amount)
  if limit.amount == 0 then return 0 end
  return math.floor(amount * limit.counts.windowMs * 1000 / limit.amount)
end

local function chargedWith(limit, spent, amount)
  if amount == 0 then return spent end
  local counts = limit.counts
  if counts.kind == 'rate' then
    local moved = microsecondsOf(limit, math.abs(amount))
    if amount < 0 then moved = -moved end
    return fullAt(fullAt(spent, counts.windowMs) + moved, counts.windowMs)
  end
  if counts.kind == 'budget' then return math.max(0, sum(spent, amount)) end
  return 0
end

local function settlePart(part, amount)
  local counter = get(nameOf(part.limit))
  local spent = chargedWith(part.limit, counter.spent, amount - part.charged)
  set(part.limit, spent, math.max(0, counter.held - part.held))
end

local function holdOf(id)
  local row = redis.call('HGET', hash, 'o' .. id)
  return row and cmsgpack.unpack(row)
end
local function putHold(id, parts) redis.call('HSET', hash, 'o' .. id, cmsgpack.pack(parts)) end

local function remember(id, parts)
  redis.call('ZREM', due, 'o' .. id)
  redis.call('ZADD', due, text(nowMs + keepsMs), 'l' .. id)
  putHold(id, parts)
end

local function lose(id)
  local parts = holdOf(id) or {}
  for _, part in ipairs(parts) do
    local charged = part.charged
    part.charged = 0
    settlePart(part, part.floor)
    part.charged, part.held, part.floor = sum(charged, part.floor), 0, 0
  end
  remember(id, parts)
end

local function sweepCounter(name)
  local counter = get(name)
  local isRate = string.sub(name, 1, 5) == 'rate '
  local idleAt = math.ceil(counter.spent / 1000) + idleRateMs
  if isRate and idleAt > nowMs then
    redis.call('ZADD', due, text(idleAt), 'c' .. name)
  elseif counter.held > 0 then
    redis.call('ZADD', due, text(nowMs + keepsMs), 'c' .. name)
  else
    redis.call('HDEL', hash, 's' .. name, 'h' .. name)
    counters[name], changed[name] = nil, nil
  end
end

-- Charges the floors of holds that have expired.
for _, member in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', text(nowMs), 'LIMIT', 0, mostDue)) do
  local kind, name = string.sub(member, 1, 1), string.sub(member, 2)
  redis.call('ZREM', due, member)
  if kind == 'o' then lose(name) elseif kind == 'l' then redis.call('HDEL', hash, 'o' .. name) else sweepCounter(name) end
end

local function takeOfRate(take, spent)
  local limit, amount = take.limit, take.amount
  local windowMs = limit.counts.windowMs
  local full = fullAt(spent, windowMs)
  local following = full + microsecondsOf(limit, amount)
  local wait = following - now - windowMs * 1000
  if amount > limit.amount then wait = full - now end
  local why, retryAfterMs
  if limit.amount == 0 or wait > 0 then why = 'rate' end
  if why and limit.amount > 0 then retryAfterMs = math.ceil(wait / 1000) end
  return { spent = chargedWith(limit, spent, amount), held = 0, holds = 0, charged = amount, why = why, retryAfterMs = retryAfterMs }
end

local function takeOfBudget(take, spent, held, own)
  local limit, amount = take.limit, take.amount
  local fits = limit.amount > 0 and sum(sum(spent, held), amount) <= limit.amount
  local why
  if not fits then
    if spent >= limit.amount then why = 'spent'
    elseif limit.strict then why = sum(sum(spent, own), amount) > limit.amount and 'spent' or 'held'
    elseif held > own then why = 'held' end
  end
  local endsAt = limit.counts.endsAt
  local retryAfterMs = why == 'spent' and endsAt and math.max(0, endsAt - nowMs) or nil
  if take.isFinal then return { spent = sum(spent, amount), held = held, why = why, retryAfterMs = retryAfterMs } end
  local holds = amount
  if not fits and not why then holds = math.max(0, limit.amount - spent - held) end
  return { spent = spent, held = sum(held, holds), holds = holds, charged = 0, why = why, retryAfterMs = retryAfterMs }
end

local function takeOf(take, own)
  local kind, counter = take.limit.counts.kind, get(nameOf(take.limit))
  if kind == 'rate' then return takeOfRate(take, counter.spent) end
  if kind == 'budget' then return takeOfBudget(take, counter.spent, counter.held, own) end
  local held = sum(counter.held, take.amount)
  local isOver = held > take.limit.amount or take.limit.amount == 0
  return { spent = 0, held = held, holds = take.amount, charged = 0, why = isOver and 'concurrent' or nil }
end

local function stateOf(limit)
  local counts, counter = limit.counts, get(nameOf(limit))
  local spent, held = counter.spent, counter.held
  if counts.kind == 'budget' then
    return { spent, held, math.max(0, limit.amount - spent - held), counts.endsAt or false }
  end
  if counts.kind == 'concurrent' then return { 0, held, math.max(0, limit.amount - held), false } end
  local full = fullAt(spent, counts.windowMs)
  local used = math.ceil((full - now) * limit.amount / (counts.windowMs * 1000))
  return { used, 0, math.max(0, limit.amount - used), full > now and math.ceil(full / 1000) }
end

local function statesOf(named)
  local states = {}
  for index, one in ipairs(named) do states[index] = stateOf(one.limit) end
  return states
end

local function partOf(parts, name)
  for _, part in ipairs(parts) do
    if nameOf(part.limit) == name then return part end
  end
end

local function addPart(parts, take, taking)
  local limit = take.limit
  local floor = limit.counts.kind == 'budget' and take.floor or 0
  local part = partOf(parts, nameOf(limit))
  if part then
    part.held, part.charged = sum(part.held, taking.holds), sum(part.charged, taking.charged)
    part.floor = sum(part.floor, floor)
  else
    local held = { id = limit.id, amount = limit.amount, counts = limit.counts }
    table.insert(parts, { limit = held, held = taking.holds, charged = taking.charged, floor = floor })
  end
end

local function admit(ask)
  local parts = holdOf(ask.hold)
  local isSettled = parts and #parts == 0
  parts = parts or {}
  local takings, refusedBy, exceeded = {}, isSettled and 1 or nil, {}
  for index, take in ipairs(ask.takes) do
    local known = partOf(parts, nameOf(take.limit))
    takings[index] = takeOf(take, known and known.held or 0)
    if takings[index].why then
      if take.limit.refuses then refusedBy = refusedBy or index else table.insert(exceeded, index - 1) end
    end
  end
  if refusedBy then
    writeCounters()
    local refusal = not isSettled and takings[refusedBy] or { why = 'held' }
    return { 0, refusedBy - 1, refusal.why, refusal.retryAfterMs or false, {}, statesOf(ask.takes) }
  end
  local holds = false
  for index, take in ipairs(ask.takes) do
    local taking = takings[index]
    set(take.limit, taking.spent, taking.held)
    if not take.isFinal or take.limit.counts.kind == 'concurrent' then
      addPart(parts, take, taking)
      holds = true
    end
  end
  local lasts = writeCounters()
  if holds then
    local expires = nowMs + ask.expiresMs
    putHold(ask.hold, parts)
    redis.call('ZREM', due, 'l' .. ask.hold)
    redis.call('ZADD', due, text(expires), 'o' .. ask.hold)
    lasts = lasts and math.max(lasts, expires + keepsMs)
  end
  keepUntil(lasts)
  return { 1, 0, '', false, exceeded, statesOf(ask.takes) }
end

local function settle(ending)
  local parts = holdOf(ending.hold)
  if (parts and #parts > 0) or (ending.unheld and not parts) then
    local isUsed = {}
    for _, part in ipairs(parts or {}) do
      local amount = 0
      for index, charge in ipairs(ending.charges) do
        if charge.limit.id == part.limit.id and not isUsed[index] then
          isUsed[index], amount = true, charge.amount
          break
        end
      end
      settlePart(part, amount)
    end
    for index, charge in ipairs(ending.charges) do
      if not isUsed[index] then
        local counter = get(nameOf(charge.limit))
        set(charge.limit, chargedWith(charge.limit, counter.spent, charge.amount), counter.held)
      end
    end
    local lasts = writeCounters()
    if ending.unheld then
      remember(ending.hold, {})
      lasts = lasts and math.max(lasts, nowMs + keepsMs)
    else
      redis.call('HDEL', hash, 'o' .. ending.hold)
      redis.call('ZREM', due, 'o' .. ending.hold, 'l' .. ending.hold)
    end
    keepUntil(lasts)
  else
    writeCounters()
  end
  return statesOf(ending.charges)
end

if write.admit then return admit(write.admit) end
if write.settle then return settle(write.settle) end
if write.renew then
  writeCounters()
  local expires = nowMs + write.renew.expiresMs
  for _, hold in ipairs(write.renew.holds) do redis.call('ZADD', due, 'XX', text(expires), 'o' .. hold) end
  keepUntil(expires + keepsMs)
elseif write.reset then
  local limit = write.reset.limit
  set(limit, 0, get(nameOf(limit)).held)
  keepUntil(writeCounters())
elseif write.read then
  writeCounters()
  return statesOf(write.read)
end
return {}
`
