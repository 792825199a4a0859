import { type ClientRequest, type IncomingMessage, request } from 'node:http'

import { expect, test, vi } from 'vitest'

import { createAdminToken, revokeAdminToken } from '../../src/stores/admin-tokens.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'

vi.setConfig({ testTimeout: 60_000 })

interface Stream {
  readonly sent: ClientRequest
  readonly answer: IncomingMessage
  text(): string
  readonly ended: Promise<void>
}

/** Subscribes to the audit log and to jobs, with a client that asks for any type of answer. */
function subscribe(
  { adminUrl }: AdminGateway,
  secret: string,
  { accept = 'text/event-stream', isSlow = false, topics = 'JOBS, AUDIT' } = {},
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const sent = request(`${adminUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, authorization: `Bearer ${secret}` },
      agent: false,
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      let text = ''
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('error', () => {}).on('close', () => end())
      if (isSlow) answer.pause()
      resolve({ sent, answer, ended, text: () => text })
    })
    const live =
      '__typename ... on JobChanged { processId progress } ... on Missed { reason count }'
    sent.end(JSON.stringify({ query: `subscription { live(topics: [${topics}]) { ${live} } }` }))
  })
}

const sample = (calls: number) => ({
  type: 'JobChanged' as const,
  processId: 'x'.repeat(900),
  jobId: 'job',
  accountId: 'a',
  progress: calls,
  forgotten: false,
})

test.for(['text/event-stream', '*/*', 'text/*'])(
  'a revoked or expired token ends its subscriptions, whatever the client accepts: %s',
  async (accept) => {
    const store = openMemoryStore()
    let ahead = 0
    await using one = await startAdminGateway({ store, now: () => Date.now() + ahead })
    await using _other = await startAdminGateway({ store })
    const issue = (id: string, lifeMs?: number) =>
      createAdminToken(store, {
        id,
        role: 'viewer',
        createdBy: 'test',
        expiresAt: lifeMs && Date.now() + lifeMs,
      })
    const [revoked, expired, sound] = await Promise.all([
      issue('revoked'),
      issue('expired', 60_000),
      issue('sound'),
    ])
    await one.services.tokens.catchUp()
    const streams = await Promise.all(
      [revoked, expired, sound].map((token) => subscribe(one, token!.secret, { accept })),
    )
    const { live } = one.services.processes
    await until(() => live.wanted.AUDIT)
    await revokeAdminToken(store, 'revoked')
    await streams[0]!.ended
    ahead = 120_000
    await streams[1]!.ended
    live.emit(sample(7))
    await until(() => streams[2]!.text().includes('"progress":7'))
    streams[2]!.sent.destroy()
    await until(() => !live.wanted.AUDIT)
  },
)

test('streams that no client asks for by name are counted, too', async () => {
  await using gateway = await startAdminGateway({ adminLimits: { streams: 2, tokenBurst: 1_000 } })
  const secret = gateway.token('viewer')
  const taken = [
    await subscribe(gateway, secret, { accept: '*/*' }),
    await subscribe(gateway, secret),
  ]
  const refused = await subscribe(gateway, secret, { accept: '*/*' })
  expect([taken[0]!, taken[1]!, refused].map(({ answer }) => answer.statusCode)).toEqual([
    200, 200, 503,
  ])
  // It leaves no subscriber behind.
  for (const { sent } of taken) sent.destroy()
  await until(() => !gateway.services.processes.live.wanted.AUDIT)
})

test('a client that takes no events is refused, and leaves no subscriber behind', async () => {
  await using gateway = await startAdminGateway()
  const secret = gateway.token('viewer')
  for (const accept of ['application/json', 'multipart/mixed', 'text/html']) {
    const refused = await subscribe(gateway, secret, { accept })
    expect([accept, refused.answer.statusCode]).toEqual([accept, 406])
    refused.sent.destroy()
  }
  const { live } = gateway.services.processes
  await until(() => !live.wanted.AUDIT)
  const taken = await Promise.all(
    Array.from({ length: 40 }, () => subscribe(gateway, secret, { accept: 'application/json' })),
  )
  const other = await subscribe(gateway, gateway.token('operator'))
  expect(other.answer.statusCode).toBe(200)
  for (const { sent } of [...taken, other]) sent.destroy()
})

test('one token has eight subscribers at most, and leaves room for others', async () => {
  await using gateway = await startAdminGateway()
  const own = gateway.token('viewer')
  const streams = await Promise.all(Array.from({ length: 8 }, () => subscribe(gateway, own)))
  const refused = await subscribe(gateway, own)
  await refused.ended
  expect([refused.answer.statusCode, refused.text()]).toEqual([
    503,
    expect.stringContaining('Too many streams of this token or user are open'),
  ])
  const other = await subscribe(gateway, gateway.token('operator'))
  gateway.services.processes.live.emit(sample(3))
  await until(() => other.text().includes('"progress":3'))
  for (const { sent } of [...streams, other]) sent.destroy()
})

test('a subscriber that does not read holds 256 events, learns what it missed, and ends when revoked', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store })
  const issued = await createAdminToken(store, { id: 'slow', role: 'viewer', createdBy: 'test' })
  await gateway.services.tokens.catchUp()
  const { live } = gateway.services.processes
  const slow = await subscribe(gateway, gateway.token('viewer'), { isSlow: true })
  const dead = await subscribe(gateway, issued!.secret, { isSlow: true, topics: 'JOBS, PULSE' })
  await until(() => live.wanted.JOBS && live.wanted.PULSE)
  const many = 20_000
  for (let calls = 0; calls < many; calls++) {
    live.emit(sample(calls))
    // The server writes meanwhile, until the buffers of the connection are full.
    if (calls % 100 === 0) await new Promise(setImmediate)
  }
  await revokeAdminToken(store, 'slow')
  await until(() => !live.wanted.PULSE)
  slow.answer.resume()
  await until(() => slow.text().includes(`"progress":${many - 1}`))
  const received = slow.text().split('"JobChanged"').length - 1
  expect(slow.text()).toContain('"reason":"QUEUE"')
  const missed = [...slow.text().matchAll(/"reason":"QUEUE","count":(\d+)/g)].map(([, n]) =>
    Number(n),
  )
  // The process may have sent samples of its own between them.
  const lost = many - received - missed.reduce((sum, one) => sum + one, 0)
  expect([0, -1, -2, -3]).toContain(lost)
  for (const { sent } of [slow, dead]) sent.destroy()
  await until(() => !live.wanted.JOBS)
})
