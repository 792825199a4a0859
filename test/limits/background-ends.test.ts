import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import {
  accountOptions,
  backgroundAccount,
  dayMs,
  deltas,
  endsIn,
  order,
  outputOf,
  responseId,
  sendEvents,
  stateOf,
} from './background-stage.ts'
import { limitStage, secret } from './stage.ts'

const lookUp = `GET ${responseId}`
const path = `/v1/responses/${responseId}`
const usage = { input_tokens: 11, output_tokens: 22_222, total_tokens: 22_233 }
const completed = answerJson(stateOf('completed', { usage }))
const later = (days: number) => () => Date.now() + days * dayMs + 1_000

describe('a response in the background whose client never asks for its end', () => {
  test('is charged after a day what its account says, not the estimate of its order', async () => {
    const store = openMemoryStore()
    await using account = await backgroundAccount({ [lookUp]: completed })
    const options = { ...accountOptions(account), store }
    {
      await using stage = await limitStage(options)
      await order(stage)
    }
    await using stage = await limitStage({ ...options, now: later(1) })
    expect(await endsIn(store)).toMatchObject([
      { status: 'completed', usage: 'reported', costNano: 22_233_000 },
    ])
    expect(await stage.settled()).toMatchObject([{ spent: '0.022233' }, { spent: 22_233 }])
    expect(account.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  test.each(dailyRows(['file', 'Redis']))(
    'is charged so on %s, also if the process that ordered it was killed',
    async (kind) => {
      await using redis = kind === 'Redis' ? await startRedis() : undefined
      await using directory = await temporaryDirectory()
      const store = redis?.url ?? `file:${directory.path}`
      await using account = await backgroundAccount({ [lookUp]: completed })
      const { key = [], ...more } = accountOptions(account)
      const script = join(import.meta.dirname, 'killed-process.ts')
      const words = [script, store, JSON.stringify(key), JSON.stringify(more)]
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(child, 'exit')
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      const response = await fetch(`${line.toString().trim()}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', input: 'Hello there', background: true }),
      })
      expect(response.status).toBe(200)
      child.kill('SIGKILL')
      await ended
      await using stage = await limitStage({ key, ...more, store, now: later(1) })
      await until(async () => (await stage.limits())[1]!.spent === 22_233)
      expect(account.requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
    },
  )

  test.each([
    ['the bound of its order', { max_output_tokens: 50_000 }, 50_000],
    ['the longest reply', {}, 131_072],
  ])(
    'and that its account has forgotten is charged %s, as an estimate',
    async (_, more, outputTokens) => {
      const store = openMemoryStore()
      await using account = await backgroundAccount({})
      const options = { ...accountOptions(account), store }
      {
        await using stage = await limitStage(options)
        await order(stage, more)
      }
      await using stage = await limitStage({ ...options, now: later(1) })
      const [end] = await endsIn(store)
      expect(end).toMatchObject({ usage: 'estimated', tokens: { outputTokens } })
      const { inputTokens = NaN } = end!.tokens!
      expect((await stage.settled())[1]).toMatchObject({ spent: inputTokens + outputTokens })
    },
  )

  test.each([
    ['does not answer', answerJson({ error: { message: 'busy' } }, { status: 503 })],
    ['still runs it', answerJson(stateOf('in_progress'))],
  ])('and whose account %s is not charged by a guess yet', async (_, answer) => {
    const store = openMemoryStore()
    await using account = await backgroundAccount({ [lookUp]: answer })
    const options = { ...accountOptions(account), store }
    {
      await using stage = await limitStage(options)
      await order(stage)
    }
    await using _stage = await limitStage({ ...options, now: later(1.2) })
    await until(() => account.requests.length > 1)
    await wait(100)
    expect((await store.ledger().rows({ limit: 9 })).filter(({ isJob }) => isJob)).toEqual([])
  })

  test('and whose account still runs it half a day later is charged the most of its order', async () => {
    const store = openMemoryStore()
    await using account = await backgroundAccount({
      [lookUp]: answerJson(stateOf('in_progress')),
    })
    const options = { ...accountOptions(account), store }
    {
      await using stage = await limitStage(options)
      await order(stage, { max_output_tokens: 5_000 })
    }
    await using _later = await limitStage({ ...options, now: later(1.5) })
    expect(await endsIn(store)).toMatchObject([
      { usage: 'estimated', tokens: { outputTokens: 5_000 } },
    ])
  })

  test('is charged what it has used before it is deleted', async () => {
    const store = openMemoryStore()
    await using account = await backgroundAccount({
      [lookUp]: completed,
      [`DELETE ${responseId}`]: answerJson({ id: responseId, object: 'response', deleted: true }),
    })
    await using stage = await limitStage({ ...accountOptions(account), store })
    await order(stage)
    const deleted = await fetch(stage.gateway.url + path, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(deleted.status).toBe(200)
    expect(await endsIn(store)).toMatchObject([{ status: 'completed', usage: 'reported' }])
    expect((await stage.settled())[1]).toMatchObject({ spent: 22_233 })
  })

  test('is charged by its events if it leaves them before the last one', async () => {
    const store = openMemoryStore()
    let finish = () => {}
    await using account = await backgroundAccount({
      [lookUp](reply) {
        sendEvents(reply, [{ type: 'response.created', response: stateOf('in_progress') }])
        sendEvents(reply, deltas(20))
        finish = () => {
          const response = stateOf('completed', { usage })
          sendEvents(reply, [{ type: 'response.completed', response }])
          reply.end()
        }
      },
    })
    await using stage = await limitStage({ ...accountOptions(account), store })
    await order(stage)
    const stream = await stage.send(`${path}?stream=true&starting_after=1`, undefined)
    const reader = stream.body!.getReader()
    await reader.read()
    await reader.cancel()
    await wait(100)
    expect(account.requests.at(-1)!.aborted).toBe(false)
    finish()
    expect(await endsIn(store)).toMatchObject([{ status: 'completed', usage: 'reported' }])
    expect((await stage.settled())[1]).toMatchObject({ spent: 22_233 })
  })
})

describe('a response in the background that is cancelled, and reports no use', () => {
  const cancelled = stateOf('cancelled')
  const words = 2_000

  async function chargedOutput(store: ReturnType<typeof openMemoryStore>): Promise<number> {
    const [end] = await endsIn(store)
    expect(end).toMatchObject({ status: 'cancelled', usage: 'estimated' })
    return end!.tokens!.outputTokens ?? NaN
  }

  test.each([
    [20, 1_900, 3_000],
    [600, 4_096, 4_096],
  ])(
    'is charged for hidden reasoning by the %i s that it ran, up to its estimate',
    async (seconds, least, most) => {
      const store = openMemoryStore()
      let laterMs = 0
      await using account = await backgroundAccount({ 'POST cancel': answerJson(cancelled) })
      const now = () => Date.now() + laterMs
      await using stage = await limitStage({ ...accountOptions(account), store, now })
      await order(stage)
      laterMs = seconds * 1_000 + 500
      await stage.send(`${path}/cancel`, '')
      const charged = await chargedOutput(store)
      expect(charged).toBeGreaterThanOrEqual(least)
      expect(charged).toBeLessThanOrEqual(most)
    },
  )

  test('is charged its prompt and the output that its reply has', async () => {
    const store = openMemoryStore()
    const body = { ...cancelled, output: outputOf(words) }
    await using account = await backgroundAccount({ 'POST cancel': answerJson(body) })
    await using stage = await limitStage({ ...accountOptions(account), store })
    await order(stage)
    await stage.send(`${path}/cancel`, '')
    expect(await chargedOutput(store)).toBe(Math.ceil((words * 5) / 4))
    expect((await stage.settled())[1]!.spent).toBeGreaterThan(words)
  })

  test.each(['that is open meanwhile', 'that was left before'])(
    'is charged the output that a stream %s has shown',
    async (when) => {
      const store = openMemoryStore()
      let end = () => {}
      await using account = await backgroundAccount({
        [lookUp](reply) {
          sendEvents(reply, [{ type: 'response.created', response: stateOf('in_progress') }])
          sendEvents(reply, deltas(words))
          end = () => reply.destroy()
        },
        'POST cancel': answerJson(cancelled),
      })
      await using stage = await limitStage({
        ...accountOptions(account),
        store,
        timeouts: { drainMs: 100 },
      })
      await order(stage)
      const stream = await stage.send(`${path}?stream=true`, undefined)
      const reader = stream.body!.getReader()
      for (let size = 0; size < words * 20;) size += (await reader.read()).value!.length
      if (when === 'that was left before') {
        await reader.cancel()
        await until(() => account.requests.at(-1)!.aborted)
      }
      await stage.send(`${path}/cancel`, '')
      end()
      expect(await chargedOutput(store)).toBeGreaterThanOrEqual(words)
      await reader.cancel().catch(() => {})
    },
  )

  test('is charged no more than its order permits, also if streams have shown its output twice', async () => {
    const store = openMemoryStore()
    await using account = await backgroundAccount({
      [lookUp](reply) {
        sendEvents(reply, [{ type: 'response.created', response: stateOf('in_progress') }])
        sendEvents(reply, deltas(words))
        setTimeout(() => reply.destroy(), 20)
      },
      'POST cancel': answerJson(cancelled),
    })
    await using stage = await limitStage({ ...accountOptions(account), store })
    await order(stage, { max_output_tokens: 2_500 })
    for (let time = 0; time < 2; time++) {
      const stream = await stage.send(`${path}?stream=true`, undefined)
      await stream.text().catch(() => '')
    }
    await until(() => stage.gateway.gateway.inflight() === 0)
    await stage.send(`${path}/cancel`, '')
    expect(await chargedOutput(store)).toBe(2_500)
  })

  test('is charged the output that its own stream has shown', async () => {
    const store = openMemoryStore()
    let end = () => {}
    await using account = await backgroundAccount({
      'POST responses'(reply) {
        sendEvents(reply, [{ type: 'response.created', response: stateOf('queued') }])
        sendEvents(reply, deltas(words))
        end = () => reply.destroy()
      },
      [lookUp]: answerJson(cancelled),
      'POST cancel': answerJson(cancelled),
    })
    const options = { ...accountOptions(account), store }
    {
      await using stage = await limitStage(options)
      const body = { model: 'm', input: 'Hi', background: true, stream: true }
      const stream = await stage.send('/v1/responses', body)
      const text = stream.text().catch(() => '')
      await until(() => stage.gateway.gateway.inflight() > 0)
      await wait(100)
      await stage.send(`${path}/cancel`, '')
      end()
      await text
      await until(() => stage.gateway.gateway.inflight() === 0)
    }
    await using _later = await limitStage({ ...options, now: later(1) })
    expect(await chargedOutput(store)).toBeGreaterThanOrEqual(words)
  })
})

test('a job whose tier its price lacks is charged its tokens at ordinary rates at least', async () => {
  const store = openMemoryStore()
  const body = stateOf('completed', { usage, service_tier: 'priority' })
  await using account = await backgroundAccount({ [lookUp]: answerJson(body) })
  await using stage = await limitStage({ ...accountOptions(account), store })
  await order(stage)
  await stage.send(path, undefined)
  expect(await endsIn(store)).toMatchObject([{ costNano: null, uncosted: 'no_tier' }])
  expect((await stage.settled())[0]).toMatchObject({ spent: '0.022233' })
})
