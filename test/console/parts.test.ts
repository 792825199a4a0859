import { describe, expect, test } from 'vitest'

import { addressOf } from '../../console/src/clients/address.ts'
import { browserOf } from '../../console/src/pages/access/browser.ts'
import { chartData } from '../../console/src/ui/chart-options.ts'
import { differences } from '../../console/src/ui/differences.ts'

describe('the difference of two values', () => {
  test('has the members that differ, and says which are not set on a side', () => {
    const before = { models: ['a'], team: 'x', limits: { most: 1, least: 0 }, same: [1] }
    const after = { models: ['a', 'b'], limits: { most: 2, least: 0 }, same: [1], name: 'n' }
    expect(differences(before, after)).toEqual([
      { path: 'models', before: ['a'], after: ['a', 'b'] },
      { path: 'team', before: 'x', after: undefined },
      { path: 'limits.most', before: 1, after: 2 },
      { path: 'name', before: undefined, after: 'n' },
    ])
  })

  test('of a new and of a removed thing has all its members', () => {
    expect(differences(null, { a: { b: 1 } })).toEqual([
      { path: 'a.b', before: undefined, after: 1 },
    ])
    expect(differences({ a: 1 }, undefined)).toEqual([{ path: 'a', before: 1, after: undefined }])
  })

  test('of values that are no objects is the value itself, and null is as absent', () => {
    expect(differences('on', 'off')).toEqual([{ path: '', before: 'on', after: 'off' }])
    expect(differences({ a: null }, {})).toEqual([])
  })
})

describe('the bars of a chart', () => {
  const lines = [{ values: [1, null, 3] }, { values: [10, null, 0] }]

  test('stand on each other, the highest first, and what is not known stays a gap', () => {
    expect(chartData([0, 60, 120], lines, true)).toEqual([
      [0, 60, 120],
      [11, null, 3],
      [1, null, 3],
    ])
  })

  test('of lines beside each other are as they are', () => {
    expect(chartData([0, 60, 120], lines)).toEqual([
      [0, 60, 120],
      [1, null, 3],
      [10, null, 0],
    ])
  })
})

describe('the address in set-ups of clients', () => {
  const listen = (host: string) => [
    { path: 'listen.host', value: host },
    { path: 'listen.port', value: 8787 },
  ]

  test.each([
    ['127.0.0.1', 'http://127.0.0.1:8787'],
    ['::1', 'http://[::1]:8787'],
    ['0.0.0.0', 'http://gateway.lan:8787'],
    ['::', 'http://gateway.lan:8787'],
  ])('of a gateway that listens at %s is %s', (host, url) => {
    expect(addressOf({ listen: listen(host), publicUrl: [] }, 'gateway.lan')).toBe(url)
  })

  test('is the public one where it is set, and unknown without any', () => {
    const publicUrl = [{ path: 'publicUrl', value: 'https://models.example.com/' }]
    expect(addressOf({ listen: listen('0.0.0.0'), publicUrl }, 'x')).toBe(
      'https://models.example.com',
    )
    expect(addressOf({ listen: [], publicUrl: [] }, 'x')).toBeUndefined()
  })
})

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    'Chrome 156, Linux',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari 26, Mac OS X',
  ],
  ['curl/8.16.0', 'curl/8.16.0'],
])('the browser of a session that says %s is %s', (agent, text) => {
  expect(browserOf(agent)).toBe(text)
})
