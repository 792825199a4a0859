import { expect, test } from 'vitest'

import { createKey } from '../../src/stores/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import { openPlace } from './dragoman.ts'

/** Two keys in the configuration and two in the store; one of each may be told. */
async function placeWithKeys() {
  const place = await openPlace()
  const keys = [
    { id: 'fixed', secret: 'secret-of-fixed' },
    { id: 'operator', secret: 'secret-of-operator', explain: true },
  ]
  await place.write('dragoman.config.json', JSON.stringify({ keys, store: 'file:keys' }))
  const store = await openStore('file:keys', { cwd: place.path })
  await createKey(store, { id: 'stored' })
  await createKey(store, { id: 'support', explain: true })
  await store.close()
  return place
}

test('an operator sees which keys may be told how calls are routed', async () => {
  await using place = await placeWithKeys()
  const { stdout } = await place.call('keys list')
  const [titles = '', ...rows] = stdout.trim().split('\n')
  const column = titles.indexOf('EXPLAIN')
  expect(column).toBeGreaterThan(0)
  const told = rows.map((row) => [row.split(' ', 1)[0], row.slice(column)])
  expect(told).toEqual([
    ['fixed', ''],
    ['operator', 'yes'],
    ['stored', ''],
    ['support', 'yes'],
  ])
})

test('in JSON such keys have explain, and others do not', async () => {
  await using place = await placeWithKeys()
  const { stdout } = await place.call('keys list --json')
  const keys = JSON.parse(stdout) as { id: string; explain?: unknown }[]
  expect(keys.map(({ id, explain }) => [id, explain])).toEqual([
    ['fixed', undefined],
    ['operator', true],
    ['stored', undefined],
    ['support', true],
  ])
})

test('a key keeps it with a new secret, and a revoked one shows it', async () => {
  await using place = await placeWithKeys()
  const rotated = await place.call('keys rotate support --json')
  expect(JSON.parse(rotated.stdout)).toMatchObject({ id: 'support', explain: true })
  const revoked = await place.call('keys revoke support --json')
  expect(JSON.parse(revoked.stdout)).toMatchObject({ state: 'revoked', explain: true })
})
