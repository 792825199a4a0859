import { describe, expect, test } from 'vitest'

import { BoundedMap, weightOf } from '../../src/sandbox/bounded-map.ts'

const idsOn = (map: BoundedMap<string>) => [...map.values()]

describe('a bounded map', () => {
  test('lets the oldest go when there are too many', () => {
    const map = new BoundedMap<string>({ entries: 2 })
    for (const id of ['a', 'b', 'c']) map.put(id, id, 1)

    expect(idsOn(map)).toEqual(['b', 'c'])
    expect(map.get('a')).toBeUndefined()
  })

  test('lets as many go as something heavy takes', () => {
    const map = new BoundedMap<string>({ weight: 10 })
    for (const id of ['a', 'b', 'c']) map.put(id, id, 3)

    map.put('d', 'd', 6)

    expect(idsOn(map)).toEqual(['c', 'd'])
  })

  test('takes nothing that is too heavy by itself', () => {
    const map = new BoundedMap<string>({ weight: 10 })
    map.put('a', 'a', 11)

    expect(idsOn(map)).toEqual([])
    map.put('b', 'b', 10)
    expect(idsOn(map)).toEqual(['b'])
  })

  test('has room again for what was deleted or replaced', () => {
    const map = new BoundedMap<string>({ weight: 10 })
    map.put('a', 'a', 6)
    map.put('b', 'b', 4)
    map.put('a', 'a again', 1)
    map.put('c', 'c', 5)
    expect(idsOn(map)).toEqual(['b', 'a again', 'c'])

    map.delete('b')
    map.put('d', 'd', 4)
    expect(idsOn(map)).toEqual(['a again', 'c', 'd'])
  })
})

test('a thing weighs at least its texts, however deep', () => {
  const text = 'x'.repeat(1000)
  expect(weightOf([{ content: [{ text }] }, { text }])).toBeGreaterThan(2000)
  expect(weightOf({ count: 3, none: null })).toBeLessThan(1000)
})
