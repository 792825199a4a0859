import { expect, test } from 'vitest'

import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { startAdminGateway } from './admin-gateway.ts'

const fields = {
  keys: 'keys { edges { cursor } }',
  key: 'key(id: "test-of-the-store") { id }',
  audit: 'audit { edges { cursor } }',
  sessions: 'sessions { edges { cursor } }',
  bindings: 'bindings { edges { cursor } }',
  jobs: 'jobs { edges { cursor } }',
}

test('a store that is away is told as such, no defect, and takes no other field of a page along', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startAdminGateway({ store })
  store.broken.reads = true
  for (const [name, field] of Object.entries(fields)) {
    const { data, errors } = await gateway.graph(`{ accounts { edges { cursor } } ${field} }`)
    expect({ name, codes: errors.map(({ extensions }) => extensions?.code) }).toEqual({
      name,
      codes: ['STORE_UNAVAILABLE'],
    })
    expect(data).toEqual({ accounts: { edges: [] }, [name]: null })
  }
  expect(
    gateway.log.filter(({ message }) => /query of the admin API/.test(String(message))),
  ).toEqual([])
})

test('a list of what was known last says so', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startAdminGateway({ store })
  const ask = () => gateway.graph('{ aliases { name } adminTokens { edges { node { id } } } }')
  expect((await ask()).extensions).toEqual({})
  store.broken.reads = true
  const away = await ask()
  expect(away).toMatchObject({
    errors: [],
    extensions: { stale: ['aliases', 'adminTokens'] },
  })
  expect(away.data).toMatchObject({ aliases: [] })
  store.broken.reads = false
  expect((await ask()).extensions).toEqual({})
})

test('a dry run for a key that this process does not know does not call it unknown', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startAdminGateway({ store })
  const codeOf = async () => {
    const query = '{ explain(input: { keyId: "new", dialect: "chat", model: "m" }) { rule } }'
    return (await gateway.graph(query)).errors[0]?.extensions?.code
  }
  expect(await codeOf()).toBe('BAD_USER_INPUT')
  store.broken.reads = true
  expect(await codeOf()).toBe('STORE_UNAVAILABLE')
})
