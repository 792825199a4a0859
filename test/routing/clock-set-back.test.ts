import { expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { setBack } from '../set-back.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { form } from '../walks/streams/forms.ts'
import { type Pair, startPair } from './pair.ts'

const keys = ['alice', 'bob', 'carl'].map((id) => ({ id, secret: id }))

async function startDown(down: Answer): Promise<Pair> {
  const pair = await startPair(form.chat, { keys, admin: true })
  pair.a.script = down
  pair.b.script = down
  for (let call = 0; call < 6; call++) await pair.ask({ key: keys[call % 3]!.id })
  pair.a.script = serving(form.chat)
  pair.b.script = serving(form.chat)
  return pair
}

async function latestEnd({ gateway }: Pair): Promise<number> {
  const query = '{ accounts { edges { node { exclusions { until } } } } }'
  const { data } = (await gateway.admin?.ask(query)) ?? {}
  const { accounts } = data as {
    accounts: { edges: { node: { exclusions: { until: string }[] } }[] }
  }
  const ends = accounts.edges.flatMap(({ node }) => node.exclusions.map(({ until }) => until))
  return Math.max(...ends.map((end) => Date.parse(end)))
}

test.each([
  ['an open circuit', refusing(500), 503, 12],
  ['a pause', refusing(429, { 'retry-after': '20' }), 429, 20],
  ['a refusal', refusing(403), 503, 30],
])(
  'a clock that is set back makes the time of %s no longer',
  async (_what, down, status, seconds) => {
    await using pair = await startDown(down)
    using clock = setBack()

    const refused = await pair.ask({ key: 'bob' })
    expect(refused.status).toBe(status)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(seconds)
    expect(await latestEnd(pair)).toBeLessThanOrEqual(Date.now() + seconds * 1_000)

    clock.pass(seconds * 1_000 + 1)
    expect((await pair.ask({ key: 'bob' })).status).toBe(200)
  },
)
