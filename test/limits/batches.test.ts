import Anthropic from 'anthropic-1'
import { describe, expect, test } from 'vitest'

import type { LedgerRow } from '../../src/contract/ledger-row.ts'
import { until } from '../../src/testing/until.ts'
import { filesStage, finished, jsonl, line } from '../walks/files/stage.ts'

const models = ['cheap', 'dear', 'odd']
const rates = { input: 1, output: 1 }
const dearRates = { input: 1_000, output: 1_000 }
const prices = {
  cheap: { rates, tiers: { batch: '0.5' } },
  dear: { rates: dearRates, tiers: { batch: '0.5' } },
}

/** A key with these limits. */
async function batchStage(quotas: object[], account: object = {}, rows: LedgerRow[] = []) {
  const stage = await filesStage({
    keys: [{ id: 'one', secret: 'secret-one', quotas: quotas as never }],
    accounts: [
      {
        id: 'a',
        models,
        speaks: ['messages', 'message-batches', 'chat', 'files'],
        prices,
        ...account,
      },
    ],
    plugins: [{ name: 'rows', onLedger: (input) => void rows.push(...input.rows) }],
  })
  const client = new Anthropic({
    baseURL: stage.gateway.url,
    apiKey: 'secret-one',
    maxRetries: 0,
  })
  return { stage, batches: client.messages.batches }
}

const messages = [{ role: 'user' as const, content: 'one two three four five six' }]

const request = (id: number, model: string, more: object = {}) => ({
  custom_id: String(id),
  params: { model, max_tokens: 16, messages, ...more },
})

/** The ways to order a batch whose requests name these models, the first first. `more`: members of the last one. */
const orders = {
  messages: ({ batches }: Stage, names: readonly string[], more: object = {}) =>
    batches.create({
      requests: names.map((model, index) =>
        request(index, model, index === names.length - 1 ? more : {}),
      ),
    }),
  files: async ({ stage: { openai } }: Stage, names: readonly string[], more: object = {}) => {
    const body = { max_tokens: 16, messages }
    const file = await jsonl(
      ...names.map((model, index) =>
        line(String(index), model, index === names.length - 1 ? { ...body, ...more } : body),
      ),
    )
    const { id } = await openai.files.create({ file, purpose: 'batch' })
    return openai.batches.create({
      input_file_id: id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    })
  },
}

type Stage = Awaited<ReturnType<typeof batchStage>>

describe.each(['messages', 'files'] as const)('a batch of %s with several models', (way) => {
  const order = orders[way]

  test.each([
    { kind: 'requests', amount: 0, window: 'day' },
    { kind: 'concurrent', amount: 0 },
    { kind: 'tokens', amount: 1, window: 'day' },
    { kind: 'cost', amount: '0.000001', window: 'day' },
  ])('does not pass by a limit of its second one: $kind', async (quota) => {
    const { stage, ...rest } = await batchStage([{ ...quota, models: ['dear'] }])
    await using _ = stage
    const parts = { stage, ...rest }
    await expect(order(parts, ['cheap', 'dear'])).rejects.toMatchObject({
      status: expect.toBeOneOf([402, 429]) as number,
    })
    const standIn = { fallbacks: [{ model: 'dear' }] }
    await expect(order(parts, ['cheap', 'cheap'], standIn)).rejects.toMatchObject({
      status: expect.toBeOneOf([402, 429]) as number,
    })
    await order(parts, ['cheap', 'cheap'])
  })

  test('holds the price of its dearest one', async () => {
    const parts = await batchStage([{ kind: 'cost', amount: '0.01', window: 'day' }])
    await using _ = parts.stage
    await expect(order(parts, ['cheap', 'dear'])).rejects.toMatchObject({
      status: expect.toBeOneOf([402, 429]) as number,
    })
    await order(parts, ['cheap', 'cheap'])
  })

  test('one of which has no price, is not for a budget of money', async () => {
    const parts = await batchStage([{ kind: 'cost', amount: 100, window: 'day' }])
    await using _ = parts.stage
    await expect(order(parts, ['cheap', 'odd'])).rejects.toMatchObject({ status: 403 })
  })
})

/** The row of the end of a batch. */
async function endIn(rows: readonly LedgerRow[]): Promise<LedgerRow | undefined> {
  const found = () => rows.find(({ operation }) => operation === 'batch.ended')
  await until(() => found() !== undefined)
  return found()
}

/** What the key has spent, once nothing is held. */
async function spentOf({ stage: { gateway } }: Stage): Promise<number> {
  let spent = 0
  await until(async () => {
    const response = await fetch(`${gateway.url}/dragoman/key`, {
      headers: { authorization: 'Bearer secret-one' },
    })
    const { limits } = (await response.json()) as { limits: { spent: string; held: string }[] }
    spent = Number(limits[0]!.spent)
    return limits.every(({ held }) => Number(held) === 0) && spent > 0
  })
  return spent
}

test('a batch with several models is charged its tokens at the price of the dearest one at least', async () => {
  const rows: LedgerRow[] = []
  const parts = await batchStage([{ kind: 'cost', amount: 100, window: 'day' }], {}, rows)
  await using _ = parts.stage
  const { id } = await orders.messages(parts, ['cheap', 'dear'])
  await until(async () => (await parts.batches.retrieve(id)).processing_status === 'ended')
  const spent = await spentOf(parts)
  const end = await endIn(rows)
  const { inputTokens = 0, outputTokens = 0 } = end?.tokens ?? {}
  expect(end).toMatchObject({ costNano: null })
  expect(spent).toBeGreaterThanOrEqual((inputTokens + outputTokens) / 1_000)
})

describe('many short prompts are no long one', () => {
  const over = [{ inputTokens: 60, rates: { input: 1_000, output: 1_000 } }]
  const long = { cheap: { rates, over, tiers: { batch: '0.5' } } }
  const names = Array.from({ length: 20 }, () => 'cheap')

  test.each(['messages', 'files'] as const)('in a batch of %s', async (way) => {
    const rows: LedgerRow[] = []
    const quota = { kind: 'cost', amount: '0.1', window: 'day' }
    const parts = await batchStage([quota], { prices: long }, rows)
    await using _ = parts.stage
    const { id } = await orders[way](parts, names)
    if (way === 'files') await finished(parts.stage.openai, id)
    else await until(async () => (await parts.batches.retrieve(id)).processing_status === 'ended')
    const spent = await spentOf(parts)
    const end = await endIn(rows)
    const { inputTokens = 0, outputTokens = 0 } = end?.tokens ?? {}
    expect(inputTokens).toBeGreaterThan(60)
    expect(end?.costNano).toBe((inputTokens + outputTokens) * 500)
    expect(spent).toBe((end?.costNano ?? 0) / 1e9)
  })
})
