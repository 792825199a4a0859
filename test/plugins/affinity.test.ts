import { describe, expect, test } from 'vitest'

import { candidates, startAffinity, startRecords } from './affinity-exchange.ts'

const day = 24 * 60 * 60_000

describe('after a call has been served', () => {
  test('its likes and its items lead to the account, in one write', async () => {
    const { records, writes } = startRecords()
    const { serve, clock } = startAffinity({ records })

    await serve('b', ['item:msg_1', 'cache:notes'], { items: ['msg_2', 'rs_2'] })

    const value = { account: 'b', until: clock.now + 7 * day }
    const names = ['team item:msg_1', 'team cache:notes m', 'team item:msg_2', 'team item:rs_2']
    expect(writes).toEqual([names.map((id) => ({ id, value, ttlMs: 7 * day }))])
  })

  test('the next of its kind is led there without a look at the store', async () => {
    const { records, reads } = startRecords()
    const { serve, prefer } = startAffinity({ records })
    await serve('b', [], { items: ['msg_1'] })

    expect(prefer(['item:msg_1', 'cache:notes'])).toEqual([
      undefined,
      { rank: -1, why: 'affinity: item id' },
    ])
    expect(reads).toEqual([])
  })

  test('nothing is written again on the same day', async () => {
    const { records, writes } = startRecords()
    const { serve, clock } = startAffinity({ records })
    await serve('b', ['cache:notes'])
    clock.now += day - 1_000
    await serve('b', ['cache:notes'])
    expect(writes).toHaveLength(1)

    clock.now += 1_000
    await serve('b', ['cache:notes'])

    expect(writes).toHaveLength(2)
  })

  test('another account takes its place at once', async () => {
    const { records, writes } = startRecords()
    const { serve, prefer } = startAffinity({ records })
    await serve('b', ['cache:notes'])

    await serve('a', ['cache:notes'])

    expect(writes).toHaveLength(2)
    expect(prefer(['cache:notes'])).toMatchObject([{ rank: -1 }, undefined])
  })

  test.each([
    { status: 'failed', fault: 'account' },
    { status: 'failed', fault: 'caller' },
    { status: 'failed', fault: 'none' },
    { status: 'cancelled', fault: 'client' },
  ] as const)('it teaches nothing when it was $status by fault of $fault', async (outcome) => {
    const { records, writes } = startRecords()
    const { serve } = startAffinity({ records })

    await serve('b', ['cache:notes'], { ...outcome, items: ['msg_1'] })

    expect(writes).toEqual([])
  })
})

describe('the store is not asked', () => {
  test('where there is no choice', () => {
    const { records, reads } = startRecords()
    const { prefer } = startAffinity({ records })

    expect(prefer(['cache:notes'], {}, candidates.slice(0, 1))).toBeUndefined()
    expect(reads).toEqual([])
  })

  test('for a call that belongs to an account', () => {
    const { records, reads } = startRecords()
    const { prefer } = startAffinity({ records })
    const refersTo = [{ kind: 'response', id: 'resp_1', use: 'chain' }]

    expect(prefer(['cache:notes'], { refersTo })).toBeUndefined()
    expect(reads).toEqual([])
  })

  test('for a call that is like no other', () => {
    const { records, reads } = startRecords()
    const { prefer } = startAffinity({ records })

    expect(prefer([])).toBeUndefined()
    expect(reads).toEqual([])
  })
})

describe('the first like that is known decides', () => {
  test('even when it must be asked for and the other is at hand', async () => {
    const { records, reads, stored } = startRecords()
    const { serve, prefer, clock } = startAffinity({ records })
    stored.set('team item:msg_1', { account: 'a', until: clock.now + day })
    await serve('b', ['cache:notes'])

    expect(await prefer(['item:msg_1', 'cache:notes'])).toMatchObject([{ rank: -1 }, undefined])
    expect(reads).toEqual([['team item:msg_1']])
  })

  test('and one whose account is gone does not', async () => {
    const { records, stored } = startRecords()
    const { prefer, clock } = startAffinity({ records })
    stored.set('team item:msg_1', { account: 'gone', until: clock.now + day })
    stored.set('team cache:notes m', { account: 'b', until: clock.now + day })

    expect(await prefer(['item:msg_1', 'cache:notes'])).toMatchObject([undefined, { rank: -1 }])
  })

  test('of no more than the sixteen most telling', async () => {
    const { records, reads } = startRecords()
    const { prefer, serve } = startAffinity({ records })
    const items = Array.from({ length: 1_000 }, (_, index) => `item:msg_${index}`)

    await prefer(items)
    await serve('a', items, { items: items.map((item) => `new-${item}`) })

    expect(reads).toEqual([items.slice(0, 16).map((item) => `team ${item}`)])
  })
})

describe('strangers choose the words', () => {
  test('long ones and broken ones are kept as a hash', async () => {
    const { records, writes } = startRecords()
    const { serve, prefer } = startAffinity({ records })
    const long = `session:${'x'.repeat(10_000)}`
    const broken = 'cache:\ud800'

    await serve('b', [long, broken])

    const names = writes[0]?.map(({ id }) => id) ?? []
    expect(names).toEqual([
      expect.stringMatching(/^team [\w-]{43}$/),
      expect.stringMatching(/^team [\w-]{43}$/),
    ])
    expect(new Set(names).size).toBe(2)
    expect(prefer([long])).toMatchObject([undefined, { rank: -1 }])
    expect(await prefer([`${long}x`])).toBeUndefined()
  })

  test('only so many are remembered, and those used last', async () => {
    const { records, reads } = startRecords()
    const { serve, prefer } = startAffinity({ records, cacheSize: 2 })
    await serve('b', ['cache:one'])
    await serve('b', ['cache:two'])
    void prefer(['cache:one'])
    await serve('b', ['cache:three'])

    expect(await prefer(['cache:two'])).toMatchObject([undefined, { rank: -1 }])
    expect(reads).toEqual([['team cache:two m']])
  })
})
