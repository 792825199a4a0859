import { setTimeout as wait } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createKey } from '../../src/stores/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { type Following, follow } from './live-client.ts'

const topics = ['KEYS', 'TEAMS', 'LIMITS', 'PRICES', 'ALIASES', 'TOKENS', 'CAPTURES']

const account = {
  id: 'one',
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:9/v1',
  models: ['m'],
}

/** Performs an act, which must succeed. */
async function perform(gateway: AdminGateway, name: string, input: object): Promise<void> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename } }`
  const { data, errors } = await gateway.graph<Record<string, object>>(query, { input })
  expect([errors, data?.[name]]).toEqual([[], { __typename: `${type}Success` }])
}

/** The ids of the records of a topic that have changed. */
function changedIn({ events }: Following, topic: string): readonly string[] {
  return events.filter((event) => event.topic === topic).flatMap(({ ids = [] }) => ids)
}

/** Changes something until an event says so: from then on, the subscriber misses nothing. */
async function followed(all: Following, change: (index: number) => Promise<unknown>) {
  let index = 0
  await until(async () => {
    await change(index++)
    await wait(400)
    return all.events.length > 0
  }, 20_000)
}

test('a subscriber learns of each change of keys, teams, limits, prices, aliases, tokens and captures', async () => {
  await using directory = await temporaryDirectory()
  await using gateway = await startAdminGateway({
    accounts: [account],
    capture: { directory: directory.path },
  })
  using all = follow(gateway.adminUrl, gateway.token('viewer'), topics)
  await followed(all, (index) => perform(gateway, 'createKey', { id: `first-${index}` }))
  const changes: [name: string, input: object, topic: string, id?: string][] = [
    ['createKey', { id: 'made' }, 'KEYS', 'made'],
    ['disableKey', { id: 'test', reason: 'x' }, 'KEYS', 'test'],
    ['createTeam', { id: 'team' }, 'TEAMS', 'team'],
    ['setAlias', { name: 'fast', model: 'm' }, 'ALIASES', 'fast'],
    ['createAdminToken', { id: 'ci', role: 'VIEWER' }, 'TOKENS', 'ci'],
    ['setLimit', { subject: { type: 'TEAM', id: 'team' }, kind: 'REQUESTS', amount: 5 }, 'LIMITS'],
    ['setPrice', { model: 'm', rates: { input: '1', output: '2' } }, 'PRICES'],
    ['startCapture', { keyId: 'made', reason: 'x' }, 'CAPTURES'],
  ]
  for (const [name, input, topic, id] of changes) {
    await perform(gateway, name, input)
    await until(() => {
      const ids = changedIn(all, topic)
      return id === undefined ? ids.length > 0 : ids.includes(id)
    }, 10_000)
  }
  const [limit] = changedIn(all, 'LIMITS')
  await perform(gateway, 'grantExtra', {
    id: limit,
    amount: 2,
    until: new Date(Date.now() + 3_600_000),
    reason: 'x',
  })
  await until(() => changedIn(all, 'LIMITS').length > 1, 10_000)
  await perform(gateway, 'deleteTeam', { id: 'team', reason: 'x' })
  await until(() => changedIn(all, 'TEAMS').filter((id) => id === 'team').length === 2, 10_000)
  expect(JSON.stringify(all.events)).not.toMatch(/sha256|dga_/)
  expect(all.errors).toEqual([])
}, 60_000)

test('what a command writes beside the gateway is an event too, and the use of a token is none', async () => {
  await using directory = await temporaryDirectory()
  const open = () => openStore(`file:${directory.path}`, { cwd: '/' })
  const [own, beside] = [await open(), await open()]
  await using gateway = await startAdminGateway({ store: own })
  using all = follow(gateway.adminUrl, gateway.token('viewer'), ['KEYS', 'TOKENS'])
  await followed(all, (index) => createKey(beside, { id: `command-${index}` }))
  expect(changedIn(all, 'KEYS')[0]).toMatch(/^command-/)
  const create = `mutation { createAdminToken(input: {id: "ci", role: VIEWER}) {
    ... on CreateAdminTokenSuccess { secret } } }`
  const { data } = await gateway.graph<{ createAdminToken: { secret: string } }>(create)
  await until(() => changedIn(all, 'TOKENS').length > 0, 10_000)
  const authorization = `Bearer ${data.createAdminToken.secret}`
  const used = await fetch(`${gateway.adminUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: '{"query":"{ viewer { id } }"}',
  })
  expect(used.status).toBe(200)
  // The next change of a token comes after its use was written.
  await until(async () => {
    const { data } = await gateway.graph<{ adminTokens: object }>(
      '{ adminTokens { edges { node { id lastUsedAt } } } }',
    )
    return /"id":"ci","lastUsedAt":"/.test(JSON.stringify(data))
  }, 10_000)
  await perform(gateway, 'revokeAdminToken', { id: 'ci', reason: 'x' })
  await until(() => changedIn(all, 'TOKENS').length > 1, 10_000)
  expect(changedIn(all, 'TOKENS')).toEqual(['ci', 'ci'])
  await beside.close()
  await own.close()
}, 60_000)
