import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { createTestGateway } from '../../src/testing/gateway.ts'

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')

const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)

test('the page names what the dialects let pass', async () => {
  await using gateway = await createTestGateway()
  const rows = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)]
  const documented = rows.flatMap(([, ids, headers, query]) =>
    namesIn(ids).map((id) => [id, { headers: namesIn(headers), query: namesIn(query) }]),
  )
  const dialects = new Set(gateway.gateway.routes.map(({ dialect }) => dialect))
  const declared = [...dialects].flatMap(({ id, upstream }) =>
    upstream ? [[id, { headers: [], query: [], ...upstream.forward }]] : [],
  )
  expect(declared.length).toBeGreaterThan(5)
  expect(Object.fromEntries(documented)).toMatchObject(Object.fromEntries(declared))
})
