import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { limitStage, secret } from './stage.ts'

const echo = 'sandbox/echo'

describe('a limit refuses what exceeds it', () => {
  test('a rate of requests says exactly when the next call passes', async () => {
    await using stage = await limitStage({ key: [{ kind: 'requests', amount: 2 }] })
    const first = await stage.chat(echo)
    expect(first.status).toBe(200)
    expect(first.headers.get('x-ratelimit-limit-requests')).toBe('2')
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('1')
    expect(first.headers.get('x-ratelimit-reset-requests')).toMatch(/^(?:30|2\d)(?:\.\d+)?s$/)
    expect((await stage.chat(echo)).status).toBe(200)
    const refused = await stage.chat(echo)
    expect(refused.status).toBe(429)
    expect(refused.error.details[0]).toMatchObject({
      code: 'rate_limited',
      limit: 'key:requests:1m',
      subject: 'key',
      kind: 'requests',
      window: '1m',
      amount: 2,
      remaining: 0,
      resetsAt: expect.any(String),
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20)
    expect(Number(refused.headers.get('retry-after-ms'))).toBeGreaterThan(20_000)
    expect(refused.headers.get('x-should-retry')).toBe('true')
    expect(stage.sandbox.requests).toHaveLength(2)
  })

  test('pitfall 19: a wait of more than a minute is one that SDKs do not make', async () => {
    await using stage = await limitStage({ key: [{ kind: 'requests', amount: 1, window: '1h' }] })
    expect((await stage.chat(echo)).status).toBe(200)
    const refused = await stage.chat(echo)
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([429, 'false'])
  })

  test('pitfall 18: an amount of 0 refuses, and no limit is none (absent is not 0)', async () => {
    await using none = await limitStage()
    expect((await none.chat(echo)).status).toBe(200)
    for (const kind of ['requests', 'concurrent', 'tokens']) {
      await using stage = await limitStage({ key: [{ kind, amount: 0 }] })
      const refused = await stage.chat(echo)
      expect([kind, refused.status]).toEqual([kind, 429])
      expect(refused.headers.get('x-should-retry')).toBe('false')
    }
    await using broke = await limitStage({ key: [{ kind: 'cost', amount: 0 }] })
    expect((await broke.chat(echo)).status).toBe(402)
  })

  test.each(['key', 'team', 'all'])('a budget of the %s that is spent is 402', async (subject) => {
    await using stage = await limitStage({ [subject]: [{ kind: 'cost', amount: '0.000001' }] })
    expect((await stage.chat(echo)).status).toBe(200)
    await stage.settled()
    const refused = await stage.chat(echo)
    expect(refused.status).toBe(402)
    expect(refused.error).toMatchObject({ type: 'insufficient_quota' })
    expect(refused.error.details[0]).toMatchObject({
      code: 'budget_exceeded',
      kind: 'cost',
      window: 'total',
      amount: '0.000001',
      ...(subject !== 'all' && { remaining: '0', resetsAt: null }),
    })
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect(refused.text).not.toContain('one')
    expect(stage.sandbox.requests).toHaveLength(1)
  })

  test.each(['key', 'team', 'all'])(
    'a spent budget of the %s says when it begins again, in words and in headers',
    async (subject) => {
      await using stage = await limitStage({
        [subject]: [{ kind: 'cost', amount: '0.000001', window: 'day' }],
      })
      expect((await stage.chat(echo)).status).toBe(200)
      await stage.settled()
      const refused = await stage.chat(echo)
      expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([402, 'false'])
      const [, at] = /is spent\. It begins again at (\S+)\.$/.exec(refused.error.message) ?? []
      const midnight = new Date().setUTCHours(24, 0, 0, 0)
      expect(Date.parse(at!) - midnight).toBe(0)
      const leftMs = Number(refused.headers.get('retry-after-ms'))
      expect(Math.abs(Date.now() + leftMs - midnight)).toBeLessThan(60_000)
      expect(Number(refused.headers.get('retry-after'))).toBe(Math.ceil(leftMs / 1_000))
    },
  )

  test('a budget of 0, and one without an end, promise no beginning', async () => {
    for (const [amount, window] of [
      [0, 'day'],
      ['0.000001', 'total'],
    ]) {
      await using stage = await limitStage({ key: [{ kind: 'cost', amount, window }] })
      await stage.chat(echo)
      await stage.settled()
      const refused = await stage.chat(echo)
      expect(refused.status).toBe(402)
      expect(refused.error.message).toMatch(/is spent\.$/)
      expect(refused.headers.get('retry-after')).toBeNull()
    }
  })

  test('calls at once are counted up to the ends of their streams', async () => {
    await using stage = await limitStage({ key: [{ kind: 'concurrent', amount: 1 }] })
    const slow = await stage.send('/v1/chat/completions', {
      model: 'sandbox/words=50+pace=20',
      stream: true,
      messages: [{ role: 'user', content: 'x' }],
    })
    const refused = await stage.chat(echo)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    await slow.text()
    await stage.settled()
    expect((await stage.chat(echo)).status).toBe(200)
  })

  test('only what other calls hold is in the way: 429, and what they do not use comes back', async () => {
    await using stage = await limitStage({
      key: [{ kind: 'cost', amount: '0.004', window: 'day' }],
    })
    const body = { messages: [{ role: 'user', content: 'x' }], max_tokens: 3_900 }
    const slow = await stage.send('/v1/chat/completions', {
      ...body,
      model: 'sandbox/words=50+pace=20',
      stream: true,
    })
    const refused = await stage.chat(echo, body)
    expect([refused.status, refused.error.details[0]!.code]).toEqual([429, 'budget_in_use'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    await slow.text()
    await stage.settled()
    expect((await stage.chat(echo, body)).status).toBe(200)
  })

  test('strict begins no call that the rest does not cover, and does not say that it is spent', async () => {
    await using stage = await limitStage({
      key: [{ kind: 'cost', amount: '0.000001', strict: true }],
    })
    const refused = await stage.chat(echo)
    expect(refused.status).toBe(402)
    expect(refused.error.message).toContain('does not cover this call')
    expect(stage.sandbox.requests).toHaveLength(0)
  })

  test('pitfall 15: a model without a price is refused under a budget of money, and served under one that warns', async () => {
    await using stage = await limitStage({ key: [{ kind: 'cost', amount: 5 }] })
    const refused = await stage.chat('sandbox/words=2')
    expect([refused.status, refused.error.details[0]!.code]).toEqual([403, 'model_unpriced'])
    await using dry = await limitStage({ key: [{ kind: 'cost', amount: 5, action: 'warn' }] })
    expect((await dry.chat('sandbox/words=2')).status).toBe(200)
  })

  test('a limit that warns counts, and refuses nothing', async () => {
    await using stage = await limitStage({ key: [{ kind: 'requests', amount: 0, action: 'warn' }] })
    expect((await stage.chat(echo)).status).toBe(200)
    expect(stage.gateway.log.map(({ msg }) => msg)).toContain('a limit would have refused a call')
  })

  test('a limit of some models counts their calls alone', async () => {
    await using stage = await limitStage({
      key: [{ kind: 'requests', amount: 1, models: ['sandbox/e*'] }],
    })
    expect((await stage.chat(echo)).status).toBe(200)
    expect((await stage.chat(echo)).status).toBe(429)
    expect((await stage.chat('sandbox/words=2')).status).toBe(200)
  })

  test('a limit of some models counts calls that name one beside their own', async () => {
    const models = ['sandbox/other']
    const tools = [{ type: 'image_generation', model: 'sandbox/other' }]
    const response = { model: echo, input: 'hi' }
    const chat = { model: echo, messages: [{ role: 'user', content: 'hi' }] }
    await using stage = await limitStage({
      key: [{ kind: 'tokens', amount: 1_000_000, window: 'day', models }],
    })
    await (await stage.send('/v1/responses', { ...response, tools })).text()
    const [limit] = await stage.settled()
    expect(limit!.spent).toBeGreaterThan(0)
    await using none = await limitStage({ key: [{ kind: 'requests', amount: 0, models }] })
    const statusOf = async (path: string, body: object) => (await none.send(path, body)).status
    expect(await statusOf('/v1/responses', { ...response, tools })).toBe(429)
    expect(await statusOf('/v1/chat/completions', { ...chat, models })).toBe(429)
    expect(await statusOf('/v1/responses', response)).toBe(200)
    expect(await statusOf('/v1/chat/completions', chat)).toBe(200)
  })

  test('end users have amounts of their own, and those without a name share one', async () => {
    await using stage = await limitStage({ key: [{ kind: 'requests', amount: 1, per: 'endUser' }] })
    const statusOf = async (more?: object) => (await stage.chat(echo, more)).status
    expect(await statusOf({ user: 'u1' })).toBe(200)
    expect(await statusOf({ user: 'u1' })).toBe(429)
    expect(await statusOf({ safety_identifier: 'u2' })).toBe(200)
    expect(await statusOf()).toBe(200)
    expect(await statusOf()).toBe(429)
  })

  test('the teams of keys narrow their models', async () => {
    await using stage = await limitStage()
    stage.gateway.reload({ teams: [{ id: 'red', models: ['other/*'] }] })
    expect((await stage.chat(echo)).status).toBe(404)
  })
})

describe('nothing stays held', () => {
  const held = [
    { kind: 'concurrent', amount: 1 },
    { kind: 'cost', amount: '0.01', window: 'day' },
    { kind: 'requests', amount: 100, window: 'day' },
  ]

  test.each([
    ['400 of the gateway', 'sandbox/echo', { temperature: 'hot' }, 400],
    ['400 of the account', 'sandbox/status=400', {}, 400],
    ['404', 'nobody/has-this', {}, 404],
  ])('after a %s', async (_, model, more, status) => {
    await using stage = await limitStage({ key: held })
    expect((await stage.chat(model, more)).status).toBe(status)
    await stage.settled()
    expect((await stage.chat(echo)).status).toBe(200)
  })

  test('after a large request that is refused before it is read', async () => {
    await using stage = await limitStage({ key: held })
    const text = JSON.stringify({ model: 'sandbox/echo', filler: 'x'.repeat(100_000) })
    const response = await stage.send('/v1/chat/completions', `${text}}`)
    expect(response.status).toBe(400)
    const [, , requests] = await stage.settled()
    expect(requests).toMatchObject({ kind: 'requests', spent: 0 })
    expect((await stage.chat(echo)).status).toBe(200)
  })

  test('after a compressed request that is refused before it is read', async () => {
    await using stage = await limitStage({ key: [{ kind: 'cost', amount: 0 }] })
    const body = gzipSync(JSON.stringify({ model: echo, messages: 'x'.repeat(1_000_000) }))
    const response = await fetch(`${stage.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body,
    })
    // Its messages are no list: a body that is read is answered 400.
    expect([body.length < 65_536, response.status]).toEqual([true, 402])
    await response.text()
  })

  test('pitfall 3: after a client that left, and what it used is charged', async () => {
    await using stage = await limitStage({ key: held })
    const leaving = new AbortController()
    const response = await fetch(`${stage.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: 'sandbox/words=50+pace=20',
        stream: true,
        messages: [{ role: 'user', content: 'x' }],
      }),
    })
    await response.body!.getReader().read()
    leaving.abort()
    const [, cost] = await stage.settled()
    expect(Number(cost!.spent)).toBeGreaterThan(0)
    expect((await stage.chat(echo)).status).toBe(200)
  })

  test.each(['onCaller', 'onCall', 'onCandidates', 'onOutcome'] as const)(
    'after a crash of %s of a plugin',
    async (hook) => {
      let isBroken = true
      const crash = (input: { exchange?: { operation: { id: string } } } = {}) => {
        const isCall = input.exchange?.operation.id !== 'limits.key'
        if (isBroken && isCall) throw new Error('crash')
      }
      const plugin = {
        name: 'crashing',
        [hook]: hook === 'onCall' ? ({ next }: { next(): unknown }) => (crash(), next()) : crash,
      }
      await using stage = await limitStage({ key: held, plugins: [plugin] })
      await stage.chat(echo)
      await stage.settled()
      isBroken = false
      expect((await stage.chat(echo)).status).toBe(200)
    },
  )
})

test('counting tokens, lists and what a key reads of itself are free', async () => {
  await using stage = await limitStage({ key: [{ kind: 'requests', amount: 1, window: 'day' }] })
  const messages = [{ role: 'user', content: 'x' }]
  const headers = { 'anthropic-version': '2023-06-01' }
  const body = { model: echo, messages }
  for (let call = 0; call < 3; call++) {
    expect((await stage.send('/v1/messages/count_tokens', body, headers)).status).toBe(200)
    expect((await stage.send('/v1/models', undefined)).status).toBe(200)
  }
  const [limit] = await stage.limits()
  expect(limit).toMatchObject({ spent: 0, remaining: 1 })
})

test("what is left of the limits of an account is no client's business", async () => {
  await using stage = await limitStage({ key: [{ kind: 'requests', amount: 9 }] })
  const { headers } = await stage.chat(echo)
  const names = [...headers.keys()].filter((name) => name.includes('ratelimit'))
  expect(names.toSorted()).toEqual([
    'x-ratelimit-limit-requests',
    'x-ratelimit-remaining-requests',
    'x-ratelimit-reset-requests',
  ])
})

test("what is left of the gateway's limits is no client's business", async () => {
  await using stage = await limitStage({
    all: [
      { kind: 'requests', amount: 2, window: 'day' },
      { kind: 'tokens', amount: 1_000_000 },
    ],
  })
  const { headers } = await stage.chat(echo)
  expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
  await using narrow = await limitStage({
    team: [{ kind: 'requests', amount: 9 }],
    all: [{ kind: 'requests', amount: 2 }],
  })
  const served = await narrow.chat(echo)
  expect(served.headers.get('x-ratelimit-limit-requests')).toBe('9')
  expect((await narrow.chat(echo)).status).toBe(200)
  const refused = await narrow.chat(echo)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20)
  const [detail] = refused.error.details
  expect(detail).toMatchObject({ code: 'rate_limited', subject: 'gateway', kind: 'requests' })
  expect(detail).not.toHaveProperty('remaining')
  expect(detail).not.toHaveProperty('resetsAt')
})

test('an account at a limit gets no calls, and others serve them', async () => {
  await using stage = await limitStage()
  const account = { provider: 'sandbox', baseUrl: stage.sandbox.url, models: ['sandbox/*'] }
  await using two = await limitStage({
    accounts: [
      {
        ...account,
        id: 'small',
        apiKey: 'sandbox-key-a',
        quotas: [{ kind: 'requests', amount: 2, window: 'day' }],
      },
      { ...account, id: 'spare', apiKey: 'sandbox-key-b', priority: 1 },
    ],
  })
  const served: (string | null)[] = []
  for (let call = 0; call < 5; call++) {
    const { status, headers } = await two.chat(echo)
    expect(status).toBe(200)
    served.push(headers.get('x-dragoman-account'))
  }
  expect(served).toEqual(['small', 'small', 'spare', 'spare', 'spare'])
  const [line] = (await two.gateway.logged(5)).slice(-1)
  expect(JSON.stringify(line)).toContain('it is at its limit of requests per day')
  await using alone = await limitStage({
    account: [{ kind: 'requests', amount: 1, window: 'day' }],
  })
  expect((await alone.chat(echo)).status).toBe(200)
  const refused = await alone.chat(echo)
  expect(refused.status).toBe(429)
  expect(refused.error.details[0]!.code).not.toBe('budget_exceeded')
  // SDKs make no wait of hours, and would ask again at once.
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('x-should-retry')).toBe('false')
})

test('64 calls at once against a budget for 10 end at most one call above', async () => {
  await using stage = await limitStage({
    key: [{ kind: 'cost', amount: '0.0001', window: 'day' }],
  })
  const asked = Array.from({ length: 64 }, () => stage.chat(echo, { max_tokens: 20 }))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses).toContain(200)
  expect(statuses).toContain(429)
  expect(statuses.every((status) => [200, 402, 429].includes(status))).toBe(true)
  const [limit] = await stage.settled()
  expect(Number(limit!.spent)).toBeLessThanOrEqual(0.0001 + 0.00005)
})
