import { describe, expect, test } from 'vitest'

import type { Meter, MeterAsk } from '../../src/stores/meter.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { until } from '../../src/testing/until.ts'
import { type LimitStage, type StageOptions, limitStage } from './stage.ts'

const video = 'sora-2'

/** The request for a video, in a dialect. */
type Order = (model: string) => { readonly path: string; readonly body: object }

/** A stage whose videos cost a dollar a second. */
async function videoStage(
  key: readonly object[],
  more: Partial<StageOptions> = {},
): Promise<LimitStage> {
  const prices = { [video]: { units: { second: '1' } } }
  return await limitStage({ key, models: [video], prices, ...more })
}

async function order({ send }: LimitStage, seconds: string) {
  const response = await send('/v1/videos', { model: video, prompt: 'a film', seconds })
  const body = (await response.json()) as { id: string; error?: { details: { code: string }[] } }
  return { ...body, status: response.status }
}

async function finish({ send }: LimitStage, id: string): Promise<void> {
  await until(async () => {
    const response = await send(`/v1/videos/${id}`, undefined)
    const { status } = (await response.json()) as { status: string }
    return status === 'completed'
  })
}

describe('a video', () => {
  test('holds its cost until it is made, and is charged once then', async () => {
    await using stage = await videoStage([{ kind: 'cost', amount: 10, window: 'day' }])
    const { status, id } = await order(stage, '4')
    expect(status).toBe(200)
    await until(async () => (await stage.limits())[0]!.held === '4')
    // What others hold is in the way, although no call runs.
    const second = await order(stage, '8')
    expect([second.status, second.error?.details[0]?.code]).toEqual([429, 'budget_in_use'])
    await finish(stage, id)
    await finish(stage, id)
    expect((await stage.settled())[0]).toMatchObject({ spent: '4', held: '0', remaining: '6' })
  })

  test('holds its cost without a gap in which a call of another replica takes the budget', async () => {
    const store = openMemoryStore()
    const meter = store.meter()
    let limit: Parameters<Meter['admit']>[0]['takes'][number]['limit'] | undefined
    const answers: boolean[] = []
    const admit: Meter['admit'] = (ask) => {
      limit ??= ask.takes.find(({ limit: { counts } }) => counts.kind === 'budget')?.limit
      return meter.admit(ask)
    }
    const settle: Meter['settle'] = async (end) => {
      const states = meter.settle(end)
      const takes = [{ limit: limit!, amount: 8_000_000_000, floor: 0 }]
      const other = { subject: end.subject, hold: `other ${answers.length}`, expiresMs: 60_000 }
      // In the same step, as a replica that comes between two operations of this one.
      const answer = meter.admit({ ...other, takes })
      answers.push((await answer).admitted)
      return await states
    }
    await using stage = await videoStage([{ kind: 'cost', amount: 10, window: 'day' }], {
      store: { ...store, meter: () => ({ ...meter, admit, settle }) },
    })
    expect((await order(stage, '4')).status).toBe(200)
    await until(() => answers.length > 0)
    expect(answers).toEqual([false])
    await until(async () => (await stage.limits())[0]!.held === '4')
  })

  test('holds in one take what its call has taken before and after the body', async () => {
    const store = openMemoryStore()
    const meter = store.meter()
    const asks: MeterAsk[] = []
    const admit: Meter['admit'] = (ask) => {
      if (ask.hold.startsWith('job:')) asks.push(ask)
      return meter.admit(ask)
    }
    await using stage = await videoStage([{ kind: 'cost', amount: 10, window: 'day' }], {
      store: { ...store, meter: () => ({ ...meter, admit }) },
    })
    const body = JSON.stringify({ model: video, prompt: 'a film', seconds: '4' })
    const response = await stage.send('/v1/videos', ' '.repeat(70_000) + body)
    expect(response.status).toBe(200)
    await until(() => asks.length > 0)
    expect(asks[0]!.takes).toMatchObject([{ amount: 4_000_000_000, floor: 4_000_000_000 }])
  })

  test('holds a budget of its account until it is made, so that no other is ordered beyond it', async () => {
    await using stage = await videoStage([], {
      account: [{ kind: 'cost', amount: 10, window: 'day', strict: true }],
    })
    const first = await order(stage, '8')
    expect(first.status).toBe(200)
    const second = await order(stage, '4')
    expect(second.status).toBe(429)
    await finish(stage, first.id)
    await until(async () => (await order(stage, '4')).status === 429)
  })

  test('that is never asked for is charged its estimate after a day, also if the store was away for its hold', async () => {
    const store = openMemoryStore()
    const meter = store.meter()
    const admit: Meter['admit'] = (ask) =>
      ask.hold.startsWith('job:') ? Promise.reject(new StoreUnavailable('away')) : meter.admit(ask)
    const quota = [{ kind: 'cost', amount: 10, window: 'total' }]
    {
      await using stage = await videoStage(quota, {
        store: { ...store, meter: () => ({ ...meter, admit }) },
      })
      expect((await order(stage, '4')).status).toBe(200)
      expect((await stage.settled())[0]!.spent).toBe('0')
    }
    const now = () => Date.now() + 86_401_000
    await using later = await videoStage(quota, { store, now })
    await until(async () => (await later.limits())[0]!.spent === '4')
    const ends = (await store.ledger().rows({ limit: 9 })).filter(({ isJob }) => isJob)
    expect(ends).toMatchObject([
      { operation: 'video.ended', usage: 'estimated', costNano: 4_000_000_000 },
    ])
  })

  const ofVideos: Order = (model) => ({
    path: '/v1/videos',
    body: { model, prompt: 'a film', seconds: '4' },
  })
  const ofOperations: Order = (model) => ({
    path: `/v1beta/models/${model}:predictLongRunning`,
    body: { instances: [{ prompt: 'a film' }], parameters: { durationSeconds: 4 } },
  })

  test.each([
    ['completed', 'sandbox/polls=0', ofVideos, 'reported', '4'],
    ['failed', 'sandbox/polls=0+fails', ofVideos, 'none', '0'],
    ['completed', 'sandbox/polls=0', ofOperations, 'reported', '4'],
    ['failed', 'sandbox/polls=0+fails', ofOperations, 'none', '0'],
  ] as const)(
    'that is never asked for and has %s is charged after a day what its account says (%s, by %o)',
    async (status, model, orderOf, usage, spent) => {
      const store = openMemoryStore()
      const options = {
        key: [{ kind: 'cost', amount: 10, window: 'total' }],
        prices: { [model]: { units: { second: '1' } } },
        store,
      }
      await using stage = await limitStage(options)
      const { path, body } = orderOf(model)
      const ordered = await stage.send(path, body)
      expect(ordered.status).toBe(200)
      const account = { id: 'one', provider: 'sandbox', apiKey: 'sandbox-key-a' }
      await using later = await limitStage({
        ...options,
        accounts: [{ ...account, baseUrl: stage.sandbox.url, models: ['sandbox/*'] }],
        now: () => Date.now() + 86_401_000,
      })
      const ends = async () =>
        (await store.ledger().rows({ limit: 9 })).filter(({ isJob }) => isJob)
      await until(async () => (await ends()).length > 0)
      expect(await ends()).toMatchObject([{ operation: 'video.ended', status, usage }])
      expect((await later.settled())[0]).toMatchObject({ spent })
    },
  )

  test('of an end user is charged to the user with its order', async () => {
    await using stage = await videoStage([{ kind: 'cost', amount: 4, per: 'endUser' }])
    expect((await order(stage, '4')).status).toBe(200)
    await until(async () => (await order(stage, '4')).status === 402)
  })
})

test('images by the unit have an estimate, so that a budget takes their calls', async () => {
  await using stage = await limitStage({
    key: [{ kind: 'cost', amount: '0.10', window: 'day', strict: true }],
    models: ['dall-e-2'],
    prices: { 'dall-e-2': { units: { image: '0.04' } } },
  })
  const paint = async (n: number) => {
    const body = { model: 'dall-e-2', prompt: 'a house', n, response_format: 'b64_json' }
    const response = await stage.send('/v1/images/generations', body)
    await response.text()
    return response.status
  }
  expect(await paint(3)).toBe(402)
  expect(await paint(2)).toBe(200)
  const [limit] = await stage.settled()
  expect(limit!.spent).toBe('0.08')
  expect(await paint(1)).toBe(402)
})
