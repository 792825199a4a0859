import { expect, test } from 'vitest'

import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { newSecretKey } from '../stored-accounts.ts'

const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 1]))
const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item)
const header = { name: 'a', value: 'b' }
const explain = 'query ($i: ExplainInput!) { explain(input: $i) { answer { code } } }'
const input = { keyId: 'test', dialect: 'chat', model: 'none' }

/** Sends an operation as a viewer. Returns the whole answer. */
async function ask({ adminUrl, token }: AdminGateway, query: string, variables: object) {
  const headers = {
    authorization: `Bearer ${token('viewer')}`,
    'content-type': 'application/json',
    // Subscriptions, too, answer in JSON if they do not begin.
    accept: 'application/json, text/event-stream;q=0.5',
  }
  const body = JSON.stringify({ query, variables })
  const response = await fetch(`${adminUrl}/graphql`, { method: 'POST', headers, body })
  const text = await response.text()
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return { status: response.status, body: JSON.parse(json) as unknown }
}

const oneError = (message: string) => ({
  errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }],
})

test.for([
  ['an input', 'query ($i: ExplainInput!) { explain(input: $i) { rule } }', wide],
  [
    'an object of a list in it',
    'query ($i: ExplainInput!) { explain(input: $i) { rule } }',
    { keyId: 'test', dialect: 'chat', headers: [{ name: 'a', value: 'b' }, wide] },
  ],
  [
    'the input of an act that the role does not permit',
    'mutation ($i: UpdateAccountInput!) { updateAccount(input: $i) { __typename } }',
    { id: 'a', ...wide },
  ],
  [
    'the filter of a subscription',
    'subscription ($i: LiveFilter) { live(topics: [PULSE], filter: $i) { __typename } }',
    wide,
  ],
] as const)(
  'thousands of unknown members in %s are one error, which is found at once',
  async ([, query, given]) => {
    await using gateway = await startAdminGateway()
    expect((await ask(gateway, query, { i: given })).body).toEqual(
      oneError('Variable "$i" has an object with more than 20 unknown members.'),
    )
  },
)

test('a few unknown members have an error each, and JSON may have any', async () => {
  await using gateway = await startAdminGateway()
  const few = await gateway.graph(explain, { i: { ...input, kind: 1, sort: 2 } })
  expect(few.errors).toHaveLength(2)
  const many = await gateway.graph(explain, { i: { ...input, body: wide } })
  expect(many).toMatchObject({
    errors: [],
    data: { explain: { answer: { code: 'missing_required_parameter' } } },
  })
})

test.for([
  ['objects of an input', explain, { i: { ...input, headers: times(60_000, {}) } }],
  [
    'the objects of an input that are right',
    explain,
    { i: { ...input, headers: times(1_001, header) } },
  ],
  [
    'topics of a subscription',
    'subscription ($i: [LiveTopic!]!) { live(topics: $i) { __typename } }',
    { i: times(20_000, 'JOBS') },
  ],
  [
    'texts of an act that the role does not permit',
    'mutation ($i: CreateKeyInput!) { createKey(input: $i) { __typename } }',
    { i: { id: 'a', models: times(20_000, 'm') } },
  ],
] as const)('a list of thousands of %s is one error', async ([, query, variables]) => {
  await using gateway = await startAdminGateway()
  expect(await ask(gateway, query, variables)).toEqual({
    status: 400,
    body: oneError('Variable "$i" has a list with more than 1000 items.'),
  })
})

test('all variables of an operation together have an end', async () => {
  await using gateway = await startAdminGateway()
  const query = `query ($a: ExplainInput!, $b: ExplainInput!) {
    a: explain(input: $a) { rule }
    b: explain(input: $b) { rule }
  }`
  const half = { ...input, headers: times(400, header) }
  expect(await ask(gateway, query, { a: half, b: half })).toEqual({
    status: 400,
    body: oneError(
      'The variables have more than 2000 values in total: send less in one operation.',
    ),
  })
})

test('a key may have a thousand models, and a body in JSON any number of items', async () => {
  await using gateway = await startAdminGateway()
  const create = 'mutation ($i: CreateKeyInput!) { createKey(input: $i) { __typename } }'
  const models = Array.from({ length: 1_000 }, (_, index) => `m${index}`)
  expect(await gateway.graph(create, { i: { id: 'many', models } })).toMatchObject({
    errors: [],
    data: { createKey: { __typename: 'CreateKeySuccess' } },
  })
  const body = { messages: times(5_000, { role: 'user', content: 'a' }) }
  expect((await gateway.graph(explain, { i: { ...input, body } })).errors).toEqual([])
})

test('an account of more models than a list may have is created by a map of them', async () => {
  await using gateway = await startAdminGateway({ env: { DRAGOMAN_SECRET_KEY: newSecretKey() } })
  const names = Array.from({ length: 1_001 }, (_, index) => `model-${index}`)
  const account = { id: 'large', provider: 'openai', credential: 'credential-of-the-large' }
  const create = `mutation ($input: CreateAccountInput!) { createAccount(input: $input) {
    __typename ... on ActFailure { message } } }`
  const listed = await gateway.graph(create, { input: { ...account, models: names } })
  expect(listed.errors).toMatchObject([
    { message: 'Variable "$input" has a list with more than 1000 items.' },
  ])
  const modelMap = Object.fromEntries(names.map((name) => [name, name]))
  expect((await gateway.graph(create, { input: { ...account, modelMap } })).data).toEqual({
    createAccount: { __typename: 'CreateAccountSuccess' },
  })
})
