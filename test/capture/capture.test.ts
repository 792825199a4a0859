import { readdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { secrets, startCaptureStage } from './stage.ts'

test('an administrator captures the calls of one key, and no credential', async () => {
  await using stage = await startCaptureStage()
  await stage.chat('a', 'before the capture')
  const id = await stage.start({ keyId: 'team-a' })

  const whole = await stage.chat('a', 'a whole reply')
  const streamed = await stage.chat('a', 'a stream', { stream: true })
  const refused = await stage.chat('a', 'a refusal', { model: 'refusing' })
  const invalid = await stage.chat('a', 'a mistake', { temperature: 'hot' })
  const told = await stage.chat('a', `my key is ${secrets.a}`, { model: 'telling' })
  expect(told.text).toContain(secrets.a)
  await stage.chat('b', 'private words of another key')
  expect([whole.status, streamed.status, refused.status, invalid.status]).toEqual([
    200, 200, 400, 400,
  ])

  await until(async () => (await stage.exchanges()).length === 5)
  const exchanges = await stage.exchanges()
  expect(exchanges.map(({ key_id }) => key_id)).toEqual(Array(5).fill('team-a'))
  expect(exchanges.map(({ reply }) => reply.status)).toEqual([200, 200, 400, 400, 200])
  expect(exchanges[0]?.request.body).toContain('a whole reply')
  expect(exchanges[0]?.reply.body).toBe(whole.text)
  expect(exchanges[1]?.reply.body).toBe(streamed.text)
  expect(exchanges[3]?.request.body).toContain('hot')

  const text = await stage.text()
  const canaries = [...Object.values(secrets), 'query-canary-77', 'header-canary-66']
  for (const canary of [...canaries, 'private words', 'before the capture']) {
    expect(text).not.toContain(canary)
  }
  expect(await stage.modes()).toEqual([0o600])
  // The log has the act, and nothing of the content.
  expect(stage.gateway.written()).not.toContain('a whole reply')
  expect(JSON.stringify(stage.gateway.log)).toContain(id)
})

test('a key that a client has percent-encoded in its path is in no capture', async () => {
  await using stage = await startCaptureStage()
  await stage.start({ keyId: 'team-a' })
  const encoded = secrets.a.replaceAll('-', '%252d')
  const reply = await stage.send('a', `/v1/responses/${encoded}/cancel`, new FormData())
  await reply.text()
  await until(async () => (await stage.exchanges()).length === 1)
  const text = await stage.text()
  expect(text).toContain('/v1/responses/[secret]/cancel')
  expect(text).not.toContain(encoded)
})

test.each([
  ['percent-encoded', (key: string) => key.replaceAll('-', '%2D')],
  ['percent-encoded twice', (key: string) => key.replaceAll('-', '%252d')],
])('a key that a client has %s in its texts is in no capture', async (_, encode) => {
  await using stage = await startCaptureStage()
  await stage.start({ keyId: 'team-a' })
  await stage.chat('a', `100%25: see https://proxy.example/?next=${encode(secrets.a)}`)
  await until(async () => (await stage.exchanges()).length === 1)
  const text = await stage.text()
  expect(text).toContain('100%25: see https://proxy.example/?next=[secret]')
  expect(text).not.toContain(encode(secrets.a))
})

test('it ends when it is stopped, and the audit log has both acts', async () => {
  await using stage = await startCaptureStage()
  const { gateway } = stage
  const id = await stage.start({ keyId: 'team-a', minutes: 60 })
  const second = await gateway.graph<{ startCapture: { __typename: string } }>(
    'mutation { startCapture(input: { keyId: "team-a", reason: "again" }) { __typename } }',
  )
  expect(second.data.startCapture.__typename).toBe('Conflict')
  const listed = await gateway.graph<{ captures: unknown[] }>(
    '{ captures { id keyId startedBy } }',
    {},
    'viewer',
  )
  expect(listed.data.captures).toEqual([{ id, keyId: 'team-a', startedBy: 'token:admin' }])

  await gateway.graph(`mutation { stopCapture(input: { id: "${id}" }) { __typename } }`)
  await until(() => gateway.log.some(({ msg }) => msg === 'a capture has ended'))
  await stage.chat('a', 'after the capture')
  expect(await stage.text()).toBe('')
  const { data } = await gateway.graph<{
    audit: { edges: { node: { action: string; result: string } }[] }
  }>('{ audit(first: 10) { edges { node { action result } } } }')
  expect(data.audit.edges.map(({ node }) => `${node.action} ${node.result}`).toReversed()).toEqual([
    'capture.start DONE',
    'capture.start FAILED',
    'capture.stop DONE',
  ])
})

test('a record of the store that names another file captures nothing', async () => {
  await using stage = await startCaptureStage()
  const { store } = stage.gateway.running
  const startedAt = Date.now()
  const forged = { keyId: 'team-b', exchanges: 9, startedAt, endsAt: startedAt + 60_000 }
  const records = store.records<object>('captures', { listed: true })
  await records.set('../cap_elsewhere', { ...forged, startedBy: 'token:nobody' })
  await stage.start({ keyId: 'team-a' })
  await stage.chat('b', 'not to be captured')
  await stage.chat('a', 'captured')
  await until(async () => (await stage.exchanges()).length === 1)
  expect(await readdir(dirname(stage.directory))).toEqual(['captures'])
  const { data } = await stage.gateway.graph<{ captures: unknown[] }>('{ captures { keyId } }')
  expect(data.captures).toEqual([{ keyId: 'team-a' }])
})

test('a key in the query is not captured, as a name and as a value', async () => {
  await using stage = await startCaptureStage()
  await stage.start({ keyId: 'team-a' })
  const query = new URLSearchParams({ [secrets.a]: '1', after: secrets.a, limit: '5' })
  await fetch(`${stage.gateway.url}/v1/models?${query}`, {
    headers: { authorization: `Bearer ${secrets.a}` },
  })
  await until(async () => (await stage.exchanges()).length === 1)
  const text = await stage.text()
  expect(text).not.toContain(secrets.a)
  expect(text).toContain('"limit":"5"')
})

test('nobody captures where the configuration does not permit it, and no role below admin', async () => {
  await using stage = await startCaptureStage({ captures: false })
  const { gateway } = stage
  const act =
    'mutation { startCapture(input: { keyId: "team-a", reason: "r" }) { __typename ... on ManagedByFile { fix } } }'
  const refused = await gateway.graph<{ startCapture: unknown }>(act)
  expect(refused.data.startCapture).toMatchObject({
    __typename: 'ManagedByFile',
    fix: expect.stringContaining('capture:') as string,
  })
  for (const role of ['viewer', 'operator'] as const) {
    const { errors } = await gateway.graph(act, {}, role)
    expect(errors[0]?.extensions?.code).toBe('FORBIDDEN')
  }
})

test('inputs beyond the bounds are invalid', async () => {
  await using stage = await startCaptureStage()
  for (const input of ['minutes: 61', 'minutes: 0', 'exchanges: 1001']) {
    const { data } = await stage.gateway.graph<{ startCapture: { __typename: string } }>(
      `mutation { startCapture(input: { keyId: "team-a", reason: "r", ${input} }) { __typename } }`,
    )
    expect(data.startCapture.__typename).toBe('Invalid')
  }
})

test('a directory that cannot be written ends the capture, and no call', async () => {
  await using stage = await startCaptureStage({ captures: 'file/captures' })
  await writeFile(dirname(stage.directory), 'in its place')
  await stage.start({ keyId: 'team-a' })
  expect((await stage.chat('a', 'one')).status).toBe(200)
  await until(() => stage.gateway.log.some(({ msg }) => msg === 'a capture has ended'))
  expect((await stage.chat('a', 'two', { stream: true })).text).toContain('echo of two')
})

test('a long reply is copied up to its limit, and so many exchanges as were asked for', async () => {
  await using stage = await startCaptureStage()
  await stage.start({ keyId: 'team-a', exchanges: 1 })
  const long = await stage.chat('a', 'x'.repeat(300_000))
  expect(long.text.length).toBeGreaterThan(300_000)
  await until(async () => (await stage.exchanges()).length === 1)
  const [exchange] = await stage.exchanges()
  expect(exchange?.reply).toMatchObject({ cut: true, bytes: Buffer.byteLength(long.text) })
  expect(exchange?.reply.body?.length).toBeLessThan(262_144)
  await stage.chat('a', 'one more')
  await until(async () => (await stage.ends()).length === 1)
  expect(await stage.text()).not.toContain('one more')
})
