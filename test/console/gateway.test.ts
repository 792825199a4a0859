import { expect, test } from 'vitest'

import { type Page, nodesOf } from '../admin/admin-gateway.ts'
import { startSeededGateway } from './gateway.ts'

interface Answered {
  readonly accounts: Page<{ id: string; state: string; exclusions: readonly { kind: string }[] }>
  readonly recent: Page<{ id: string; end: string; status: number }>
  readonly exchanges: readonly { id: string }[]
}

const query = `{
  accounts(first: 30) { edges { node { id state exclusions { kind } } } }
  recent(first: 40) { edges { node { id end status } } }
  exchanges { id }
}`

test('the gateway of the tests has an account in each state, and calls that ended in each way', async () => {
  await using seeded = await startSeededGateway()
  const { gateway, seen } = seeded
  const { data, errors } = await gateway.graph<Answered>(query)
  expect(errors).toEqual([])
  const kinds = nodesOf(data.accounts).map(({ id, exclusions }) => [
    id,
    exclusions.map(({ kind }) => kind.toLowerCase()).join(),
  ])
  expect(Object.fromEntries(kinds)).toEqual({
    'anthropic-eu': 'circuit',
    'anthropic-main': '',
    archive: '',
    'gemini-main': 'cooling',
    'gemini-night': 'other',
    lab: '',
    'local-gpu': expect.stringMatching(/other|full/),
    'local-old': 'cooling',
    'openai-eu': '',
    'openai-main': '',
    'openai-spare': 'refused',
    partner: 'circuit',
    studio: '',
  })
  const states = nodesOf(data.accounts).map(({ state }) => state.toLowerCase())
  expect(states).toEqual(expect.arrayContaining(['invalid', 'disabled', 'enabled']))
  const recent = nodesOf(data.recent)
  expect(new Set(recent.map(({ end }) => end))).toEqual(
    new Set(['COMPLETE', 'BROKEN', 'CLIENT_GONE']),
  )
  expect(new Set(recent.map(({ status }) => Math.floor(status / 100)))).toEqual(new Set([2, 4, 5]))
  expect(data.exchanges).toEqual([{ id: seen.flyingId }])
  expect(recent.map(({ id }) => id)).toEqual(
    expect.arrayContaining([seen.retriedId, seen.unservedId]),
  )
})
