import { expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { accountLacks } from '../../src/generate/account-lacks.ts'
import { startAdminGateway } from '../admin/admin-gateway.ts'

const rest = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', models: ['m'] }

function examine(lacks: unknown) {
  const accounts = [{ id: 'a', apiKey: 'k', ...rest, lacks }]
  return checkConfiguration({ accounts }, { env: {} }).problems.filter(({ path }) =>
    path.includes('lacks'),
  )
}

test('each word of `lacks` is a setting, and so is none', () => {
  expect(examine([...accountLacks])).toEqual([])
  expect(examine([])).toEqual([])
})

test.each([
  ['an unknown word', ['reasoning', 'images']],
  ['a text', 'reasoning'],
])('%s of `lacks` is refused with the words that there are', (_, lacks) => {
  expect(examine(lacks)).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/stored-responses/) as string,
      fix: expect.stringContaining('"reasoning"') as string,
    }),
  ])
})

test('the admin API refuses an unknown word of `lacks`, and names the list of them', async () => {
  await using gateway = await startAdminGateway({})
  const { errors } = await gateway.graph(
    'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { __typename } }',
    { input: { id: 'stored', ...rest, lacks: ['IMAGE'] } },
  )
  expect(errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')
  expect(errors[0]?.message).toBe(
    'Variable "$input" has an invalid value at "input.lacks[0]": no value of the enum "AccountLack".',
  )
})
