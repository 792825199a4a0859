import { expect, test } from 'vitest'

import { causesOf } from '../../src/cli/accounts/describe.ts'
import { describeEvent } from '../../src/cli/tail/describe.ts'

test('a line about an account says what is a key and what is a dialect', () => {
  const cause = {
    kind: 'circuit',
    reason: 'circuit open: 5 of 5 calls got 500',
    dialect: 'chat',
    keyId: 'team-a',
  }
  expect(causesOf([cause, cause])).toBe(
    'circuit (chat, key team-a): circuit open: 5 of 5 calls got 500',
  )
})

test('an event of tail names the members of what it lists', () => {
  const exclusions = [{ kind: 'circuit', dialect: 'chat', model: null, keyId: 'team-a' }]
  expect(describeEvent({ type: 'AccountChanged', accountId: 'a', exclusions }, 0)).toBe(
    '1970-01-01T00:00:00.000Z account.changed accountId=a exclusions="kind=circuit dialect=chat keyId=team-a"',
  )
})
