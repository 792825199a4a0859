import { expect, test } from 'vitest'

import {
  CommandRefused,
  type Outgoing,
  createBroadcast,
} from '../../src/admin/processes/broadcast.ts'
import { createLog } from '../../src/lib/log.ts'
import { longestMessage } from '../../src/stores/bus.ts'
import { collectLines } from '../../src/testing/lines.ts'

type Broadcast = ReturnType<typeof createBroadcast>

/** Processes that hear each other. */
function processesOf(...ids: readonly string[]) {
  const lines = collectLines()
  const sent: (Outgoing & { readonly from: string })[] = []
  const all: Record<string, Broadcast> = {}
  for (const self of ids) {
    all[self] = createBroadcast({
      log: createLog(lines.sink),
      publish(message) {
        if (JSON.stringify(message).length > longestMessage) return false
        sent.push({ ...message, from: self })
        for (const [id, other] of Object.entries(all)) {
          const isFor = !('to' in message) || message.to === undefined || message.to === id
          if (id !== self && isFor) {
            setImmediate(() => other.receive({ ...message, from: self, sent: 0 }))
          }
        }
        return true
      },
    })
  }
  return { all, sent, log: lines.lines }
}

test('a process that dies between command and answer, or is gone, is named, and holds no other up', async () => {
  const { a, b } = processesOf('a', 'b').all
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

test('a command for one process reaches that one alone, and each process performs it once', async () => {
  const { all, sent } = processesOf('a', 'b', 'c')
  const performed: string[] = []
  for (const id of ['b', 'c']) all[id]!.handle('act', () => void performed.push(id))
  await all['a']!.send({ kind: 'act' }, { to: ['c'], only: 'c' })
  expect(performed).toEqual(['c'])
  await all['a']!.send({ kind: 'act' }, { to: ['b', 'c'] })
  expect(performed).toEqual(['c', 'b', 'c'])
  expect(sent.filter((message) => 'answer' in message).map((one) => 'to' in one && one.to)).toEqual(
    ['a', 'a', 'a'],
  )
})

test('answers that come late, from others or to nothing are ignored', async () => {
  const { all, sent } = processesOf('a', 'b')
  const { a, b } = all
  b!.handle('act', () => 1)
  const sending = a!.send({ kind: 'act' }, { to: ['b'] })
  const [command] = sent
  const answer = {
    to: 'a',
    answer: command && 'command' in command ? command.command : '',
    sent: 0,
  }
  a!.receive({ ...answer, from: 'stranger', status: 'DONE', result: 7 })
  a!.receive({ ...answer, answer: 'x', from: 'b', status: 'DONE', result: 7 })
  expect(await sending).toEqual([{ processId: 'b', status: 'DONE', result: 1 }])
  a!.receive({ ...answer, from: 'b', status: 'DONE', result: 7 })
})

test('the reason of a refusal is an answer; the message of a defect goes to the log alone', async () => {
  const processes = processesOf('a', 'b')
  const { a, b } = processes.all
  b!.handle('refuse', () => {
    throw new CommandRefused('Not here.')
  })
  b!.handle('fail', () => {
    throw new Error('secret-canary')
  })
  b!.handle('long', () => 'x'.repeat(longestMessage))
  expect(await a!.send({ kind: 'refuse' }, { to: ['b'] })).toEqual([
    { processId: 'b', status: 'FAILED', message: 'Not here.' },
  ])
  const [failed] = await a!.send({ kind: 'fail' }, { to: ['b'] })
  expect(failed?.status).toBe('FAILED')
  expect(JSON.stringify(failed)).not.toContain('canary')
  expect(JSON.stringify(processes.log)).toContain('secret-canary')
  expect(await a!.send({ kind: 'long' }, { to: ['b'] })).toEqual([
    { processId: 'b', status: 'FAILED', message: 'The answer is too long.' },
  ])
})

test('of a flood of commands of another process a bounded number is performed at a time', () => {
  const direct: string[] = []
  const flooded = createBroadcast({
    log: createLog(collectLines().sink),
    publish(message) {
      if ('answer' in message) direct.push(message.status)
      return true
    },
  })
  flooded.handle('never', () => new Promise(() => {}))
  for (let number = 0; number < 100; number++) {
    flooded.receive({ from: 'x', sent: 0, command: String(number), kind: 'never', input: {} })
  }
  expect(direct).toEqual(Array.from({ length: 36 }, () => 'FAILED'))
})

test('the questions of many take no place of an act, and the questions of one leave places to the others', async () => {
  const { a } = processesOf('a').all
  const refused = { code: 'rate_limited' }
  const waiting: Promise<unknown>[] = []
  const ask = (asker: string) => a!.send({ kind: 'ask' }, { to: [], asker })
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
