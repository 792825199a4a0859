import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { definePlugin } from '../../src/index.ts'
import type { Answer } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { callOf, dialects, replyOf, spendStage, usageOf } from './stage.ts'

/** A plugin that counts the tokens of all calls, as limits of tokens and costs do. */
const counting = definePlugin({
  name: 'counting',
  onCall({ exchange, next }) {
    exchange.progress.needsUsage = true
    return next()
  },
})

const pairs = dialects.flatMap((client) => dialects.map((account) => ({ client, account })))

/** Answers with a part, and with the rest once the client has left. */
function inTwoParts(frames: readonly string[], document: object, rest: Promise<void>): Answer {
  return async (response, { body, url }) => {
    if (url.includes('stream') || body.includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const frame of frames.slice(0, -2)) response.write(frame)
      await rest
      return void response.end(frames.slice(-2).join(''))
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    await rest
    response.end(JSON.stringify(document))
  }
}

describe('a reply whose client leaves is read to its usage where a limit counts it', () => {
  test.each(dailyRows(pairs))('$client to $account', async ({ client, account }) => {
    for (const stream of [true, false]) {
      const left = Promise.withResolvers<void>()
      const { frames, document } = replyOf(account, ['a', 'b', 'c', 'd'], usageOf[account])
      const answer = inTwoParts(frames, document, left.promise)
      await using stage = await spendStage(account, answer, { plugins: [counting] })
      const leaving = new AbortController()
      const asked = stage.ask(callOf(client, 'hi', stream), leaving.signal)
      if (stream) await (await asked).body!.getReader().read()
      else await until(() => stage.upstream.requests.length === 1)
      leaving.abort()
      await asked.catch(() => {})
      await until(() => stage.gateway.gateway.inflight() === 1)
      setTimeout(left.resolve, 50)
      const tokens = { inputTokens: 100, outputTokens: 10 }
      expect(await stage.settled(1)).toMatchObject([{ usage: 'reported', tokens }])
      expect(stage.upstream.requests[0]?.aborted).toBe(false)
    }
  })
})

const quotas = [{ kind: 'cost', amount: 5, window: 'day' }] as const
const requests = [{ kind: 'requests', amount: 99 }] as const
const keyWith = (more: object) => [{ id: 'test', secret: 'test-secret', ...more }]

test.each([
  ['a key', { keys: keyWith({ quotas }) }, 'reported'],
  ['a key that only counts requests', { keys: keyWith({ quotas: requests }) }, 'estimated'],
  ['an account', { account: { quotas } }, 'reported'],
] as const)('a budget of %s has replies that clients leave: %j: %s', async (_, config, usage) => {
  const left = Promise.withResolvers<void>()
  const { frames, document } = replyOf('chat', ['a', 'b', 'c', 'd'], usageOf.chat)
  await using stage = await spendStage('chat', inTwoParts(frames, document, left.promise), config)
  const leaving = new AbortController()
  const response = await stage.ask(callOf('chat', 'hi', true), leaving.signal)
  await response.body!.getReader().read()
  leaving.abort()
  if (usage === 'reported') setTimeout(left.resolve, 50)
  expect(await stage.settled(1)).toMatchObject([{ usage }])
  left.resolve()
})

test('a stream that goes on for too long without its client is cut, and estimated', async () => {
  const { frames, document } = replyOf('chat', ['a'.repeat(400)], usageOf.chat)
  const answer = inTwoParts(frames, document, new Promise(() => {}))
  await using stage = await spendStage('chat', answer, {
    plugins: [counting],
    timeouts: { drainMs: 200 },
  })
  const leaving = new AbortController()
  const response = await stage.ask(callOf('chat', 'hi', true), leaving.signal)
  await response.body!.getReader().read()
  leaving.abort()
  const [spend] = await stage.settled(1)
  expect(spend).toMatchObject({ usage: 'estimated', tokens: { outputTokens: 100 } })
})

test('a client that leaves before its request is sent costs nothing', async () => {
  const { frames, document } = replyOf('chat', ['a'], usageOf.chat)
  const held = Promise.withResolvers<void>()
  let client: { readonly gone: boolean } | undefined
  const holding = definePlugin({
    name: 'holding',
    async onAttempt({ exchange, next }) {
      client = exchange.client
      await held.promise
      return next()
    },
  })
  const answer = inTwoParts(frames, document, Promise.resolve())
  await using stage = await spendStage('chat', answer, { plugins: [counting, holding] })
  const leaving = new AbortController()
  const asked = stage.ask(callOf('chat', 'hi', true), leaving.signal)
  await until(() => client !== undefined)
  leaving.abort()
  await asked.catch(() => {})
  await until(() => client?.gone === true)
  held.resolve()
  await until(() => stage.gateway.gateway.inflight() === 0)
  expect(stage.upstream.requests).toHaveLength(0)
  expect(stage.spends.filter(({ cost }) => cost !== 0)).toEqual([])
})
