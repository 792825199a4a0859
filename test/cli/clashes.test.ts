import { expect, test } from 'vitest'

import { writeAlias } from '../../src/stores/aliases.ts'
import { openStore } from '../../src/stores/open.ts'
import { type Place, openPlace } from './dragoman.ts'

const secret = 's'.repeat(40)

/** What a configuration and its store have both. */
async function placeWithTwins(): Promise<Place> {
  const place = await openPlace()
  for (const id of ['twin', 'former', 'stored']) {
    await place.call(`keys create ${id}`)
    await place.call(`admin-tokens create ${id}`)
    await place.call(`teams create ${id}`)
  }
  await place.call('keys revoke former')
  await place.call('admin-tokens revoke former')
  const store = await openStore('file:.dragoman', { cwd: place.path })
  for (const name of ['twin', 'stored']) {
    await writeAlias(store, { name, model: 'm', changedBy: 'test' }, undefined)
  }
  await store.close()
  return place
}

test('check names keys, admin tokens, aliases and teams of the store that the configuration has too', async () => {
  await using place = await placeWithTwins()
  const ids = ['twin', 'former', 'configured']
  const config = {
    accounts: [{ id: 'one', provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', models: ['m'] }],
    keys: ids.map((id) => ({ id, secret: `key-${id}` })),
    aliases: { twin: 'm', configured: 'm' },
    teams: [{ id: 'twin' }, { id: 'configured' }],
    admin: { tokens: ids.map((id) => ({ id, secret: `${id}-${secret}`, role: 'viewer' })) },
  }
  await place.write('dragoman.config.json', JSON.stringify(config))
  const { code, stdout, stderr } = await place.call('check')
  expect(code).toBe(3)
  const paths = [...stderr.matchAll(/^ {2}(\S+)$/gm)].map(([, path]) => path)
  expect(paths).toEqual(['keys.twin', 'admin.tokens.twin', 'aliases.twin', 'teams.twin'])
  expect(stderr.split('the configuration wins').length - 1).toBe(4)
  expect(stderr + stdout).not.toContain(secret)
  // They prevent no start: the configuration wins.
  await place.write(
    'dragoman.config.json',
    JSON.stringify({ ...config, keys: [], aliases: {}, teams: [], admin: {} }),
  )
  expect((await place.call('check')).code).toBe(0)
})

test('a store that is away hides no other problem', async () => {
  await using place = await openPlace()
  await place.write(
    'dragoman.config.json',
    JSON.stringify({ keys: [{ id: 'a', secret: 'key-a' }] }),
  )
  const { code, stderr } = await place.call('check --store redis://127.0.0.1:1')
  expect([code, stderr]).toEqual([0, expect.stringContaining('Only the keys of the configuration')])
})
