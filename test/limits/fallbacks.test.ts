import { expect, test } from 'vitest'

import { type CallHolds, holdOf, takenOf } from '../../plugins/limits/call-holds.ts'
import { callTakes } from '../../plugins/limits/takes.ts'
import type { FallbackKind } from '../../src/contract/account.ts'
import { compileLimits } from '../../src/limits/compile.ts'
import type { Estimate } from '../../src/limits/estimate.ts'
import { createLimitSet } from '../../src/limits/limit-set.ts'
import { type LimitStage, type StageOptions, limitStage } from './stage.ts'

const echo = 'sandbox/echo'
const broken = 'sandbox/status=500'
const spare = 'free/spare'

/** A stage whose alias `fast` is a model for which `spare` stands in. */
function start(model: string, on: FallbackKind, options: StageOptions) {
  const aliases = { fast: { model, fallbacks: [{ on: [on], model: spare }] } }
  return limitStage({ aliases, models: [spare], ...options })
}

const modelsOf = ({ sandbox }: LimitStage) =>
  sandbox.requests.map(({ body }) => (JSON.parse(body.toString()) as { model: string }).model)

const spentOf = async (stage: LimitStage) => (await stage.settled()).map(({ spent }) => spent)

test('a fallback stands in for a model whose budget is spent, and the call counts once', async () => {
  await using stage = await start(echo, 'budget', {
    key: [
      { kind: 'cost', amount: '0.000001', models: [echo] },
      { kind: 'requests', amount: 10, window: 'day' },
      { kind: 'concurrent', amount: 1 },
    ],
  })
  expect((await stage.chat('fast')).status).toBe(200)
  await stage.settled()
  for (let count = 0; count < 2; count++) {
    expect((await stage.chat('fast')).status).toBe(200)
    await stage.settled()
  }
  expect(modelsOf(stage)).toEqual([echo, spare, spare])
  const [cost, requests] = await stage.settled()
  expect(requests).toMatchObject({ kind: 'requests', spent: 3 })
  expect(Number(cost!.spent)).toBeLessThan(0.0001)
  expect((await stage.chat(echo)).status).toBe(402)
})

test('a fallback stands in for a model whose rate is reached', async () => {
  await using stage = await start(echo, 'rate_limited', {
    key: [{ kind: 'requests', amount: 1, models: [echo] }],
  })
  expect((await stage.chat('fast')).status).toBe(200)
  expect((await stage.chat('fast')).status).toBe(200)
  expect(modelsOf(stage)).toEqual([echo, spare])
})

test('a fallback stands in for a model whose account is at its limit', async () => {
  const account = { provider: 'sandbox', apiKey: 'sandbox-key-a' }
  await using other = await limitStage()
  const baseUrl = other.sandbox.url
  await using stage = await start(echo, 'rate_limited', {
    accounts: [
      {
        ...account,
        id: 'one',
        baseUrl,
        models: [echo],
        quotas: [{ kind: 'requests', amount: 1 }],
      },
      { ...account, id: 'two', baseUrl, models: [spare] },
    ],
  })
  const accounts: unknown[] = []
  for (let count = 0; count < 3; count++)
    accounts.push((await stage.chat('fast')).headers.get('x-dragoman-account'))
  expect(accounts).toEqual(['one', 'two', 'two'])
})

test('a fallback is not admitted beyond its own limits: the client gets the refusal of its model', async () => {
  await using stage = await start(echo, 'budget', {
    key: [
      { kind: 'requests', amount: 1, window: 'day', models: [echo] },
      { kind: 'requests', amount: 1, window: 'day', models: [spare] },
    ],
  })
  expect((await stage.chat('fast')).status).toBe(200)
  expect((await stage.chat('fast')).status).toBe(200)
  const refused = await stage.chat('fast')
  expect([refused.status, refused.error.details[0]?.['code']]).toEqual([402, 'budget_exceeded'])
  expect(modelsOf(stage)).toEqual([echo, spare])
  expect(await spentOf(stage)).toEqual([1, 1])
})

test('limits of a model count what that model has used, and nothing of its fallback', async () => {
  await using stage = await start(broken, 'unavailable', {
    key: [
      { kind: 'tokens', amount: 100_000, window: 'day', models: [broken] },
      { kind: 'tokens', amount: 100_000, window: 'day', models: [spare] },
      { kind: 'tokens', amount: 100_000, window: 'day' },
      { kind: 'requests', amount: 100, window: 'day' },
    ],
  })
  expect((await stage.chat('fast')).status).toBe(200)
  const [ofBroken, ofSpare, ofAll, requests] = await spentOf(stage)
  expect(ofSpare).toBeGreaterThan(0)
  expect([ofBroken, ofAll, requests]).toEqual([0, ofSpare, 1])
})

test('a call with a fallback holds its estimate once', async () => {
  await using stage = await start(broken, 'unavailable', {
    // An unknown reply has 4,096 tokens.
    key: [{ kind: 'tokens', amount: 6_000, window: 'day', strict: true }],
  })
  expect((await stage.chat('fast')).status).toBe(200)
  expect(modelsOf(stage)).toEqual([broken, spare])
})

test('a budget of money does not pay for a fallback without a price', async () => {
  await using stage = await start(broken, 'unavailable', {
    account: [],
    key: [{ kind: 'cost', amount: '100', models: [spare] }],
  })
  expect((await stage.chat('fast')).status).toBe(500)
  expect(modelsOf(stage)).toEqual([broken])
})

test('what a model has used counts, also if no limit admits its fallback', async () => {
  await using stage = await start(broken, 'unavailable', {
    key: [
      { kind: 'requests', amount: 10, window: 'day' },
      { kind: 'requests', amount: 10, window: 'day', models: [spare] },
    ],
    team: [{ kind: 'requests', amount: 0, window: 'day', models: [spare] }],
  })
  expect((await stage.chat('fast')).status).toBe(500)
  expect(await spentOf(stage)).toEqual([1, 0, 0])
})

test.each(['budget', 'rate_limited'] as const)(
  'a call whose key refuses its model by %s is not in the way of its own fallback',
  async (on) => {
    const window = on === 'budget' ? 'day' : '1m'
    await using stage = await start(echo, on, {
      key: [{ kind: 'requests', amount: 1, window, models: [echo] }],
      team: [
        { kind: 'concurrent', amount: 1 },
        { kind: 'requests', amount: 10, window: 'day' },
      ],
    })
    const statuses: number[] = []
    for (let count = 0; count < 3; count++) {
      statuses.push((await stage.chat('fast')).status)
      await stage.settled()
    }
    expect(statuses).toEqual([200, 200, 200])
    expect((await spentOf(stage)).slice(1)).toEqual([0, 3])
  },
)

test('a fallback that takes more holds the prompt once: a process that dies charges it once', () => {
  const [limit] = compileLimits({ type: 'key', id: 'a' }, [{ kind: 'tokens', amount: 1_000_000 }])
  const set = createLimitSet([limit!])
  const holds = { id: '1', holds: [] } as unknown as CallHolds
  for (const outputTokens of [100, 5_000]) {
    const most = { outputTokens, cost: undefined }
    const estimate = { inputTokens: 1_000, inputCost: 0, most, ...most } as unknown as Estimate
    const wanted = callTakes('m', set.ofCaller({ keyId: 'a' })!, {
      amounts: set,
      now: Date.now(),
      taken: (one) => takenOf(holds, one),
      estimate: () => estimate,
      endUser: String,
    })
    for (const { subject, takes } of wanted) holdOf(holds, subject).takes.push(...takes)
  }
  const takes = holds.holds.flatMap((one) => one.takes)
  expect(takes.map(({ amount, floor }) => [amount, floor])).toEqual([
    [1_100, 1_000],
    [4_900, 0],
  ])
})
