import { greatestAmount, leaseShare, meterKeepsMs } from '../meter.ts'

/**
 * The Lua of meters, as `meter-rules.ts` and `sql-meter.ts` have it in JavaScript: one script for all operations, which Redis compiles once.
 * KEYS: a hash with the counters and holds of a subject, and a sorted set of the times at which they are due. ARGV: a
 * `MeterOperation` as JSON.
 *
 * Fields of the hash: `s` and `h` with the name of a counter (what is spent and held), `o` with the id of a hold
 * (whether it is lost, and its parts), `k` (when both keys expire, 0 for never), `n` (nothing is due before). Members of
 * the set: `o` with a live hold, `l` with a remembered one, `c` with a counter, and `k`, so that the set is never
 * removed and made again without its time. Numbers are doubles, which have all amounts exactly; Lua would write large
 * ones with an exponent. Each call of a command costs a microsecond, so that all fields are read, and written, at once.
 */
export const meterScript = `
local ID, AMOUNT, KIND, SPAN, ENDS_AT, REFUSES, STRICT = 1, 2, 3, 4, 5, 6, 7
local LIMIT, HELD, CHARGED, FLOOR = 1, 2, 3, 4
local keepsMs, idleRateMs, mostDue, most, never = ${meterKeepsMs}, 3600000, 1000, ${greatestAmount}, ${greatestAmount}
local call = redis.call
local hash, due = KEYS[1], KEYS[2]
local operation = cjson.decode(ARGV[1])
local now = operation[2] * 1000
if now == 0 then
  local time = call('TIME')
  now = time[1] * 1000000 + time[2]
end
local nowMs = math.floor(now / 1000)

local function text(number) return string.format('%.0f', number) end
local function sum(one, other) return math.min(most, one + other) end

local function nameOf(limit)
  if limit[KIND] == 'budget' then return 'budget ' .. limit[SPAN] .. '\\n' .. limit[ID] end
  return limit[KIND] .. ' ' .. limit[ID]
end

-- What has been read, and what is to be written.
local counters, changed, puts = {}, {}, {}
local keptUntil, dueFrom, holdRow

local function put(field, value)
  puts[#puts + 1] = field
  puts[#puts + 1] = value
end

local function counterOf(spent, held)
  return { spent = tonumber(spent or 0), held = tonumber(held or 0), isNew = not spent }
end

local function read(hold, named, isLimits)
  local fields, names = { 'k', 'n', 'o' .. hold }, {}
  for index, one in ipairs(named) do
    local name = nameOf(isLimits and one or one[LIMIT])
    names[index] = name
    fields[#fields + 1] = 's' .. name
    fields[#fields + 1] = 'h' .. name
  end
  local row = call('HMGET', hash, unpack(fields))
  keptUntil, dueFrom, holdRow = row[1] and tonumber(row[1]), tonumber(row[2] or never), row[3]
  for index, name in ipairs(names) do
    counters[name] = counterOf(row[2 * index + 2], row[2 * index + 3])
  end
end

local function get(name)
  local counter = counters[name]
  if not counter then
    local row = call('HMGET', hash, 's' .. name, 'h' .. name)
    counter = counterOf(row[1], row[2])
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

local function schedule(at, member)
  call('ZADD', due, text(at), member)
  if at < dueFrom then
    dueFrom = at
    put('n', text(at))
  end
end

local function expiryOf(limit)
  if limit[KIND] == 'rate' then return nowMs + 2 * limit[SPAN] + idleRateMs end
  if limit[KIND] == 'budget' then return limit[ENDS_AT] and limit[ENDS_AT] + keepsMs end
  return nowMs + keepsMs
end

-- Writes all that has changed. Both keys live until 'lasts' at least, or for ever with a budget that never ends.
local function write(lasts)
  for name, limit in pairs(changed) do
    local counter = counters[name]
    if counter.spent == 0 and counter.held == 0 then
      call('HDEL', hash, 's' .. name, 'h' .. name)
    else
      put('s' .. name, text(counter.spent))
      put('h' .. name, text(counter.held))
      local at = expiryOf(limit)
      if at and counter.isNew then schedule(at, 'c' .. name) end
      lasts = lasts and at and math.max(lasts, at)
    end
  end
  if #puts == 0 then return end
  local lives = keptUntil
  if not lasts then lives = 0
  elseif not keptUntil or (keptUntil > 0 and keptUntil < lasts) then lives = lasts + keepsMs end
  if lives ~= keptUntil then put('k', text(lives)) end
  call('HSET', hash, unpack(puts))
  if lives == keptUntil then return end
  if not keptUntil then call('ZADD', due, text(never), 'k') end
  for _, key in ipairs(KEYS) do
    if lives == 0 then call('PERSIST', key) else call('PEXPIRE', key, text(lives - nowMs)) end
  end
end

local function fullAt(spent, windowMs)
  return math.min(math.max(spent, now), now + 2 * windowMs * 1000)
end

local function microsecondsOf(limit, amount)
  if limit[AMOUNT] == 0 then return 0 end
  return math.floor(amount * (limit[SPAN] * 1000) / limit[AMOUNT])
end

local function chargedWith(limit, spent, amount)
  if amount == 0 then return spent end
  if limit[KIND] == 'budget' then return math.max(0, sum(spent, amount)) end
  if limit[KIND] == 'concurrent' then return 0 end
  local moved = microsecondsOf(limit, math.abs(amount))
  if amount < 0 then moved = -moved end
  return fullAt(fullAt(spent, limit[SPAN]) + moved, limit[SPAN])
end

local function holdOf(row)
  if not row then return nil, {} end
  local hold = cmsgpack.unpack(row)
  return hold, hold.parts
end

local function packed(isLost, parts) return cmsgpack.pack({ isLost = isLost, parts = parts }) end

local function lose(id)
  local _, parts = holdOf(call('HGET', hash, 'o' .. id))
  for _, part in ipairs(parts) do
    local limit = part[LIMIT]
    local counter = get(nameOf(limit))
    local spent = counter.spent
    if limit[KIND] == 'budget' then spent = sum(spent, part[FLOOR]) end
    set(limit, spent, math.max(0, counter.held - part[HELD]))
    part[HELD], part[CHARGED], part[FLOOR] = 0, sum(part[CHARGED], part[FLOOR]), 0
  end
  call('ZADD', due, text(nowMs + keepsMs), 'l' .. id)
  call('HSET', hash, 'o' .. id, packed(true, parts))
end

local function sweepCounter(name)
  local counter = get(name)
  local idleAt = math.ceil(counter.spent / 1000) + idleRateMs
  if string.sub(name, 1, 5) == 'rate ' and idleAt > nowMs then
    call('ZADD', due, text(idleAt), 'c' .. name)
  elseif counter.held > 0 then
    call('ZADD', due, text(nowMs + keepsMs), 'c' .. name)
  else
    call('HDEL', hash, 's' .. name, 'h' .. name)
    counters[name], changed[name] = nil, nil
  end
end

-- Charges the floors of holds that have expired, and forgets what is over.
local function sweep(hold)
  if dueFrom > nowMs then return end
  for _, member in ipairs(call('ZRANGEBYSCORE', due, '-inf', text(nowMs), 'LIMIT', 0, mostDue)) do
    local kind, name = string.sub(member, 1, 1), string.sub(member, 2)
    call('ZREM', due, member)
    if kind == 'o' then lose(name)
    elseif kind == 'l' then call('HDEL', hash, 'o' .. name)
    else sweepCounter(name) end
  end
  dueFrom = tonumber(call('ZRANGE', due, 0, 0, 'WITHSCORES')[2] or never)
  put('n', text(dueFrom))
  holdRow = call('HGET', hash, 'o' .. hold)
end

local function takeOfRate(limit, amount, spent)
  local full = fullAt(spent, limit[SPAN])
  local wait = full + microsecondsOf(limit, amount) - now - limit[SPAN] * 1000
  if amount > limit[AMOUNT] then wait = full - now end
  local why, retryAfterMs
  if limit[AMOUNT] == 0 then why = 'rate'
  elseif wait > 0 then why, retryAfterMs = 'rate', math.ceil(wait / 1000) end
  return { spent = chargedWith(limit, spent, amount), held = 0, holds = 0, charged = amount, why = why, retryAfterMs = retryAfterMs }
end

local function takeOfBudget(limit, amount, counter, own)
  local spent, held = counter.spent, counter.held
  local fits = limit[AMOUNT] > 0 and sum(sum(spent, held), amount) <= limit[AMOUNT]
  local why, retryAfterMs
  if not fits then
    if spent >= limit[AMOUNT] then why = 'spent'
    elseif limit[STRICT] then why = sum(sum(spent, own), amount) > limit[AMOUNT] and 'spent' or 'held'
    elseif held > own then why = 'held' end
  end
  if why == 'spent' and limit[ENDS_AT] then retryAfterMs = math.max(0, limit[ENDS_AT] - nowMs) end
  local holds = amount
  if not fits and not why then holds = math.max(0, limit[AMOUNT] - spent - held) end
  return { spent = spent, held = sum(held, holds), holds = holds, charged = 0, why = why, retryAfterMs = retryAfterMs }
end

local function takeOf(take, own)
  local limit, amount = take[1], take[2]
  local counter = get(nameOf(limit))
  if limit[KIND] == 'rate' then return takeOfRate(limit, amount, counter.spent) end
  if limit[KIND] == 'budget' then return takeOfBudget(limit, amount, counter, own) end
  local held = sum(counter.held, amount)
  local isOver = held > limit[AMOUNT] or limit[AMOUNT] == 0
  return { spent = 0, held = held, holds = amount, charged = 0, why = isOver and 'concurrent' or nil }
end

local function stateOf(limit)
  local counter = get(nameOf(limit))
  local amount, spent, held = limit[AMOUNT], counter.spent, counter.held
  if limit[KIND] == 'budget' then return { spent, held, math.max(0, amount - spent - held), limit[ENDS_AT] } end
  if limit[KIND] == 'concurrent' then return { 0, held, math.max(0, amount - held), false } end
  local full = fullAt(spent, limit[SPAN])
  local used = math.ceil((full - now) * amount / (limit[SPAN] * 1000))
  return { used, 0, math.max(0, amount - used), full > now and math.ceil(full / 1000) }
end

local function statesOf(named)
  local states = {}
  for index, one in ipairs(named) do states[index] = stateOf(one[LIMIT]) end
  return states
end

local function partOf(parts, limit)
  if #parts == 0 then return nil end
  local name = nameOf(limit)
  for _, part in ipairs(parts) do
    if nameOf(part[LIMIT]) == name then return part end
  end
end

local function addPart(parts, take, taking)
  local limit = take[1]
  local floor = limit[KIND] == 'budget' and take[3] or 0
  local part = partOf(parts, limit)
  if not part then
    parts[#parts + 1] = { limit, taking.holds, taking.charged, floor }
    return
  end
  part[HELD], part[CHARGED] = sum(part[HELD], taking.holds), sum(part[CHARGED], taking.charged)
  part[FLOOR] = sum(part[FLOOR], floor)
end

local function admit(id, expiresMs, takes)
  read(id, takes)
  sweep(id)
  local hold, parts = holdOf(holdRow)
  local isSettled = hold and #parts == 0
  local takings, refusedBy, exceeded = {}, isSettled and 1 or nil, {}
  for index, take in ipairs(takes) do
    local known = partOf(parts, take[1])
    local taking = takeOf(take, known and known[HELD] or 0)
    takings[index] = taking
    if taking.why and take[1][REFUSES] then refusedBy = refusedBy or index
    elseif taking.why then exceeded[#exceeded + 1] = index - 1 end
  end
  if refusedBy then
    for _, take in ipairs(takes) do
      local limit = take[1]
      local counter = get(nameOf(limit))
      local full = limit[KIND] == 'rate' and fullAt(counter.spent, limit[SPAN])
      if full and full < counter.spent then set(limit, full, counter.held) end
    end
    write(nowMs)
    local refusal = isSettled and { why = 'held' } or takings[refusedBy]
    return { refusedBy - 1, refusal.why, refusal.retryAfterMs or false, {}, statesOf(takes) }
  end
  local lasts = nowMs
  for index, take in ipairs(takes) do
    local taking = takings[index]
    set(take[1], taking.spent, taking.held)
    addPart(parts, take, taking)
  end
  if #takes > 0 then
    if hold and hold.isLost then call('ZREM', due, 'l' .. id) end
    put('o' .. id, packed(false, parts))
    schedule(nowMs + expiresMs, 'o' .. id)
    lasts = nowMs + expiresMs + keepsMs
  end
  write(lasts)
  return { -1, '', false, exceeded, statesOf(takes) }
end

local function settle(id, unheld, charges)
  read(id, charges)
  sweep(id)
  local hold, parts = holdOf(holdRow)
  local isSettled, lasts = hold and #parts == 0, nowMs
  if not isSettled and (hold or unheld) then
    local isUsed = {}
    for _, part in ipairs(parts) do
      local limit, amount = part[LIMIT], 0
      for index, charge in ipairs(charges) do
        if charge[1][ID] == limit[ID] and not isUsed[index] then
          isUsed[index], amount = true, charge[2]
          break
        end
      end
      local counter = get(nameOf(limit))
      local spent = chargedWith(limit, counter.spent, amount - part[CHARGED])
      set(limit, spent, math.max(0, counter.held - part[HELD]))
    end
    for index, charge in ipairs(charges) do
      if not isUsed[index] then
        local counter = get(nameOf(charge[1]))
        set(charge[1], chargedWith(charge[1], counter.spent, charge[2]), counter.held)
      end
    end
    if hold then call('ZREM', due, (hold.isLost and 'l' or 'o') .. id) end
    if unheld then
      put('o' .. id, packed(true, {}))
      schedule(nowMs + keepsMs, 'l' .. id)
      lasts = nowMs + keepsMs
    else
      call('HDEL', hash, 'o' .. id)
    end
  end
  write(lasts)
  return statesOf(charges)
end

local function widen(parts, asked, isWider)
  for _, one in ipairs(asked) do
    local limit, used, holds = one[LIMIT], one[2], one[4]
    if isWider then holds = holds + one[5] end
    local part = partOf(parts, limit)
    if not part then
      part = { limit, 0, one[3], 0 }
      parts[#parts + 1] = part
    end
    local counter = get(nameOf(limit))
    local spent = chargedWith(limit, counter.spent, used - part[CHARGED])
    if limit[KIND] == 'rate' then
      set(limit, chargedWith(limit, spent, holds), 0)
      part[LIMIT], part[CHARGED] = limit, sum(used, holds)
    else
      set(limit, spent, sum(math.max(0, counter.held - part[HELD]), holds))
      part[LIMIT], part[HELD], part[CHARGED] = limit, holds, used
      part[FLOOR] = limit[KIND] == 'budget' and holds or 0
    end
  end
end

local function lease(id, expiresMs, asked)
  read(id, asked)
  sweep(id)
  local hold, parts = holdOf(holdRow)
  local refusedBy = hold and #parts == 0 and 1 or nil
  local lasts = nowMs
  if not refusedBy then
    widen(parts, asked, false)
    for index, state in ipairs(statesOf(asked)) do
      if state[3] < ${leaseShare} * asked[index][5] then refusedBy = refusedBy or index end
    end
    if not refusedBy then widen(parts, asked, true) end
    if #parts > 0 then
      if hold and hold.isLost then call('ZREM', due, 'l' .. id) end
      put('o' .. id, packed(false, parts))
      schedule(nowMs + expiresMs, 'o' .. id)
      lasts = nowMs + expiresMs + keepsMs
    end
  end
  write(lasts)
  return { (refusedBy or 0) - 1, '', false, {}, statesOf(asked) }
end

local what = operation[1]
if what == 'admit' then return admit(operation[4], operation[5], operation[6]) end
if what == 'lease' then return lease(operation[4], operation[5], operation[6]) end
if what == 'settle' then return settle(operation[4], operation[5], operation[6]) end
if what == 'read' then
  local limits = operation[4]
  read('', limits, true)
  sweep('')
  write(nowMs)
  local states = {}
  for index, limit in ipairs(limits) do states[index] = stateOf(limit) end
  return states
end
read('', {})
sweep('')
if what == 'renew' then
  local expires = nowMs + operation[5]
  for _, id in ipairs(operation[4]) do call('ZADD', due, 'XX', text(expires), 'o' .. id) end
  if keptUntil then put('n', text(math.min(dueFrom, expires))) end
  write(expires + keepsMs)
else
  local limit = operation[4]
  set(limit, 0, get(nameOf(limit)).held)
  write(nowMs)
end
return {}
`
