import { expect, test, vi } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { openPlace } from '../dragoman.ts'
import { openDesk, respond } from './desk.ts'
import { linesOf, tail, interrupt, startStream, missed } from './tailing.ts'

// Each of these starts a process.
vi.setConfig({ testTimeout: 60_000 })

test('scripts follow in JSON what a filter selects', async () => {
  await using desk = await openDesk()
  const [own, other, topics] = await Promise.all([
    tail(desk, '--json --key test --model sandbox/echo'),
    tail(desk, '--json --key other'),
    tail(desk, '--json --topics audit,pulse'),
  ])
  const model = 'x\u001b[2J\u009b31m\nexchange.ended'
  const { status } = await respond(desk, { model })
  expect(status).toBe(404)
  await respond(desk)
  await desk.remote('accounts disable a --reason drill')
  await until(() => linesOf(own).some((line) => line.includes('ExchangeEnded')))
  await until(() => linesOf(topics).some((line) => line.includes('"DONE"')))
  await until(() => linesOf(topics).some((line) => line.includes('PulseSample')))
  const events = linesOf(own).map((line) => JSON.parse(line) as { type: string; exchange: object })
  expect(new Set(events.map(({ type }) => type.slice(0, 8)))).toEqual(new Set(['Exchange']))
  expect(events.at(-1)?.exchange).toMatchObject({
    keyId: 'test',
    model: 'sandbox/echo',
    status: 200,
  })
  expect(linesOf(other)).toEqual([])
  const types = linesOf(topics).map((line) => (JSON.parse(line) as { type: string }).type)
  expect(new Set(types)).toEqual(new Set(['AuditRecorded', 'PulseSample']))
  await Promise.all([own, other, topics].map(interrupt))
})

test('a restart of the gateway interrupts, which is said, and the lines go on', async () => {
  await using place = await openPlace()
  let stream = await startStream()
  const { port, url } = stream
  const env = { DRAGOMAN_ADMIN_URL: url, DRAGOMAN_ADMIN_TOKEN: 'dga_t' }
  const following = place.start('tail --json', env)
  await following.said(/Following/)
  stream.send(missed('QUEUE'))
  await until(() => linesOf(following).length === 1)
  // Once without an end, as at a crash, and once with one, as at a drain.
  await stream[Symbol.asyncDispose]()
  await following.said(/has broken off/)
  stream = await startStream(port)
  await using again = stream
  await until(() => again.streams.length === 1)
  again.send(missed('SAMPLING'))
  await until(() => linesOf(following).length === 3)
  again.streams[0]?.end('event: complete\ndata:\n\n')
  await until(() => again.streams.length === 2)
  again.send(missed('OUTAGE'))
  await until(() => linesOf(following).length === 5)
  const reasons = linesOf(following).map((line) => (JSON.parse(line) as { reason: string }).reason)
  expect(reasons).toEqual(['QUEUE', 'DISCONNECTED', 'SAMPLING', 'DISCONNECTED', 'OUTAGE'])

  again.refuse(503, 'The store does not answer.')
  again.streams[1]?.destroy()
  const refusals = again.visits.length
  await until(() => again.visits.length > refusals)
  again.refuse(401, 'An admin token is required.')
  const { code, stderr } = await following.ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/refuses the admin token: it is wrong, expired or revoked\.\n$/)
})
