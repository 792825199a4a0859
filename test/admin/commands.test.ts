import { expect, test } from 'vitest'

import { CommandRefused, startCommands } from '../../src/admin/processes/commands.ts'
import { createLog } from '../../src/lib/log.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { collectLines } from '../../src/testing/lines.ts'
import { until } from '../../src/testing/until.ts'

type Commands = Awaited<ReturnType<typeof startCommands>>

/** Processes that look at once when one of them sends. */
async function processesOn(store: Store, clocks: Readonly<Record<string, () => number>>) {
  const lines = collectLines()
  const all: Record<string, Commands> = {}
  for (const [self, now] of Object.entries(clocks)) {
    all[self] = await startCommands({
      store,
      self,
      now,
      log: createLog(lines.sink),
      onSent: () => Object.values(all).forEach((one) => one.catchUp()),
    })
  }
  return {
    all,
    log: lines.lines,
    [Symbol.dispose]: () => Object.values(all).forEach((one) => one.close()),
  }
}

const clock = Date.now

test('a process that dies between command and answer, or is gone, is named, and holds nobody up', async () => {
  using processes = await processesOn(openMemoryStore(), { a: clock, b: clock })
  const { a, b } = processes.all
  b!.handle('act', () => true)
  b!.handle('die', () => new Promise(() => {}))
  const options = { to: ['b', 'gone'], deadlineMs: 300 }
  expect(await a!.send({ kind: 'act' }, options)).toEqual([
    { processId: 'b', status: 'DONE', result: true },
    { processId: 'gone', status: 'UNANSWERED' },
  ])
  expect(await a!.send({ kind: 'die' }, { to: ['b'], only: 'b', deadlineMs: 300 })).toEqual([
    { processId: 'b', status: 'UNANSWERED' },
  ])
  const enough = await a!.send(
    { kind: 'act' },
    { to: ['gone', 'b'], deadlineMs: 600_000, isEnough: ({ status }) => status === 'DONE' },
  )
  expect(enough[1]).toEqual({ processId: 'b', status: 'DONE', result: true })
})

test('a question and all answers leave the store when they are read; an act waits for late processes', async () => {
  const store = openMemoryStore()
  using processes = await processesOn(store, { a: clock, b: clock })
  const { a, b } = processes.all
  let performed = 0
  b!.handle('act', () => {
    performed++
    return 'x'.repeat(1_000)
  })
  b!.handle('next', () => true)
  const stored = () => store.records('commands', { listed: true }).list()
  const answers = async () => (await store.records('command-answers').scan()).records.length
  for (let asked = 0; asked < 5; asked++) {
    await a!.send({ kind: 'act', isQuestion: true }, { to: ['b'] })
  }
  await until(async () => (await answers()) === 0 && (await stored()).length === 0)
  await a!.send({ kind: 'act' }, { to: ['b'] })
  await until(async () => (await answers()) === 0)
  expect(await stored()).toHaveLength(1)
  // It is read again with the next one, and performed once.
  await a!.send({ kind: 'next' }, { to: ['b'] })
  expect(performed).toBe(6)
})

test('a process whose clock is an hour behind is heard among many commands of others', async () => {
  const store = openMemoryStore()
  using processes = await processesOn(store, {
    behind: () => clock() - 3_600_000,
    b: clock,
    c: clock,
  })
  const { behind, b, c } = processes.all
  for (const one of [b!, c!]) one.handle('act', () => 1)
  const sent = Array.from({ length: 8 }, () => b!.send({ kind: 'act' }, { to: ['c'] }))
  await Promise.all(sent)
  // More than one look reads.
  const records = store.records('commands', { listed: true })
  for (let number = 0; number < 300; number++) {
    const id = `${String(clock()).padStart(15, '0')}-${String(number).padStart(12, '0')}`
    await records.set(id, { kind: 'act', from: 'x', input: {} })
  }
  for (const one of Object.values(processes.all)) one.catchUp()
  await until(async () => {
    const [outcome] = await behind!.send({ kind: 'act' }, { to: ['c'], deadlineMs: 500 })
    return outcome?.status === 'DONE'
  })
})

test('hundreds of dead processes cost the store few reads, and hide no answer', async () => {
  const memory = openMemoryStore()
  let most = 0
  let looks = 0
  const store: Store = {
    ...memory,
    records: (name, options) => {
      const records = memory.records(name, options)
      const getMany = (ids: readonly string[]) => {
        most = Math.max(most, ids.length)
        looks++
        return records.getMany(ids)
      }
      return { ...records, getMany } as never
    },
  }
  using processes = await processesOn(store, { a: clock, b: clock })
  processes.all['b']!.handle('act', () => 1)
  const dead = Array.from({ length: 500 }, (_, index) => `dead-${index}`)
  const outcomes = await processes.all['a']!.send(
    { kind: 'act' },
    { to: [...dead, 'b'], isEnough: ({ status }) => status === 'DONE', deadlineMs: 60_000 },
  )
  expect(outcomes.at(-1)).toEqual({ processId: 'b', status: 'DONE', result: 1 })
  expect(most).toBeLessThanOrEqual(64)

  // An answer that comes after several looks is not missed.
  looks = 0
  processes.all['b']!.handle('late', () => until(() => looks > 2))
  const [late] = await processes.all['a']!.send({ kind: 'late' }, { to: ['b'], deadlineMs: 60_000 })
  expect(late?.status).toBe('DONE')
})

test('the reason of a refusal is an answer; that of a defect goes to the log alone', async () => {
  using processes = await processesOn(openMemoryStore(), { a: clock, b: clock })
  const { a, b } = processes.all
  b!.handle('refuse', () => {
    throw new CommandRefused('Not here.')
  })
  b!.handle('fail', () => {
    throw new Error('secret-canary')
  })
  expect(await a!.send({ kind: 'refuse' }, { to: ['b'] })).toEqual([
    { processId: 'b', status: 'FAILED', message: 'Not here.', result: undefined },
  ])
  const [failed] = await a!.send({ kind: 'fail' }, { to: ['b'] })
  expect(failed?.status).toBe('FAILED')
  expect(JSON.stringify(failed)).not.toContain('canary')
  expect(JSON.stringify(processes.log)).toContain('secret-canary')
})

test('the questions of many take no place of an act, and those of one leave places to the others', async () => {
  using processes = await processesOn(openMemoryStore(), { a: clock })
  const { a } = processes.all
  const refused = { code: 'rate_limited' }
  const waiting: Promise<unknown>[] = []
  const ask = (asker: string) => a!.send({ kind: 'ask', isQuestion: true }, { to: [], asker })
  const hold = (asker?: string) => {
    const sent = a!.send(
      { kind: 'act' },
      { to: ['gone'], deadlineMs: 1_000, ...(asker && { asker }) },
    )
    waiting.push(sent)
  }
  for (let asker = 0; asker < 8; asker++) {
    for (let number = 0; number < 4; number++) hold(`token:${asker}`)
    await expect(ask(`token:${asker}`)).rejects.toMatchObject(refused)
  }
  await expect(ask('token:late')).rejects.toMatchObject(refused)
  for (let number = 0; number < 32; number++) hold()
  await expect(a!.send({ kind: 'act' }, { to: [] })).rejects.toMatchObject(refused)
  await Promise.all(waiting)
  await ask('token:late')
  await a!.send({ kind: 'act' }, { to: [] })
})
