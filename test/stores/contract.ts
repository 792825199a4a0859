import { expect, test } from 'vitest'

import {
  InvalidCursor,
  type Records,
  type ScanOptions,
  type ScannedRecord,
  type Store,
  StoreUnavailable,
} from '../../src/stores/store.ts'
import { patiently } from './patiently.ts'

export interface OpenedStore extends AsyncDisposable {
  store: Store
}

async function fill(records: Records<number>, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 100) {
    const part = ids.slice(from, from + 100).map((id, index) => ({ id, value: from + index }))
    await patiently(() => records.setMany(part))
  }
}

/** What every store must do, whatever it is made of. */
export function storeContract(open: () => Promise<OpenedStore>): void {
  test('what was set is read back, whatever JSON it is', async () => {
    await using opened = await open()
    const records = opened.store.records<unknown>('things')
    const values = [null, false, 0, '', ':base64:x', 'ü\u0000😀', [1, [2]], { a: { b: null } }]
    for (const [index, value] of values.entries()) await records.set(`id-${index}`, value)
    for (const [index, value] of values.entries()) {
      expect(await records.get(`id-${index}`)).toStrictEqual(value)
    }
  })

  test('a value is kept as it was when it was set', async () => {
    await using opened = await open()
    const records = opened.store.records<{ list: number[] }>('things')
    const value = { list: [1] }
    await records.set('a', value)
    value.list.push(2)
    const read = await records.get('a')
    read?.list.push(3)
    expect(await records.get('a')).toEqual({ list: [1] })
  })

  test('a miss is undefined, and deleting tells whether there was something', async () => {
    await using opened = await open()
    const records = opened.store.records<number>('things')
    expect(await records.get('a')).toBeUndefined()
    expect(await records.delete('a')).toBe(false)
    await records.set('a', 1)
    expect(await records.delete('a')).toBe(true)
    expect(await records.get('a')).toBeUndefined()
  })

  test('add writes only where nothing is', async () => {
    await using opened = await open()
    const records = opened.store.records<string>('things')
    expect(await records.add('a', 'first')).toBe(true)
    expect(await records.add('a', 'second')).toBe(false)
    expect(await records.get('a')).toBe('first')
    const results = await Promise.all(Array.from({ length: 20 }, () => records.add('b', 'x')))
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  test('a record with a time to live goes, and makes room for add', async () => {
    await using opened = await open()
    const records = opened.store.records<string>('things', { listed: true })
    await records.set('short', 'x', { ttlMs: 1_000 })
    await records.set('long', 'x', { ttlMs: 60_000 })
    expect(await records.add('short', 'y')).toBe(false)
    await expect.poll(() => records.get('short'), { interval: 5, timeout: 10_000 }).toBeUndefined()
    expect(await records.list()).toEqual([{ id: 'long', value: 'x' }])
    expect(await records.delete('short')).toBe(false)
    expect(await records.add('short', 'y', { ttlMs: 60_000 })).toBe(true)
    expect(await records.get('short')).toBe('y')
    await records.set('short', 'z')
    expect(await records.get('short')).toBe('z')
  })

  test('a time to live of zero or less is refused, for it would mean forever', async () => {
    await using opened = await open()
    const records = opened.store.records<string>('things')
    for (const ttlMs of [0, -1, Number.NaN]) {
      await expect(records.set('a', 'x', { ttlMs })).rejects.toThrow(RangeError)
      await expect(records.add('a', 'x', { ttlMs })).rejects.toThrow(RangeError)
    }
    expect(await records.get('a')).toBeUndefined()
  })

  test('any string is an identifier', async () => {
    await using opened = await open()
    const records = opened.store.records<string>('things', { listed: true })
    const ids = [
      '__proto__',
      'constructor',
      'a:b',
      'a%',
      "'; DROP TABLE records",
      '\u0000',
      '😀',
      ' ',
    ]
    for (const id of ids) {
      expect(await records.get(id)).toBeUndefined()
      await records.set(id, id)
    }
    for (const id of ids) expect(await records.get(id)).toBe(id)
    expect(await records.list()).toHaveLength(ids.length)
  })

  test('an empty or broken identifier, and undefined as a value, are refused', async () => {
    await using opened = await open()
    const records = opened.store.records<unknown>('things')
    for (const id of ['', 'a\ud800']) {
      await expect(records.get(id)).rejects.toThrow(TypeError)
      await expect(records.set(id, 1)).rejects.toThrow(TypeError)
      await expect(records.add(id, 1)).rejects.toThrow(TypeError)
      await expect(records.delete(id)).rejects.toThrow(TypeError)
    }
    await expect(records.set('a', undefined)).rejects.toThrow(TypeError)
    await expect(records.add('a', undefined)).rejects.toThrow(TypeError)
  })

  test('namespaces do not see each other', async () => {
    await using opened = await open()
    const one = opened.store.records<number>('one', { listed: true })
    const two = opened.store.records<number>('two', { listed: true })
    await one.set('a', 1)
    await two.set('a', 2)
    expect(await one.get('a')).toBe(1)
    expect(await opened.store.records<number>('one', { listed: true }).get('a')).toBe(1)
    await two.delete('a')
    expect(await one.list()).toEqual([{ id: 'a', value: 1 }])
    expect(await two.list()).toEqual([])
  })

  test('lists are in byte order and come in pages', async () => {
    await using opened = await open()
    const records = opened.store.records<number>('things', { listed: true })
    const ids = ['b', 'a', 'B', 'é', '\uffee', '😀', 'ab']
    for (const [index, id] of ids.entries()) await records.set(id, index)
    const sorted = ['B', 'a', 'ab', 'b', 'é', '\uffee', '😀']
    expect((await records.list()).map(({ id }) => id)).toEqual(sorted)
    expect((await records.list({ limit: 2 })).map(({ id }) => id)).toEqual(['B', 'a'])
    const rest = await records.list({ after: 'a', limit: 3 })
    expect(rest.map(({ id }) => id)).toEqual(['ab', 'b', 'é'])
    expect((await records.list({ after: 'aa' }))[0]?.id).toBe('ab')

    const backward = { newestFirst: true }
    expect((await records.list(backward)).map(({ id }) => id)).toEqual(sorted.toReversed())
    const page = await records.list({ ...backward, after: 'ab', limit: 2 })
    expect(page.map(({ id }) => id)).toEqual(['a', 'B'])
    expect(await records.list({ ...backward, after: 'B' })).toEqual([])
    expect(await records.list({ after: '😀' })).toEqual([])
  })

  test('the version of a listed namespace changes with every write and with nothing else', async () => {
    await using opened = await open()
    const records = opened.store.records<number>('listed', { listed: true })
    const seen = [await records.version()]
    const note = async () => seen.push(await records.version())
    await records.set('a', 1)
    await note()
    await records.add('b', 1)
    await note()
    await records.setMany([{ id: 'c', value: 1 }])
    await note()
    await records.update('a', (value) => value + 1)
    await note()
    await records.delete('a')
    await note()
    expect(new Set(seen).size).toBe(6)
    await records.get('b')
    await records.list()
    await records.add('b', 2)
    await records.update('b', () => undefined)
    await records.delete('none')
    expect(await records.version()).toBe(seen.at(-1))
  })

  test('what is not listed has neither a list nor a version', async () => {
    await using opened = await open()
    const records = opened.store.records<number>('things')
    await expect(records.list()).rejects.toThrow(TypeError)
    await expect(records.version()).rejects.toThrow(TypeError)
  })

  test('several are read and written at once, in the order asked', async () => {
    await using opened = await open()
    const records = opened.store.records<string>('things')
    await records.setMany([
      { id: 'a', value: 'A' },
      { id: 'b', value: 'B', ttlMs: 60_000 },
      { id: 'c', value: 'C', ttlMs: 1_000 },
    ])
    expect(await records.getMany(['b', 'none', 'a', 'b'])).toEqual(['B', undefined, 'A', 'B'])
    await expect.poll(() => records.get('c'), { interval: 5, timeout: 10_000 }).toBeUndefined()
    expect(await records.getMany([])).toEqual([])
    await records.setMany([])
  })

  test('an update keeps the expiry, and tells what stands', async () => {
    await using opened = await open()
    const records = opened.store.records<number>('things')
    await records.set('a', 1, { ttlMs: 1_500 })
    expect(await records.update('a', (value) => value + 1)).toBe(2)
    expect(await records.update('a', () => undefined)).toBe(2)
    expect(await records.update('none', () => 1)).toBeUndefined()
    await expect.poll(() => records.get('a'), { interval: 5, timeout: 10_000 }).toBeUndefined()
    expect(await records.update('a', () => 1)).toBeUndefined()
  })

  test('a record is deleted only with the value that is expected', async () => {
    await using opened = await open()
    for (const listed of [true, false]) {
      const records = opened.store.records<number>(listed ? 'listed' : 'things', { listed })
      await records.set('a', 1)
      expect(await records.deleteIf('a', (value) => value === 2)).toBe(false)
      expect(await records.get('a')).toBe(1)
      expect(await records.deleteIf('a', (value) => value === 1)).toBe(true)
      expect(await records.get('a')).toBeUndefined()
      expect(await records.deleteIf('a', () => true)).toBe(false)
      expect(listed ? await records.list() : []).toEqual([])
    }
  })

  test('of updates and a deletion at the same moment, none is lost', async () => {
    await using opened = await open()
    const records = opened.store.records<number>('things', { listed: true })
    const before = await records.version()
    await records.set('a', 0)
    const [deleted, ...updated] = await Promise.all([
      records.deleteIf('a', (value) => value === 0),
      ...Array.from({ length: 5 }, () => records.update('a', (value) => value + 1)),
    ])
    expect(await records.get('a')).toBe(deleted ? undefined : 5)
    expect(updated.every((value) => (value === undefined) === deleted)).toBe(true)
    expect(await records.version()).not.toBe(before)
  })

  test('updates at the same moment all count', async () => {
    await using opened = await open()
    const records = opened.store.records<number>('things')
    await records.set('a', 0)
    await Promise.all(Array.from({ length: 10 }, () => records.update('a', (value) => value + 1)))
    expect(await records.get('a')).toBe(10)
  })

  test('counters add up, whoever adds, and begin anew after their time', async () => {
    await using opened = await open()
    const counters = opened.store.counters('things')
    expect(await counters.get('a')).toBe(0)
    const sums = await Promise.all(Array.from({ length: 20 }, () => counters.add('a', 2)))
    expect(new Set(sums.map(({ total }) => total)).size).toBe(20)
    expect(sums[0]?.remainingMs).toBe(Infinity)
    expect(await counters.get('a')).toBe(40)
    expect(await counters.add('short', 5, { ttlMs: 1_000 })).toMatchObject({ total: 5 })
    await expect.poll(() => counters.get('short'), { interval: 5, timeout: 10_000 }).toBe(0)
    expect(await counters.add('short', 1, { ttlMs: 60_000 })).toMatchObject({ total: 1 })
  })

  test('counters say how much of their time is left, which a later addition does not prolong', async () => {
    await using opened = await open()
    const counters = opened.store.counters('things')
    const first = await counters.add('window', 1, { ttlMs: 60_000 })
    expect(first.total).toBe(1)
    expect(first.remainingMs).toBeLessThanOrEqual(60_000)
    expect(first.remainingMs).toBeGreaterThan(0)
    const less = async () => {
      const { remainingMs } = await counters.add('window', 1, { ttlMs: 600_000 })
      return remainingMs < first.remainingMs && remainingMs > 0
    }
    await expect.poll(less, { interval: 2, timeout: 10_000 }).toBe(true)
  })

  test('a scan finds every record of its namespace once, listed or not', async () => {
    await using opened = await open()
    for (const listed of [false, true]) {
      const records = opened.store.records<number>(`many-${listed}`, { listed })
      const ids = Array.from({ length: 1_200 }, (_, index) => `id-${index} é*?`)
      await fill(records, ids)
      await opened.store.records<number>('other').set('id-x', 1)
      const found = await scanAll(records, { limit: 100 })
      for (const { id, value } of found) expect(ids[value as number]).toBe(id)
      expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    }
  })

  test('a scan that continues behind a record of a page loses no other', async () => {
    await using opened = await open()
    const records = opened.store.records<number>('things')
    const ids = Array.from({ length: 700 }, (_, index) => `id-${index}`)
    await fill(records, ids)
    const found: string[] = []
    let cursor: string | undefined
    do {
      const from = cursor
      const page = await patiently(() => records.scan({ cursor: from, limit: 100 }))
      const taken = page.records.slice(0, 33)
      found.push(...taken.map(({ id }) => id))
      cursor = taken.length < page.records.length ? taken.at(-1)?.cursor : page.next
    } while (cursor !== undefined)
    expect(found.toSorted()).toEqual(ids.toSorted())
  })

  test.each([5, 100])(
    'a walk in pages of %i ends and finds each record once while others come and go',
    async (size) => {
      await using opened = await open()
      const records = opened.store.records<number>('things')
      const others = opened.store.records<number>('others')
      const ids = Array.from({ length: 300 }, (_, index) => `stays-${index}`)
      const leaving = Array.from({ length: 300 }, (_, index) => `leaves-${index}`)
      await fill(records, [...ids, ...leaving])
      const found: string[] = []
      const churn = Math.ceil(size / 3)
      let pages = 0
      let cursor: string | undefined
      do {
        const from = cursor
        const page = await patiently(() => records.scan({ cursor: from, limit: size + 1 }))
        const taken = page.records.slice(0, size)
        found.push(...taken.map(({ id }) => id))
        cursor = taken.length < page.records.length ? taken.at(-1)?.cursor : page.next
        for (const id of leaving.splice(0, churn)) await patiently(() => records.delete(id))
        const added = Array.from({ length: churn }, (_, index) => `new-${pages}-${index}`)
        await fill(records, added)
        await fill(others, added)
        pages++
      } while (cursor !== undefined && pages < 1_000)
      expect(cursor).toBeUndefined()
      expect(pages).toBeLessThan(3_000 / size)
      const seen = new Set(found)
      expect(ids.filter((id) => !seen.has(id))).toEqual([])
      expect(found.length - seen.size).toBe(0)
    },
  )

  test('a scan gets the ids that it asks for, and not those that expired', async () => {
    await using opened = await open()
    const records = opened.store.records<string>('things')
    const ids = ['a 1', 'a 2', 'a* 3', 'a[ 4', 'b 5', 'é 6']
    for (const id of ids) await records.set(id, id)
    await records.set('a 7', 'short', { ttlMs: 1_000 })
    await expect.poll(() => records.get('a 7'), { interval: 5, timeout: 10_000 }).toBeUndefined()
    const idsOf = async (options: ScanOptions) =>
      (await scanAll(records, options)).map(({ id }) => id).toSorted()
    expect(await idsOf({})).toEqual(ids.toSorted())
    expect(await idsOf({ prefix: 'a ' })).toEqual(['a 1', 'a 2'])
    expect(await idsOf({ prefix: 'a* ' })).toEqual(['a* 3'])
    expect(await idsOf({ prefix: 'a[ ' })).toEqual(['a[ 4'])
    expect(await idsOf({ prefix: 'a ', limit: 1 })).toEqual(['a 1', 'a 2'])
    expect(await idsOf({ prefix: 'none' })).toEqual([])
    expect(await idsOf({ wants: (id) => id.endsWith('5') })).toEqual(['b 5'])
  })

  test('a scan does not read the content of long records', async () => {
    await using opened = await open()
    const records = opened.store.records<unknown>('things')
    const long = 'é"\\'.repeat(10_000)
    const value = {
      account: 'one "\\',
      until: -1.5e3,
      __proto: null,
      ok: true,
      kept: { long },
      z: 1,
    }
    await records.set('object', value)
    await records.set('text', { a: 1, long })
    await records.set('list', [long])
    const found = new Map((await scanAll(records)).map((one) => [one.id, one.value]))
    const { kept: _kept, z: _z, ...first } = value
    expect(found.get('object')).toEqual({ ...first, kept: {} })
    expect(found.get('text')).toEqual({ a: 1 })
    expect(found.get('list')).toBeUndefined()
  })

  test('a cursor that no scan has made is an error of its own', async () => {
    await using opened = await open()
    const records = opened.store.records<number>('things')
    await records.set('a', 1)
    const sealed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const hostile = [
      '',
      'x',
      '😀',
      'A'.repeat(100_000),
      sealed(['x'.repeat(9_000)]),
      sealed(null),
      sealed({ length: 1 }),
      sealed([]),
      sealed([1]),
      sealed(['\ud800']),
      sealed(['0', '', '99999999999999999999', '']),
      sealed(['16384', '', '0', '']),
      sealed(['0', '', '0\r\nFLUSHALL', '']),
      sealed(['0', '', '0', 'short']),
      sealed(['0', '', '0', 'no ma&rks..']),
      sealed(['0', '', '0', '12', 'of an earlier version']),
      sealed(['somewhere else', '1']),
    ]
    for (const cursor of hostile) {
      await expect(records.scan({ cursor }), cursor.slice(0, 40)).rejects.toThrow(InvalidCursor)
    }
  })

  test('a closed store cannot tell, and says so', async () => {
    await using opened = await open()
    const records = opened.store.records<number>('things', { listed: true })
    await records.set('a', 1)
    await opened.store.close()
    await opened.store.close()
    await expect(records.get('a')).rejects.toThrow(StoreUnavailable)
    await expect(records.set('a', 1)).rejects.toThrow(StoreUnavailable)
    await expect(records.add('a', 1)).rejects.toThrow(StoreUnavailable)
    await expect(records.delete('a')).rejects.toThrow(StoreUnavailable)
    await expect(records.list()).rejects.toThrow(StoreUnavailable)
    await expect(records.version()).rejects.toThrow(StoreUnavailable)
    await expect(records.scan()).rejects.toThrow(StoreUnavailable)
    await expect(records.getMany(['a'])).rejects.toThrow(StoreUnavailable)
    await expect(records.setMany([{ id: 'a', value: 1 }])).rejects.toThrow(StoreUnavailable)
    await expect(opened.store.counters('n').add('a', 1)).rejects.toThrow(StoreUnavailable)
  })
}

async function scanAll(
  records: Pick<Records<unknown>, 'scan'>,
  options: ScanOptions = {},
): Promise<ScannedRecord[]> {
  const found: ScannedRecord[] = []
  let cursor: string | undefined
  do {
    const from = cursor
    const { records: page, next } = await patiently(() =>
      records.scan({ ...options, cursor: from }),
    )
    found.push(...page)
    cursor = next
  } while (cursor !== undefined)
  return found
}
