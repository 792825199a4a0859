import { describe, expect, test } from 'vitest'

import type { LedgerRow } from '../../src/contract/ledger-row.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { type Answer, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { type LimitStage, type StageOptions, limitStage } from './stage.ts'

interface Shown {
  readonly id: string
  readonly status: string
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number } | null
}

const quotas = [
  { kind: 'cost', amount: 1, window: 'day' },
  { kind: 'tokens', amount: 1_000_000, window: 'day' },
] as const

/** A stage on a store in memory, whose ledger and clock are at hand. */
async function backgroundStage(more: Partial<StageOptions> = {}) {
  const store = openMemoryStore()
  const stage = await limitStage({ key: quotas, account: quotas, store, ...more })
  const rows = async (wanted: (row: LedgerRow) => boolean) => {
    let found: LedgerRow[] = []
    await until(async () => {
      found = (await store.ledger().rows({ limit: 100 })).filter(wanted)
      return found.length > 0
    })
    return found
  }
  return Object.assign(stage, { store, rows })
}

async function begin({ send }: LimitStage, more: object = {}): Promise<Shown> {
  const body = { model: 'sandbox/echo', input: 'Hello there', background: true, ...more }
  const response = await send('/v1/responses', body)
  expect(response.status).toBe(200)
  return (await response.json()) as Shown
}

async function look({ send }: LimitStage, id: string): Promise<Shown> {
  return (await (await send(`/v1/responses/${id}`, undefined)).json()) as Shown
}

async function finish(stage: LimitStage, id: string): Promise<NonNullable<Shown['usage']>> {
  let shown: Shown | undefined
  await until(async () => (shown = await look(stage, id)).status === 'completed')
  return shown!.usage!
}

const isEnd = ({ isJob }: LedgerRow) => isJob === true

/** What the limits of the key must have spent, at a dollar for a million tokens. */
function spentOf(tokens: number) {
  return [{ spent: String(tokens / 1e6) }, { spent: tokens }]
}

describe('a response in the background', () => {
  test('holds its estimate until its end, and is charged what it has used', async () => {
    await using stage = await backgroundStage({ admin: true })
    const { id, status } = await begin(stage)
    expect(status).toBe('queued')
    await until(async () => Number((await stage.limits())[1]!.held) > 4_000)
    expect((await stage.limits())[1]!.spent).toBe(0)
    const { input_tokens: input, output_tokens: output } = await finish(stage, id)
    expect(await stage.settled()).toMatchObject(spentOf(input + output))
    const [end] = await stage.rows(isEnd)
    expect(end).toMatchObject({
      operation: 'response.ended',
      status: 'completed',
      model: 'sandbox/echo',
      usage: 'reported',
      tokens: { inputTokens: input, outputTokens: output },
      costNano: (input + output) * 1_000,
    })
    const [order] = await stage.rows(({ operation }) => operation === 'responses.create')
    const { data } = await stage.gateway.admin!.ask(
      'query ($id: ID!) { exchange(id: $id) { ledger { operation } } }',
      { variables: { id: order!.exchange } },
    )
    expect(data).toMatchObject({
      exchange: { ledger: [{ operation: 'responses.create' }, { operation: 'response.ended' }] },
    })
    expect(order).toMatchObject({
      usage: 'none',
      costNano: 0,
      exchange: end!.exchange.replace('job-', ''),
    })
  })

  test('is charged once, however often and at once it is looked up', async () => {
    await using stage = await backgroundStage()
    const { id } = await begin(stage)
    await look(stage, id)
    await until(async () => {
      const all = await Promise.all(Array.from({ length: 8 }, () => look(stage, id)))
      return all.every(({ status }) => status === 'completed')
    })
    const { input_tokens: input, output_tokens: output } = await finish(stage, id)
    expect(await stage.settled()).toMatchObject(spentOf(input + output))
    expect(await stage.rows(isEnd)).toHaveLength(1)
  })

  test('whose events another connection reads to their end is charged by them', async () => {
    await using stage = await backgroundStage()
    const { id } = await begin(stage)
    const stream = await stage.send(`/v1/responses/${id}?stream=true`, undefined)
    const text = await stream.text()
    const event = text.split('\n').find((line) => line.includes('"response.completed"'))
    expect(event ?? text).toContain('response.completed')
    const [end] = await stage.rows(isEnd)
    const { inputTokens = 0, outputTokens = 0 } = end!.tokens!
    expect(outputTokens).toBeGreaterThan(0)
    expect(await stage.settled()).toMatchObject(spentOf(inputTokens + outputTokens))
  })

  test('whose own stream tells its use is charged by that alone', async () => {
    await using stage = await backgroundStage()
    const body = { model: 'sandbox/echo', input: 'Hi', background: true, stream: true }
    const text = await (await stage.send('/v1/responses', body)).text()
    const id = /"id":"(resp_[^"]+)"/.exec(text)![1]!
    const { input_tokens: input, output_tokens: output } = await finish(stage, id)
    expect(await stage.settled()).toMatchObject(spentOf(input + output))
    const [row] = await stage.rows(({ operation }) => operation === 'responses.create')
    expect(row!.usage).toBe('reported')
    expect((await stage.store.ledger().rows({ limit: 100 })).filter(isEnd)).toEqual([])
  })

  test('that is cancelled is charged what it says, or its prompt', async () => {
    await using stage = await backgroundStage()
    const { id } = await begin(stage)
    const cancelled = await stage.send(`/v1/responses/${id}/cancel`, '')
    const { status, usage } = (await cancelled.json()) as Shown
    expect(status).toBe('cancelled')
    const [end] = await stage.rows(isEnd)
    expect(end).toMatchObject({ status: 'cancelled', usage: usage ? 'reported' : 'estimated' })
    const spent = (await stage.settled())[1]!.spent
    expect(spent).toBeGreaterThan(0)
    expect(spent).toBeLessThan(100)
  })

  test('whose stream breaks is charged when it is looked up', async () => {
    const response = { id: 'resp_bg', object: 'response', model: 'm', background: true }
    const usage = { input_tokens: 11, output_tokens: 22, total_tokens: 33 }
    const answer: Answer = (reply, request) => {
      if (request.method === 'GET') {
        const ended = { ...response, status: 'completed', output: [], usage }
        reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ended))
        return
      }
      const begun = { ...response, status: 'queued', output: [], usage: null }
      const event = { type: 'response.created', sequence_number: 0, response: begun }
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.write(`event: response.created\ndata: ${JSON.stringify(event)}\n\n`)
      setTimeout(() => reply.destroy(), 50)
    }
    await using account = await startFakeAccount(answer)
    await using stage = await backgroundStage({
      accounts: [
        {
          id: 'one',
          provider: 'openai',
          baseUrl: `${account.url}/v1`,
          apiKey: 'sk-a',
          models: ['m'],
          prices: { m: { rates: { input: '1', output: '1' } } },
        },
      ],
    })
    const body = { model: 'm', input: 'Hi', background: true, stream: true }
    await (await stage.send('/v1/responses', body)).text()
    await until(async () => Number((await stage.limits())[1]!.held) > 4_000)
    expect((await look(stage, 'resp_bg')).status).toBe('completed')
    expect(await stage.settled()).toMatchObject(spentOf(33))
  })

  test('that its account has forgotten is charged the most of its order after a day, and says so', async () => {
    const store = openMemoryStore()
    const quota = [{ kind: 'tokens', amount: 1_000_000, window: 'total' }]
    let id = ''
    let held = 0
    {
      await using stage = await limitStage({ key: quota, store })
      id = (await begin(stage, { max_output_tokens: 10_000 })).id
      await until(async () => (held = Number((await stage.limits())[0]!.held)) > 4_000)
    }
    const most = held - 4_096 + 10_000
    await using later = await backgroundStage({
      key: quota,
      store,
      now: () => Date.now() + 86_401_000,
    })
    await until(async () => (await store.ledger().rows({ limit: 9 })).some(isEnd))
    const rows = (await store.ledger().rows({ limit: 9 })).filter(isEnd)
    expect(rows).toMatchObject([
      { usage: 'estimated', costNano: most * 1_000, status: 'incomplete' },
    ])
    expect((await later.settled())[0]!.spent).toBe(most)
    await later.send(`/v1/responses/${id}`, undefined)
    expect((await store.ledger().rows({ limit: 9 })).filter(isEnd)).toHaveLength(1)
  })
})
