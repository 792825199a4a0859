import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import {
  answerWith,
  callOf,
  type Dialect,
  dialects,
  replyOf,
  spendStage,
  usageOf,
} from './stage.ts'

const price = (input: number, output: number) => (input * 2 + output * 8) * 1_000

const pairs = dialects.flatMap((client) =>
  dialects.flatMap((account) => [false, true].map((stream) => ({ client, account, stream }))),
)

describe('what an attempt has used is on it before plugins get its outcome', () => {
  test.each(dailyRows(pairs))('$client to $account, streamed: $stream', async (pair) => {
    const { client, account, stream } = pair
    await using stage = await spendStage(
      account,
      answerWith(replyOf(account, ['hello'], usageOf[account])),
    )
    const response = await stage.ask(callOf(client, 'hi', stream))
    expect(response.status).toBe(200)
    await response.text()
    expect(await stage.settled(1)).toMatchObject([
      {
        usage: 'reported',
        tokens: { inputTokens: 100, outputTokens: 10 },
        cost: price(100, 10),
      },
    ])
  })
})

describe('a whole reply without a usage is estimated by the sizes of its texts, and never costs nothing', () => {
  test.each(dailyRows(pairs, 1))('$client to $account, streamed: $stream', async (pair) => {
    const { client, account, stream } = pair
    const texts = ['a'.repeat(2_000), 'b'.repeat(4_000), 'c'.repeat(1_000), 'd'.repeat(1_000)]
    await using stage = await spendStage(account, answerWith(replyOf(account, texts)))
    const response = await stage.ask(callOf(client, 'word '.repeat(800), stream))
    expect(response.status).toBe(200)
    await response.text()
    const [spend] = await stage.settled(1)
    expect(spend?.usage).toBe('estimated')
    const { inputTokens = 0, outputTokens = 0 } = spend?.tokens ?? {}
    expect(inputTokens).toBeGreaterThanOrEqual(1_000)
    expect(inputTokens).toBeLessThan(1_060)
    expect(outputTokens).toBeGreaterThanOrEqual(2_000)
    expect(outputTokens).toBeLessThan(2_040)
    expect(spend?.cost).toBe(price(inputTokens, outputTokens))
  })
})

/** The frames until the first two texts. */
const begun: Readonly<Record<Dialect, number>> = { chat: 3, responses: 5, messages: 4, generate: 2 }

const ends = ['cut', 'wait'] as const

describe('a stream that is cut, or that its client leaves, is estimated by what has come of it', () => {
  const rows = dialects.flatMap((client) =>
    dialects.flatMap((account) => ends.map((end) => ({ client, account, end }))),
  )
  test.each(dailyRows(rows, 2))('$client to $account: $end', async ({ client, account, end }) => {
    const texts = ['a'.repeat(2_000), 'b'.repeat(2_000), 'never sent']
    const reply = answerWith(replyOf(account, texts), { keep: begun[account], end })
    await using stage = await spendStage(account, reply)
    const leaving = new AbortController()
    const response = await stage.ask(callOf(client, 'word '.repeat(800), true), leaving.signal)
    expect(response.status).toBe(200)
    const reader = response.body!.getReader()
    let text = ''
    while (!text.includes('bbbb')) text += Buffer.from((await reader.read()).value!).toString()
    if (end === 'wait') leaving.abort()
    const [spend] = await stage.settled(1)
    expect(spend?.usage).toBe('estimated')
    const { inputTokens = 0, outputTokens = 0 } = spend?.tokens ?? {}
    expect(inputTokens).toBeGreaterThanOrEqual(1_000)
    expect(inputTokens).toBeLessThan(1_060)
    expect(outputTokens).toBeGreaterThanOrEqual(1_000)
    expect(outputTokens).toBeLessThan(1_020)
    expect(spend?.cost).toBe(price(inputTokens, outputTokens))
  })
})

test('counts that a cut stream has reported stay, and only the others are estimated', async () => {
  const { frames, document } = replyOf('messages', ['a'.repeat(400)], {
    ...usageOf.messages,
    cache_read_input_tokens: 50,
  })
  await using stage = await spendStage(
    'messages',
    answerWith({ frames, document }, { keep: 3, end: 'cut' }),
    { prices: { m: { rates: { input: '2', output: '8', cacheRead: '1' } } } },
  )
  await (await stage.ask(callOf('messages', 'hi', true))).text().catch(() => {})
  const tokens = { inputTokens: 150, cachedTokens: 50, outputTokens: 100 }
  const cost = price(100, 100) + 50_000
  expect(await stage.settled(1)).toMatchObject([{ usage: 'estimated', tokens, cost }])
})

test.each(dialects)('pitfall 12: a usage of 0 is 0, and no lack of one: %s', async (dialect) => {
  const zeros = Object.fromEntries(Object.keys(usageOf[dialect]).map((name) => [name, 0]))
  await using stage = await spendStage(
    dialect,
    answerWith(replyOf(dialect, ['a'.repeat(400)], zeros)),
  )
  for (const stream of [false, true]) {
    await (await stage.ask(callOf(dialect, 'hi', stream))).text()
  }
  const spend = { usage: 'reported', tokens: { inputTokens: 0, outputTokens: 0 }, cost: 0 }
  expect(await stage.settled(2)).toMatchObject([spend, spend])
})

test('many frames are a token each at least', async () => {
  const texts = Array.from({ length: 300 }, () => 'a')
  const { frames, document } = replyOf('chat', texts)
  const answer = answerWith({ frames, document }, { keep: 301, end: 'cut' })
  await using stage = await spendStage('chat', answer)
  await (await stage.ask(callOf('chat', 'hi', true))).text().catch(() => {})
  const [spend] = await stage.settled(1)
  expect(spend?.tokens?.outputTokens).toBe(300)
})

test('pictures in base64 count by another measure than words', async () => {
  const picture = Buffer.alloc(300_000, 7).toString('base64')
  const small = Buffer.alloc(30_000, 7).toString('base64')
  await using stage = await spendStage('chat', answerWith(replyOf('chat', ['x'])))
  for (const base64 of [picture, small]) {
    const url = `data:image/png;base64,${base64}`
    const content = [
      { type: 'text', text: 'word '.repeat(80) },
      { type: 'image_url', image_url: { url } },
    ]
    const call = callOf('chat', '', true, { messages: [{ role: 'user', content }] })
    await (await stage.ask(call)).text()
  }
  const [large, other] = await stage.settled(2)
  expect(large?.tokens?.inputTokens).toBeGreaterThan(800)
  expect(large?.tokens?.inputTokens).toBeLessThan(1_000)
  expect(other?.tokens?.inputTokens).toBeGreaterThan(150)
  expect(other?.tokens?.inputTokens).toBeLessThan(250)
})

describe('an account that has not taken a call has used nothing', () => {
  test.each([
    ['an error reply', 400, { error: { message: 'x' } }],
    ['an error in a good reply', 200, { error: { message: 'overloaded', code: 529 } }],
  ])('%s', async (_, status, body) => {
    await using stage = await spendStage('chat', (response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
    await (await stage.ask(callOf('chat', 'hi', false))).text()
    expect(await stage.settled(1)).toEqual([{ usage: 'none', cost: 0 }])
  })
})

test('a response in the background has its use at its end, and not in the attempt that orders it', async () => {
  const { document } = replyOf('responses', [])
  const queued = { ...document, status: 'queued' }
  await using stage = await spendStage('responses', (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(queued))
  })
  await (await stage.ask(callOf('responses', 'hi', false, { background: true }))).text()
  expect(await stage.settled(1)).toEqual([{ usage: 'none', cost: 0 }])
})
