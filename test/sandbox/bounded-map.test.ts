import { describe, expect, test } from 'vitest'

import { BoundedMap, weightOf } from '../../src/sandbox/bounded-map.ts'

const idsOn = (shelf: BoundedMap<string>) => [...shelf.values()]

describe('a shelf', () => {
  test('lets the oldest go when there are too many', () => {
    const shelf = new BoundedMap<string>({ entries: 2 })
    for (const id of ['a', 'b', 'c']) shelf.put(id, id, 1)

    expect(idsOn(shelf)).toEqual(['b', 'c'])
    expect(shelf.get('a')).toBeUndefined()
  })

  test('lets as many go as something heavy takes', () => {
    const shelf = new BoundedMap<string>({ weight: 10 })
    for (const id of ['a', 'b', 'c']) shelf.put(id, id, 3)

    shelf.put('d', 'd', 6)

    expect(idsOn(shelf)).toEqual(['c', 'd'])
  })

  test('takes nothing that is too heavy by itself', () => {
    const shelf = new BoundedMap<string>({ weight: 10 })
    shelf.put('a', 'a', 11)

    expect(idsOn(shelf)).toEqual([])
    shelf.put('b', 'b', 10)
    expect(idsOn(shelf)).toEqual(['b'])
  })

  test('has room again for what was deleted or replaced', () => {
    const shelf = new BoundedMap<string>({ weight: 10 })
    shelf.put('a', 'a', 6)
    shelf.put('b', 'b', 4)
    shelf.put('a', 'a again', 1)
    shelf.put('c', 'c', 5)
    expect(idsOn(shelf)).toEqual(['b', 'a again', 'c'])

    shelf.delete('b')
    shelf.put('d', 'd', 4)
    expect(idsOn(shelf)).toEqual(['a again', 'c', 'd'])
  })
})

test('a thing weighs at least its texts, however deep', () => {
  const text = 'x'.repeat(1000)
  expect(weightOf([{ content: [{ text }] }, { text }])).toBeGreaterThan(2000)
  expect(weightOf({ count: 3, none: null })).toBeLessThan(1000)
})
