import { getNamedType, isInputObjectType } from 'graphql'
import { expect, test } from 'vitest'

import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

async function codeOf(gateway: AdminGateway, query: string, variables = {}) {
  const { errors } = await gateway.graph(query, variables)
  return errors[0]?.extensions?.code
}

test('an operation that asks for what does not exist is refused with a code, and answers nothing empty', async () => {
  await using gateway = await startAdminGateway()
  const accounts =
    'query ($first: Int!, $state: AccountState) { accounts(first: $first, filter: {state: $state}) { edges { cursor } } }'
  expect(await codeOf(gateway, accounts)).toBe('BAD_USER_INPUT')
  expect(await codeOf(gateway, accounts, { first: 'two' })).toBe('BAD_USER_INPUT')
  expect(await codeOf(gateway, accounts, { first: 1, state: 'enabled' })).toBe('BAD_USER_INPUT')
  expect(await codeOf(gateway, accounts, { first: 1, state: 'ENABLED' })).toBeUndefined()
  const live = 'subscription { live(topics: []) { __typename } }'
  expect(await codeOf(gateway, live)).toBe('BAD_USER_INPUT')
  expect(await codeOf(gateway, `{ ${'viewer { id } '.repeat(300)} }`)).toBe('DOCUMENT_TOO_LARGE')
  expect(await codeOf(gateway, '{ viewer')).toBe('GRAPHQL_PARSE_FAILED')
  expect(await codeOf(gateway, '{ viewers }')).toBe('GRAPHQL_VALIDATION_FAILED')
})

interface Refused {
  readonly __typename: string
  readonly problems?: { readonly path: string }[]
}

/** Acts with a wrong input each, and the field that is wrong. */
const wrong: readonly [act: string, input: object, field: string][] = [
  ['createKey', { id: 'a b' }, 'id'],
  ['createAccount', { id: 'a b', provider: 'openai', models: ['m'] }, 'id'],
  ['createAccount', { id: 'a', provider: 'openai', models: [] }, 'models'],
  ['createAdminToken', { id: 'a b', role: 'VIEWER' }, 'id'],
  ['setAlias', { name: 'a', model: 'nothing' }, 'model'],
  ['setAlias', { name: 'a', model: 'a' }, 'model'],
  ['setAlias', { name: '', model: 'm' }, 'name'],
]

test('a problem of an input is found at the field of the input, whichever act it is', async () => {
  await using gateway = await startAdminGateway()
  for (const [act, input, field] of wrong) {
    const title = `${act[0]!.toUpperCase()}${act.slice(1)}`
    const query = `mutation ($input: ${title}Input!) { ${act}(input: $input) {
      __typename ... on Invalid { problems { path } } } }`
    const { data, errors } = await gateway.graph<Record<string, Refused>>(query, { input })
    expect(errors).toEqual([])
    const { __typename: type, problems = [] } = data[act]!
    expect([act, type, problems[0]?.path]).toEqual([act, 'Invalid', `input.${field}`])
  }
})

test('each act has room for a reason, which is in its audit record', async () => {
  const acted = Object.values(createAdminSchema().getMutationType()!.getFields())
  const inputs = acted
    .flatMap(({ args }) => args.map(({ type }) => getNamedType(type)))
    .filter(isInputObjectType)
  expect(inputs.length).toBeGreaterThan(25)
  const without = inputs.filter((type) => !('reason' in type.getFields())).map(({ name }) => name)
  expect(without).toEqual([])

  const account = { id: 'a', provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', models: ['m'] }
  await using gateway = await startAdminGateway({ accounts: [account] })
  const acts = ['enableAccount', 'resetCircuit', 'clearCoolDown', 'testAccount']
  for (const act of acts) {
    const { errors } = await gateway.graph(
      `mutation { ${act}(input: {id: "a", reason: "${act} because"}) { __typename } }`,
    )
    expect(errors).toEqual([])
  }
  const { data } = await gateway.graph<{ audit: Page<{ reason: string }> }>(
    '{ audit { edges { node { reason } } } }',
  )
  expect(nodesOf(data.audit).map(({ reason }) => reason)).toEqual(
    acts.toReversed().map((act) => `${act} because`),
  )
})
