import { expect, test } from 'vitest'

import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

const accounts = ['one', 'two', 'three'].map((id) => ({
  id,
  provider: 'sandbox',
  baseUrl: 'http://127.0.0.1:9',
  apiKey: `${id}-canary`,
  models: ['m'],
}))

interface Result {
  readonly __typename: string
}

interface Entry {
  readonly target: { readonly id: string }
  readonly result: string
}

const disable = `mutation ($id: ID!) { disableAccount(input: {id: $id, reason: "broken"}) {
  __typename
  ... on DisableAccountSuccess { account { id enabled state } }
  ... on NotFound { message }
} }`

test('an operator reads the accounts page by page, and disables one', async () => {
  await using gateway = await startAdminGateway({ accounts })
  const page = `query ($after: String) { accounts(first: 2, after: $after) {
    edges { node { id provider speaks enabled state } } pageInfo { hasNextPage endCursor } } }`
  const first = await gateway.graph<{ accounts: Page<{ id: string }> }>(page)
  expect(nodesOf(first.data.accounts).map(({ id }) => id)).toEqual(['one', 'three'])
  const after = first.data.accounts.pageInfo.endCursor
  const second = await gateway.graph<typeof first.data>(page, { after })
  expect(nodesOf(second.data.accounts).map(({ id }) => id)).toEqual(['two'])
  expect(second.data.accounts.pageInfo.hasNextPage).toBe(false)

  const done = await gateway.graph<{ disableAccount: Result }>(disable, { id: 'two' }, 'operator')
  expect(done.data.disableAccount).toEqual({
    __typename: 'DisableAccountSuccess',
    account: { id: 'two', enabled: false, state: 'DISABLED' },
  })
  const missing = await gateway.graph<{ disableAccount: Result }>(
    disable,
    { id: 'nine' },
    'operator',
  )
  expect(missing.data.disableAccount.__typename).toBe('NotFound')

  const audit = `{ audit { edges { node {
    action actor { id role } target { type id } result reason before after } } } }`
  const { data, errors } = await gateway.graph<{ audit: Page<Entry> }>(audit)
  expect(errors).toEqual([])
  expect(nodesOf(data.audit).map(({ target, result }) => [target.id, result])).toEqual([
    ['nine', 'FAILED'],
    ['two', 'DONE'],
  ])
  expect(nodesOf(data.audit)[1]).toMatchObject({
    action: 'account.disable',
    actor: { id: 'operator', role: 'OPERATOR' },
    reason: 'broken',
    before: { enabled: true },
    after: { enabled: false },
  })
})

test('a viewer cannot disable an account', async () => {
  await using gateway = await startAdminGateway({ accounts })
  const { data, errors } = await gateway.graph(disable, { id: 'two' }, 'viewer')
  expect(data).toEqual({ disableAccount: null })
  expect(errors[0]?.extensions?.code).toBe('FORBIDDEN')
})

test('without a token nothing is answered', async () => {
  await using gateway = await startAdminGateway({ accounts })
  for (const authorization of ['', 'Bearer nothing', `Bearer ${gateway.key}`]) {
    const response = await fetch(`${gateway.adminUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: '{"query":"{ viewer { role } }"}',
    })
    expect(response.status).toBe(401)
  }
})

test('who asks reads which acts the role permits', async () => {
  await using gateway = await startAdminGateway({ accounts })
  const may = async (role: 'viewer' | 'operator' | 'admin') => {
    const { data } = await gateway.graph<{ viewer: { may: string[] } }>(
      '{ viewer { may } }',
      {},
      role,
    )
    return data.viewer.may
  }
  expect(await may('viewer')).not.toContain('DISABLE_ACCOUNT')
  expect(await may('operator')).toContain('DISABLE_ACCOUNT')
  expect(await may('operator')).not.toContain('CREATE_KEY')
  expect(await may('admin')).toEqual(expect.arrayContaining(['DISABLE_ACCOUNT', 'CREATE_KEY']))
})
