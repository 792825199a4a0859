import { expect, test } from 'vitest'

import { startAdminGateway } from '../admin-gateway.ts'

const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 1]))

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
  async ([, query, input]) => {
    await using gateway = await startAdminGateway()
    const response = await fetch(`${gateway.adminUrl}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.token('viewer')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query, variables: { i: input } }),
    })
    expect(await response.json()).toEqual({
      errors: [
        {
          message: 'Variable "$i" has an object with more than 20 unknown members.',
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    })
  },
)

test('a few unknown members have an error each, and JSON may have any', async () => {
  await using gateway = await startAdminGateway()
  const query = 'query ($i: ExplainInput!) { explain(input: $i) { answer { code } } }'
  const input = { keyId: 'test', dialect: 'chat', model: 'none' }
  const few = await gateway.graph(query, { i: { ...input, kind: 1, sort: 2 } })
  expect(few.errors).toHaveLength(2)
  const many = await gateway.graph(query, { i: { ...input, body: wide } })
  expect(many).toMatchObject({
    errors: [],
    data: { explain: { answer: { code: 'missing_required_parameter' } } },
  })
})
