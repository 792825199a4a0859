import { expect, test } from 'vitest'

import { createAddressGuard } from '../../src/remote/guard.ts'

test('an operator with an internal media host allows its address on its port', () => {
  const permits = createAddressGuard({ allow: ['10.0.0.5:8443', '[fd00::5]:443'] })

  expect(permits('10.0.0.5', 8443)).toBe(true)
  expect(permits('fd00::5', 443)).toBe(true)
  expect(permits('10.0.0.5', 443)).toBe(false)
  expect(permits('10.0.0.6', 8443)).toBe(false)
  expect(permits('fd00::5', 8443)).toBe(false)
})

test('an operator whose media hosts come and go allows their network', () => {
  const permits = createAddressGuard({ allow: ['10.1.0.0/16:443', '[fd00:1::/32]:443'] })

  expect(permits('10.1.200.7', 443)).toBe(true)
  expect(permits('fd00:1:2::3', 443)).toBe(true)
  expect(permits('10.2.0.1', 443)).toBe(false)
  expect(permits('fd00:2::3', 443)).toBe(false)
})

test('an operator with public addresses of their own forbids them', () => {
  const permits = createAddressGuard({
    forbid: ['5.6.0.0/16', '2a00:1::/32', '8.8.8.8'],
    allow: ['5.6.0.1:443'],
  })

  expect(permits('5.6.7.8', 443)).toBe(false)
  expect(permits('2a00:1::1', 443)).toBe(false)
  expect(permits('8.8.8.8', 443)).toBe(false)
  expect(permits('5.7.0.1', 443)).toBe(true)
  expect(permits('5.6.0.1', 443)).toBe(true)
})

test.each([
  ['media.internal'],
  ['media internal:443'],
  ['*.internal:443'],
  ['10.0.0.5'],
  ['10.0.0.5:0'],
  ['10.0.0.5:65536'],
  ['10.0.0.5:http'],
  ['10.0.0.0/33:443'],
  ['10.0.0.0/8/8:443'],
  ['10.0.0.0/:443'],
  ['fd00::5:443'],
  ['[fd00::5%eth0]:443'],
  [''],
])('an operator who allows `%s` is told that it is malformed', (allow) => {
  expect(() => createAddressGuard({ allow: [allow] })).toThrow(`\`${allow}\` is not`)
})

test('an operator whose media host has a name allows that, wherever it leads to', () => {
  const permits = createAddressGuard({ allow: ['Media.internal:443'] })

  expect(permits('10.0.0.5', 443, 'media.internal')).toBe(true)
  expect(permits('fd00::5', 443, 'media.internal.')).toBe(true)
  expect(permits('10.0.0.5', 80, 'media.internal')).toBe(false)
  expect(permits('10.0.0.5', 443, 'db.internal')).toBe(false)
  expect(permits('10.0.0.5', 443)).toBe(false)
})

test('an operator who forbids everything is left with what is allowed', () => {
  const permits = createAddressGuard({
    forbid: ['0.0.0.0/0', '::/0'],
    allow: ['media.example:443'],
  })

  expect(permits('1.1.1.1', 443, 'media.example')).toBe(true)
  expect(permits('1.1.1.1', 443, 'other.example')).toBe(false)
  expect(permits('2606:4700:4700::1111', 443, 'other.example')).toBe(false)
})

test('an operator without IPv4 reaches the public part of it through NAT64', () => {
  const permits = createAddressGuard({ nat64: true, forbid: ['5.6.0.0/16'] })

  expect(permits('64:ff9b::1.1.1.1', 443)).toBe(true)
  for (const inside of ['127.0.0.1', '10.0.0.1', 'a9fe:a9fe', '100.64.0.1', '5.6.7.8']) {
    expect(permits(`64:ff9b::${inside}`, 443)).toBe(false)
  }
})

test.each([['intranet'], ['5.6.0.0/x'], ['10.0.0.5:443']])(
  'an operator who forbids `%s` is told that it is malformed',
  (forbid) => {
    expect(() => createAddressGuard({ forbid: [forbid] })).toThrow(`\`${forbid}\` is not`)
  },
)
