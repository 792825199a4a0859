import { expect, test, vi } from 'vitest'

import { printed } from '../docs/shells.ts'
import { openExample } from './example.ts'

vi.setConfig({ testTimeout: 60_000 })

const token = { OPS_TOKEN: 'change-me-to-forty-random-characters-000' }

test('an operator works with the typed client as its README says', async () => {
  await using example = await openExample('admin-client')
  await example.follow('npm install')
  const [gateway] = await Promise.all([
    example.open('npm start', /Listening on/),
    example.open('npm run sandbox', /listens on/),
  ])
  const operate = (words: string, env = {}) => example.follow(words, { ...token, ...env })

  expect(await operate('-- accounts')).toBe('first  ENABLED  ALL\nsecond  ENABLED  ALL\n')
  const reply = JSON.parse(await example.follow('/v1/responses')) as { id: string }
  expect(await operate('-- bindings')).toContain(`response  ${reply.id}  first  20`)
  const lookUp = example.command('-- look-up')
  const found = () => example.run(lookUp, { ...token, RESPONSE_ID: reply.id })
  expect(await found()).toBe('FOUND  first\nCHAIN  200\nREAD  200\n')

  const following = await example.open('-- follow', /^/, token)
  // The first look at the accounts has something to compare with only after it.
  await printed(following, /"PulseSample"/)
  expect(await operate('-- disable')).toBe('first  DISABLED  0 calls under way\n')
  await printed(following, /"AccountChanged".*"accountId":"first","enabled":false/)
  await printed(following, /"action":"account.disable","result":"DONE"/)
  expect(await found()).toMatch(/CHAIN {2}503 {2}previous_response_account_unavailable/)
  expect(await operate('-- enable')).toBe('first  ENABLED\n')
  expect(await operate('-- jobs')).toBe('')
  const unknown = await example
    .run(example.command('-- enable').replace('first', 'none'), token)
    .catch(String)
  expect(unknown).toContain('NotFound: There is no account "none".')
  const refused = await example
    .run(example.command('-- jobs'), { OPS_TOKEN: 'wrong' })
    .catch(String)
  expect(refused).toContain('AdminError: An admin token is required')

  await example.follow('npm run generate')
  expect(example.unused()).toEqual([])
  gateway.signal('SIGTERM')
  await gateway.ended
})
