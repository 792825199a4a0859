import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { expect, test } from 'vitest'

import type { AdminBuilder } from '../../src/admin/builder.ts'
import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { startAdminGateway } from './admin-gateway.ts'

test('no object in a success can take the outcome of its act', () => {
  const types = Object.values(createAdminSchema().getTypeMap())
  const successes = types
    .filter((type) => isObjectType(type))
    .filter(({ name }) => name.endsWith('Success'))
  expect(successes.length).toBeGreaterThan(15)
  const binding = successes.flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => isNonNullType(field.type) && isCompositeType(getNamedType(field.type)))
      .map(({ name }) => `${type.name}.${name}`),
  )
  expect(binding).toEqual([])
  const key = successes.find(({ name }) => name === 'CreateKeySuccess')?.getFields()['key']
  expect(getNullableType(key!.type)).toBe(key!.type)
})

test('the secret of a key is answered although a field of the key fails', async () => {
  const failing = definePlugin({
    name: 'failing',
    admin: (builder) =>
      (builder as AdminBuilder).objectField('Key' as never, 'broken', (t) =>
        t.string({
          authScopes: { viewer: true },
          resolve: () => {
            throw new Error('It is broken.')
          },
        }),
      ),
  })
  await using gateway = await startAdminGateway({ plugins: [failing] })
  const { data, errors } = await gateway.graph<{ createKey: object }>(
    `mutation { createKey(input: {id: "new"}) {
      __typename ... on CreateKeySuccess { key { id broken } secret } } }`,
  )
  expect(data.createKey).toEqual({
    __typename: 'CreateKeySuccess',
    key: null,
    secret: expect.stringMatching(/^dgm_/),
  })
  expect(errors.map(({ path }) => path)).toEqual([['createKey', 'key', 'broken']])
})
