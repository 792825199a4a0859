import { expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'

const path = '/v1/vector_stores/*'

test.each<[string, object[], string]>([
  ['without an account', [{ path }], 'passthrough[0]'],
  ['with two kinds of accounts', [{ path, account: 'a', pool: ['b'] }], 'passthrough[0].pool'],
  ['without accounts in its pool', [{ path, pool: [] }], 'passthrough[0].pool'],
  ['with a dot segment', [{ path: '/v1/../x', account: 'a' }], 'passthrough[0].path'],
  ['with a star in the middle', [{ path: '/v1/*/x', account: 'a' }], 'passthrough[0].path'],
  ['for everything', [{ path: '/*', account: 'a' }], 'passthrough[0].path'],
  ['with a query', [{ path: '/v1/x?y', account: 'a' }], 'passthrough[0].path'],
  [
    'with an unknown method',
    [{ path, account: 'a', methods: ['OPTIONS'] }],
    'passthrough[0].methods[0]',
  ],
  [
    'twice',
    [
      { path, account: 'a' },
      { path: '/v1/vector_stores', account: 'b' },
    ],
    'passthrough[1].path',
  ],
])('a path %s is a problem', (_, passthrough, at) => {
  const { problems } = checkConfiguration({ passthrough }, { env: {} })
  expect(problems.map((one) => one.path)).toEqual([at])
})

test('methods divide a path', () => {
  const passthrough = [
    { path, account: 'a', methods: ['GET'] },
    { path, account: 'b', methods: ['POST'] },
  ]
  expect(checkConfiguration({ passthrough }, { env: {} }).problems).toEqual([])
})
