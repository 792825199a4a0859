import { expect, test } from 'vitest'

import type { Account } from '../../src/contract/account.ts'
import { redactValue } from '../../src/kit/secrets/redact.ts'

const account = {
  id: 'one',
  origin: 'https://account.test',
  basePath: '/v1',
  credential: 'sk-account-0123456789',
} as Account

const parse = (text: string): unknown => JSON.parse(text)

test('a reply without a secret stays the same object', () => {
  const reply = parse('{"a":[1,{"b":"c"}],"d":null}')
  expect(redactValue(reply, account)).toBe(reply)
})

test('a secret goes from names and values alike, and the other members keep their order', () => {
  const reply = parse(
    '{"first":1,"list":["no","sk-account-0123456789"],"sk-account-0123456789":{"x":2},"last":3}',
  )
  expect(JSON.stringify(redactValue(reply, account))).toBe(
    '{"first":1,"list":["no","[secret]"],"[secret]":{"x":2},"last":3}',
  )
})

test('a member that is named like the prototype stays a member', () => {
  const before = parse('{"__proto__":{"a":1},"b":"sk-account-0123456789"}')
  expect(JSON.stringify(redactValue(before, account))).toBe('{"__proto__":{"a":1},"b":"[secret]"}')
  const behind = parse('{"b":"sk-account-0123456789","__proto__":{"a":1}}')
  expect(JSON.stringify(redactValue(behind, account))).toBe('{"b":"[secret]","__proto__":{"a":1}}')
})
