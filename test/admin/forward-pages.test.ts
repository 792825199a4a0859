import { getNamedType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'

import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { startAdminGateway } from './admin-gateway.ts'

test('no list has an argument that nothing obeys: pages go forwards only', async () => {
  const types = Object.values(createAdminSchema().getTypeMap()).filter(isObjectType)
  const lists = types.flatMap((type) =>
    Object.values(type.getFields()).filter(({ type: of }) =>
      getNamedType(of).name.endsWith('Connection'),
    ),
  )
  expect(lists.length).toBeGreaterThan(8)
  for (const { name, args } of lists) {
    const names = args.map((argument) => argument.name)
    expect([name, names]).toEqual([name, expect.arrayContaining(['first', 'after'])])
    expect(names.filter((one) => one === 'last' || one === 'before')).toEqual([])
  }
  await using gateway = await startAdminGateway()
  const { data, errors } = await gateway.graph('{ accounts(last: 1) { edges { cursor } } }')
  expect(data).toBeUndefined()
  expect(errors[0]?.message).toContain('Unknown argument "last"')
})

test('the five failures of acts are of one interface, so that a client reads each alike', async () => {
  await using gateway = await startAdminGateway()
  const query = `mutation { enableAccount(input: {id: "none"}) {
    __typename ... on ActFailure { message } } }`
  const { data, errors } = await gateway.graph(query)
  expect(errors).toEqual([])
  expect(data).toEqual({
    enableAccount: { __typename: 'NotFound', message: 'There is no account "none".' },
  })
})
