import { request } from 'node:http'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { quotaProblems } from '../../src/configuration/quota-schema.ts'
import { openSpill } from '../../src/lib/spill.ts'
import { createLimitSet } from '../../src/limits/limit-set.ts'
import { compileLimits } from '../../src/limits/compile.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { greatestAmount } from '../../src/stores/meter.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { createEndUsers } from '../../plugins/limits/end-users.ts'
import { answerWith, replyOf } from '../spend/stage.ts'
import { limitStage } from './stage.ts'

const model = 'sandbox/echo'

/** A stage whose account answers with these tokens, and serves with this tier. */
async function reporting(input: number, output: number, key: readonly object[], tier?: string) {
  await using starting = new AsyncDisposableStack()
  const choice = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  }
  const account = starting.use(
    await startFakeAccount(
      answerJson({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [choice],
        usage,
        service_tier: tier,
      }),
    ),
  )
  const one = {
    id: 'one',
    provider: 'openai-compatible',
    baseUrl: account.url,
    apiKey: 'k',
    models: [model],
    prices: { [model]: { rates: { input: '1', output: '1' } } },
  }
  const stage = starting.use(await limitStage({ key, accounts: [one] }))
  const started = starting.move()
  return { stage, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

const daily = ['tokens', 'outputTokens', 'cost', 'requests'].map((kind) => {
  return { kind, amount: kind === 'cost' ? 5 : 1_000_000, window: 'day' }
})

test.each([
  [9e15, 9e15],
  [2e15, 7],
  [7, 8e15],
  [2e9, 2e9],
])('%d and %d reported tokens neither fill budgets nor leave holds', async (input, output) => {
  await using scene = await reporting(input, output, daily)
  const { stage } = scene
  expect((await stage.chat(model)).status).toBe(200)
  const spent = (await stage.settled()).map((limit) => Number(limit.spent))
  expect(spent[3]).toBe(1)
  for (const amount of spent) expect(amount).toBeGreaterThan(0)
  expect(Math.max(...spent)).toBeLessThan(100_000)
  expect((await stage.chat(model)).status).toBe(200)
})

test('pitfall 5: a tier without a price makes a long reply no cheaper than an ordinary one', async () => {
  await using scene = await reporting(10, 90_000, daily, 'priority')
  const { stage } = scene
  expect((await stage.chat(model, { service_tier: 'priority' })).status).toBe(200)
  expect((await stage.settled())[2]!.spent).toBe('0.09001')
})

test('a video of a size without a price is not made for nothing', async () => {
  const video = 'sora-2'
  await using stage = await limitStage({
    key: [{ kind: 'cost', amount: 100, window: 'day' }],
    models: [video],
    prices: { [video]: { units: { second: { '1x1': '1' } } } },
  })
  const ordered = await stage.send('/v1/videos', { model: video, prompt: 'x', seconds: '4' })
  const { id } = (await ordered.json()) as { id: string }
  await until(async () => {
    const response = await stage.send(`/v1/videos/${id}`, undefined)
    return ((await response.json()) as { status: string }).status === 'completed'
  })
  const [limit] = await stage.settled()
  expect(limit).toMatchObject({ spent: '4', held: '0', remaining: '96' })
})

describe('a caller without a budget', () => {
  test('has no compressed body read, however few bytes it announces', async () => {
    await using stage = await limitStage({ key: [{ kind: 'cost', amount: 0 }] })
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${stage.gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer limits-secret-of-the-key-a-0123456789',
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'content-length': '1000',
        },
      })
      sent.on('response', (response) => resolve(response.statusCode))
      sent.on('error', reject)
      sent.flushHeaders()
    })
    expect(status).toBe(402)
  })
})

test('a key that makes up end users takes no amount from those of other keys', () => {
  const users = createEndUsers()
  const nameOf = (keyId: string, user: string) =>
    users.nameOf('team:red', { caller: { keyId }, body: { json: { user } } } as never, 0)
  for (let made = 0; made < 10_000; made++) nameOf('flood', `made up ${made}`)
  expect(nameOf('flood', 'one more')).toBe(nameOf('flood', 'another'))
  expect(nameOf('calm', 'Ann')).not.toBe(nameOf('calm', 'Bob'))
  // A user is the same one with all keys of a team.
  expect(nameOf('calm', 'made up 1')).toBe(nameOf('flood', 'made up 1'))
})

describe('amounts and ids that the meter cannot count', () => {
  test('are problems of a configuration, not of each call', () => {
    const models = Array.from({ length: 90 }, (_, index) => `a-long-name-of-a-model-${index}`)
    const problems = quotaProblems('quotas', { type: 'gateway', id: '' }, [
      { kind: 'requests', amount: 1, models },
    ])
    expect(problems.map(({ path }) => path)).toEqual(['quotas[0].models'])
  })

  test('an amount with what is granted besides stays countable', () => {
    const quota = { kind: 'cost', amount: 9_000_000 } as const
    const limit = compileLimits({ type: 'key', id: 'a' }, [quota])[0]!
    const set = createLimitSet([limit])
    set.replaceExtras(new Map([[limit.id, { amount: 5e12, until: 2 }]]))
    expect(set.amountOf(limit, 1)).toBe(greatestAmount)
  })
})

test('a name with a separator of lines splits no row that waits for the store', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-spill-'))
  const spill = openSpill({ directory, store: 'file:a', of: 'ledger' })
  const rows = ['a\u2028b', 'c\u2029d', 'e\u0085f']
  for (const row of rows) expect(await spill.add(JSON.stringify({ row }))).toBe(true)
  const taken: unknown[] = []
  await spill.drain(async (line) => void taken.push(JSON.parse(line).row))
  expect(taken).toEqual(rows)
})

test('pitfall 12: a client that leaves before the last event is charged what the whole reply has used', async () => {
  const left = Promise.withResolvers<void>()
  const chunk = (more: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [], ...more })}\n\n`
  const content = { index: 0, delta: { content: 'All of it' }, finish_reason: null }
  const usage = { prompt_tokens: 10, completion_tokens: 50_000, total_tokens: 50_010 }
  await using account = await startFakeAccount(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ choices: [content] }))
    await left.promise
    response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
    response.end(`${chunk({ usage })}data: [DONE]\n\n`)
  })
  await using stage = await limitStage({
    key: daily,
    accounts: [
      {
        id: 'one',
        provider: 'openai-compatible',
        baseUrl: account.url,
        apiKey: 'k',
        models: [model],
        prices: { [model]: { rates: { input: '1', output: '1' } } },
      },
    ],
  })
  const body = { model, stream: true, messages: [{ role: 'user', content: 'x' }] }
  const response = await stage.send('/v1/chat/completions', body)
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
  // The gateway reads the end of the connection before it serves a later one.
  await stage.limits()
  left.resolve()
  const [tokens, , cost] = await stage.settled()
  expect([tokens!.spent, cost!.spent]).toEqual([50_010, '0.05001'])
})

test('a flood of calls that their key refuses holds nothing of the gateway', async () => {
  const store = openMemoryStore()
  const meter = store.meter()
  const asked: string[] = []
  const admit: typeof meter.admit = (ask) => {
    asked.push(ask.subject)
    return meter.admit(ask)
  }
  Object.assign(store, { meter: () => ({ ...meter, admit }) })
  await using stage = await limitStage({
    store,
    key: [{ kind: 'requests', amount: 1, window: 'day' }],
    all: [{ kind: 'concurrent', amount: 10 }],
  })
  expect((await stage.chat(model)).status).toBe(200)
  expect((await stage.chat(model)).status).toBe(402)
  asked.length = 0
  for (let call = 0; call < 5; call++) expect((await stage.chat(model)).status).toBe(402)
  expect(new Set(asked)).toEqual(new Set(['key:a']))
})

test('a call that is too large for what is left of an account keeps it from no others', async () => {
  await using stage = await limitStage({ account: [{ kind: 'tokens', amount: 100_000 }] })
  const messages = [{ role: 'user', content: 'word '.repeat(20_000) }]
  expect((await stage.chat(model, { messages })).status).toBe(200)
  expect((await stage.chat(model, { n: 100 })).status).toBe(429)
  expect((await stage.chat(model)).status).toBe(200)
})

test.each(['JSON', 'stream'])(
  'pitfall 15: images that another model draws for a response are not drawn for nothing: %s',
  async (form) => {
    const document = {
      ...replyOf('responses', ['x'], { input_tokens: 10, output_tokens: 5, total_tokens: 15 })
        .document,
      output: ['g', 'h'].map((id) => ({
        id,
        type: 'image_generation_call',
        status: 'completed',
        result: 'eA==',
      })),
    }
    const frames = ['created', 'completed'].map((name, index) => {
      const type = `response.${name}`
      const event = { type, sequence_number: index, response: document }
      return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`
    })
    const answer = answerWith({ document, frames })
    await using upstream = await startFakeAccount(answer)
    await using stage = await limitStage({
      accounts: [
        {
          id: 'one',
          provider: 'openai',
          baseUrl: `${upstream.url}/v1`,
          apiKey: 'k',
          models: ['m'],
          prices: {
            m: { rates: { input: '1', output: '1' } },
            'gpt-image-1': { rates: { input: '5', output: '40' } },
          },
        },
      ],
      key: [{ kind: 'cost', amount: '10' }],
    })
    const body = { model: 'm', input: 'two houses', tools: [{ type: 'image_generation' }] }
    await (await stage.send('/v1/responses', { ...body, stream: form === 'stream' })).text()
    const [cost] = await stage.settled()
    expect(Number(cost!.spent)).toBeCloseTo((2 * 6_240 * 40 + 15) / 1e6, 9)
  },
)
