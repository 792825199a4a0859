import { expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { form } from '../walks/streams/forms.ts'
import { createGate } from '../walks/streams/scripted.ts'
import { type Pair, startPair } from './pair.ts'

const keys = ['mallory', 'alice', 'bob'].map((id) => ({ id, secret: id }))
const poison = { fields: { user: 'poison' } }

/** Two accounts that fail on one odd request and ask for a pause, and serve all others. */
async function startTroubled(status: number, seconds = 600): Promise<Pair> {
  const pair = await startPair(form.chat, { keys, admin: true })
  const refuse = refusing(status, { 'retry-after': String(seconds) })
  const script: Answer = (response, request) =>
    (request.body.includes('poison') ? refuse : serving(form.chat))(response, request)
  pair.a.script = script
  pair.b.script = script
  return pair
}

const query = '{ accounts { edges { node { exclusions { kind model keyId } } } } }'

interface Listed {
  readonly accounts: { readonly edges: { readonly node: { readonly exclusions: object[] } }[] }
}

/** What operators see. */
async function exclusionsOf({ gateway }: Pair): Promise<object[]> {
  const { data } = (await gateway.admin?.ask(query)) ?? {}
  return (data as Listed).accounts.edges.flatMap(({ node }) => node.exclusions)
}

test.each([500, 502, 504, 524, 408])(
  'a %i with retry-after is about its request: no model rests for it',
  async (status) => {
    await using pair = await startTroubled(status)
    expect((await pair.ask({ key: 'mallory', ...poison })).status).toBeGreaterThanOrEqual(400)

    expect((await pair.ask({ key: 'mallory' })).status).toBe(200)
    expect((await pair.ask({ key: 'alice' })).status).toBe(200)
  },
)

test.each([503, 529])('a %i with retry-after rests the model for its key alone', async (status) => {
  await using pair = await startTroubled(status)
  await pair.ask({ key: 'mallory', ...poison })

  const own = await pair.ask({ key: 'mallory' })
  expect(own.status).toBe(503)
  expect(Number(own.headers.get('retry-after'))).toBeGreaterThan(300)
  expect((await pair.ask({ key: 'alice' })).status).toBe(200)
  const rest = { kind: 'COOLING', model: 'm', keyId: 'mallory' }
  expect(await exclusionsOf(pair)).toEqual([rest, rest])
})

test('a second key that is asked for a pause as well lets the model rest for all', async () => {
  await using pair = await startTroubled(503)
  await pair.ask({ key: 'mallory', ...poison })
  await pair.ask({ key: 'alice', ...poison })

  const asked = await pair.ask({ key: 'bob' })
  expect(asked.status).toBe(503)
  expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(300)
  const rest = { kind: 'COOLING', model: 'm', keyId: null }
  expect(await exclusionsOf(pair)).toEqual(expect.arrayContaining([rest]))
})

test('a model rests for all for no longer than two keys are asked to', async () => {
  await using pair = await startTroubled(503)
  await pair.ask({ key: 'mallory', ...poison })
  const brief = refusing(503, { 'retry-after': '30' })
  pair.a.script = brief
  pair.b.script = brief
  await pair.ask({ key: 'alice' })

  const seconds = Number((await pair.ask({ key: 'bob' })).headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(30)
})

test('after an answer to another key, one more pause concerns its own key alone', async () => {
  await using pair = await startTroubled(503)
  await pair.ask({ key: 'mallory', ...poison })
  for (const account of [pair.a, pair.b]) {
    while (account.requests.length < 2) expect((await pair.ask({ key: 'bob' })).status).toBe(200)
  }
  await pair.ask({ key: 'alice', ...poison })

  expect((await pair.ask({ key: 'alice' })).status).toBe(503)
  expect((await pair.ask({ key: 'bob' })).status).toBe(200)
})

test('the pause of one key does not end with that of another', async () => {
  await using pair = await startTroubled(503)
  await pair.ask({ key: 'mallory', ...poison })
  for (const account of [pair.a, pair.b]) {
    while (account.requests.length < 2) expect((await pair.ask({ key: 'bob' })).status).toBe(200)
  }
  await pair.ask({ key: 'alice', ...poison })

  for (const key of ['mallory', 'alice']) expect((await pair.ask({ key })).status).toBe(503)
  expect((await pair.ask({ key: 'bob' })).status).toBe(200)
})

test('of two limits at once the longer one counts, whichever comes last', async () => {
  await using pair = await startPair(form.chat, { keys, b: { priority: 1 } })
  const later = createGate()
  pair.b.script = refusing(429, { 'retry-after': '600' })
  pair.a.script = async (response, request) => {
    const isLater = request.body.includes('later')
    if (isLater) await later.opened
    await refusing(429, { 'retry-after': isLater ? '1' : '600' })(response, request)
  }
  const asking = pair.ask({ key: 'alice', fields: { user: 'later' } })
  await until(() => pair.a.requests.length === 1)
  await pair.ask({ key: 'mallory' })
  later.open()
  expect((await asking).status).toBe(429)

  expect(Number((await pair.ask({ key: 'bob' })).headers.get('retry-after'))).toBeGreaterThan(300)
})

test('a limit of the model and one pause of a key make no longer rest for all', async () => {
  await using pair = await startTroubled(503)
  const limited = refusing(429, { 'retry-after': '30' })
  await pair.ask({ key: 'mallory', ...poison })
  pair.a.script = limited
  pair.b.script = limited
  await pair.ask({ key: 'alice' })

  const bobs = await pair.ask({ key: 'bob' })
  expect(bobs.status).toBe(429)
  expect(Number(bobs.headers.get('retry-after'))).toBeLessThanOrEqual(30)
  expect(Number((await pair.ask({ key: 'mallory' })).headers.get('retry-after'))).toBeGreaterThan(
    300,
  )
})
