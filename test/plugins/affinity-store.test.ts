import { expect, test } from 'vitest'

import { startAffinity, startRecords } from './affinity-exchange.ts'

/** Records whose reads come to no end until they are let go. */
function hanging() {
  const { records, reads, stored } = startRecords()
  const gate = Promise.withResolvers<void>()
  const getMany = async (names: readonly string[]) => {
    const found = await records.getMany(names)
    await gate.promise
    return found
  }
  return { records: { ...records, getMany }, reads, stored, letGo: gate.resolve }
}

test('a call does not wait for a store that is slow', async () => {
  const { records } = hanging()
  const { prefer, plugin, lines } = startAffinity({ records, waitMs: 1 })

  expect(await prefer(['cache:notes'])).toBeUndefined()

  expect(plugin.state.failedReads).toBe(1)
  expect(lines).toMatchObject([{ level: 'warn', error: 'Error: no answer within 1 ms' }])
})

test('a store that hangs is left alone until it has answered', async () => {
  const { records, reads, stored, letGo } = hanging()
  const { prefer, plugin, clock } = startAffinity({ records, waitMs: 1 })
  stored.set('team cache:notes m', { account: 'b', until: clock.now + 1_000 })
  await prefer(['cache:notes'])

  expect(await prefer(['cache:notes'])).toBeUndefined()
  expect(reads).toHaveLength(1)
  expect(plugin.state.failedReads).toBe(2)

  letGo()
  await expect.poll(() => prefer(['cache:notes'])).toMatchObject([undefined, { rank: -1 }])
})

test('failures are told once a minute, and counted', async () => {
  const fail = () => Promise.reject(new Error('the store is away'))
  const { prefer, serve, plugin, lines, clock } = startAffinity({
    records: { getMany: fail, setMany: fail },
  })

  for (let call = 0; call < 3; call++) expect(await prefer([`cache:${call}`])).toBeUndefined()
  await serve('b', ['cache:notes'])
  clock.now += 60_000
  await prefer(['cache:other'])

  expect(plugin.state).toEqual({ failedReads: 4, failedWrites: 1 })
  expect(lines).toMatchObject([
    { failed_reads: 1, failed_writes: 0, error: 'Error: the store is away' },
    { failed_reads: 4, failed_writes: 1 },
  ])
})

test('what the store did not take is still known here, and written again', async () => {
  const { records, writes } = startRecords()
  let away = true
  const setMany: typeof records.setMany = (entries) =>
    away ? Promise.reject(new Error('the store is away')) : records.setMany(entries)
  const { prefer, serve } = startAffinity({ records: { ...records, setMany } })
  await serve('b', ['cache:notes'])
  expect(prefer(['cache:notes'])).toMatchObject([undefined, { rank: -1 }])

  away = false
  await serve('b', ['cache:notes'])

  expect(writes).toHaveLength(1)
})

test('the end waits for what is being written', async () => {
  const { records, writes } = startRecords()
  const gate = Promise.withResolvers<void>()
  const setMany: typeof records.setMany = async (entries) => {
    await gate.promise
    await records.setMany(entries)
  }
  const { serve, plugin } = startAffinity({ records: { ...records, setMany } })
  void serve('b', ['cache:notes'])

  const disposed = plugin.onDispose?.()
  expect(writes).toEqual([])
  gate.resolve()
  await disposed

  expect(writes).toHaveLength(1)
})
