import type { ServerResponse } from 'node:http'

import { expect, test, vi } from 'vitest'

import { variablesOf } from '../../../src/cli/tail/index.ts'
import { until } from '../../../src/testing/until.ts'
import { type Running, openPlace } from '../dragoman.ts'
import { type Desk, openDesk, respond } from './desk.ts'
import { json, startFakeGateway } from './fake-gateway.ts'

// Each of these starts a process.
vi.setConfig({ testTimeout: 60_000 })

function linesOf({ output }: Running): string[] {
  return output.stdout.split('\n').slice(0, -1)
}

async function tail({ place, env }: Desk, words = ''): Promise<Running> {
  const running = place.start(`tail ${words}`, env('viewer'))
  await running.said(/Following http:/)
  return running
}

/** Sends what Ctrl-C sends. Resolves with how the command ends. */
function interrupt({ child, ended }: Running) {
  child.kill('SIGINT')
  return ended
}

test('an operator follows calls, accounts and acts, a line each, until Ctrl-C', async () => {
  await using desk = await openDesk()
  const following = await tail(desk, '--topics exchanges,accounts,audit,pulse')
  await respond(desk)
  await until(() => linesOf(following).some((line) => line.includes(' exchange.ended ')))
  const ended = linesOf(following).find((line) => line.includes(' exchange.ended '))
  expect(ended).toMatch(/^20\S+Z exchange\.ended id=req_\S+ processId=\S+ keyId=test /)
  expect(ended).toContain(' dialect=responses operation=responses.create model=sandbox/echo ')
  expect(ended).toMatch(/ accountId=a .*status=200 end=COMPLETE /)

  // A change shows against a look before it.
  await until(() => linesOf(following).some((line) => line.includes(' pulse ')))
  await desk.remote('accounts disable a --reason "drill')
  await until(() => linesOf(following).some((line) => line.includes(' account.changed ')))
  const acts = linesOf(following).filter((line) => line.includes(' audit '))
  expect(acts[0]).toMatch(
    / action=account\.disable result=STARTED actor\.kind=TOKEN actor\.id=admin/,
  )
  expect(acts.at(-1)).toMatch(/ result=DONE .*target\.id=a .*reason="\\"drill"/)
  const { code, stderr } = await interrupt(following)
  expect({ code, stderr }).toEqual({ code: 0, stderr: `Following ${desk.gateway.adminUrl}.\n` })
})

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

test.each([
  [{}, ['EXCHANGES', 'ACCOUNTS', 'CIRCUITS', 'JOBS', 'CONFIGURATION', 'AUDIT']],
  [{ model: 'm' }, ['EXCHANGES']],
  [{ key: 'k' }, ['EXCHANGES', 'JOBS']],
  [{ account: 'a' }, ['EXCHANGES', 'ACCOUNTS', 'CIRCUITS', 'JOBS']],
  [{ dialect: 'chat' }, ['EXCHANGES', 'CIRCUITS']],
  [{ account: 'a', dialect: 'chat' }, ['EXCHANGES', 'CIRCUITS']],
  [{ key: 'k', dialect: 'chat' }, ['EXCHANGES']],
])('without topics, the filter %j shows those that it can select from', (filter, topics) => {
  expect(variablesOf(filter).topics).toEqual(topics)
})

test('the model that a client names cannot steer the terminal that follows it', async () => {
  await using desk = await openDesk()
  const following = await tail(desk)
  await respond(desk, { model: 'x\u001b[2J\u009b31m\nforged line' })
  await until(() => following.output.stdout.includes('exchange.ended'))
  expect(following.output.stdout).not.toMatch(/[^\P{Cc}\n]/u)
  for (const line of linesOf(following)) expect(line).toMatch(/^20\S+Z \w/)
  await interrupt(following)
})

/** A gateway whose streams of events a test writes and ends. */
async function startStream(port = 0) {
  const streams: ServerResponse[] = []
  let refusal: { status: number; message: string } | undefined
  const fake = await startFakeGateway((response) => {
    if (refusal) {
      return json(response, { errors: [{ message: refusal.message }] }, refusal.status)
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    streams.push(response)
  }, port)
  const send = (live: object) =>
    streams.at(-1)?.write(`event: next\ndata: ${JSON.stringify({ data: { live } })}\n\n`)
  const refuse = (status: number, message: string) => (refusal = { status, message })
  return { ...fake, streams, send, refuse }
}

const missed = (reason: string) => ({ type: 'Missed', count: 1, reason })

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

test('a token that is revoked ends what it follows', async () => {
  await using desk = await openDesk()
  const created = await desk.local('admin-tokens create guest --role viewer')
  const env = { ...desk.env(), DRAGOMAN_ADMIN_TOKEN: created.stdout.trim() }
  const following = desk.place.start('tail', env)
  await following.said(/Following/)
  await desk.local('admin-tokens revoke guest')
  const { code, stderr } = await following.ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/refuses the admin token/)
})

test('a reader that has enough ends the command', async () => {
  await using place = await openPlace()
  await using stream = await startStream()
  const env = { DRAGOMAN_ADMIN_URL: stream.url, DRAGOMAN_ADMIN_TOKEN: 'dga_t' }
  const following = place.start('tail --json', env)
  await following.said(/Following/)
  following.child.stdout?.destroy()
  stream.send(missed('QUEUE'))
  await until(() => (stream.send(missed('QUEUE')), following.child.exitCode !== null))
  expect(following.child.exitCode).toBe(0)
})
