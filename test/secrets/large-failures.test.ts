import { expect, test } from 'vitest'

import { answerJson, answerStream } from '../../src/testing/fake-account.ts'
import { startService, useOnly } from '../requests/service.ts'

const failed = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'failed',
  model: 'm',
  output: [],
}

const window = 256 * 1024

/** Texts in which an address stands around the places where the gateway divides a long text. */
const texts = (address: string) =>
  [-address.length, -7, -1, 0, 1].flatMap((shift) =>
    [1, 2, 4].map((times) => {
      const before = 'a '.repeat((times * window + shift) / 2)
      return { text: `${before}${address} ${'b'.repeat(window)}`, before }
    }),
  )

test('no part of a long failed reply contains the address of the account', async () => {
  await using service = await startService({}, (response, request) => {
    const sent = texts(`http://${request.headers.host}/v1`).map(({ text }) => text)
    const named = { [`at ${request.headers.host}`]: 1, list: sent.map((text) => ({ text })) }
    return answerJson({ ...failed, error: { code: 'x', message: sent[0] }, named })(
      response,
      request,
    )
  })
  useOnly('responses', service)

  const text = await (await service.ask('responses')).text()

  const { host } = new URL(service.upstream.url)
  expect(text).not.toContain(host)
  expect(text).not.toContain(host.split(':')[1])
  const { named } = JSON.parse(text) as { named: { list: { text: string }[] } }
  const expected = texts('[upstream]/v1')
  const address = `http://${host}/v1`
  expect(named.list).toHaveLength(expected.length)
  for (const [at, { before }] of texts(address).entries()) {
    const shown = named.list[at]!.text
    expect(shown.startsWith(before)).toBe(true)
    expect(shown.endsWith(` ${'b'.repeat(window)}`)).toBe(true)
    expect(shown.length).toBeLessThan(before.length + address.length + 1 + window)
  }
  expect(Object.keys(named)).toContain('at [upstream]')
})

test('a long failed reply without an address passes as it is', async () => {
  const reply = `{"status":"failed",  "id":"resp_1","output":[],"pad":"${'a'.repeat(window)}"}`
  await using service = await startService({}, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
  })
  useOnly('responses', service)
  expect(await (await service.ask('responses')).text()).toBe(reply)
})

test('an error above 1 MiB in a reply counts by its status alone', async () => {
  const error = { code: 503, message: 'overworked' }
  await using service = await startService({}, answerJson({ error, pad: 'a'.repeat(1024 * 1024) }))
  useOnly('chat', service)

  const response = await service.ask('chat')

  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({
    error: { message: 'The upstream replied with status 503.' },
  })
})

test.each([
  {
    where: 'an event',
    answer: (error: object) => answerStream([`data: ${JSON.stringify(error)}\n\n`]),
  },
  { where: 'a document in place of a stream', answer: answerJson },
])('$where whose error has more than 1 MiB counts by its status alone', async ({ answer }) => {
  const message = 'permission to access the '.repeat(45_000)
  const reply = answer({ error: { code: 503, message } })
  await using service = await startService({}, reply)
  for (const client of ['chat', 'messages'] as const) {
    useOnly('chat', service)
    const response = await service.ask(client, { stream: true })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      error: { message: 'The upstream reported an error.' },
    })
  }
})

test('an event that reports a failure at more length than can be redacted ends the stream', async () => {
  const pad = 'a'.repeat(9 * 1024 * 1024)
  const event = { type: 'response.failed', response: { ...failed, pad } }
  const frame = `event: response.failed\ndata: ${JSON.stringify(event)}\n\n`
  await using service = await startService({}, answerStream([frame]))
  useOnly('responses', service)

  const text = await (await service.ask('responses', { stream: true })).text()

  expect(text.length).toBeLessThan(10_000)
  expect(text).toContain('too long')
})

test.each([
  { what: 'reply', stream: false },
  { what: 'stream', stream: true },
])('a refusal of more than can be redacted is an error of a $what', async ({ stream }) => {
  const blockReasonMessage = 'no '.repeat(3 * 1024 * 1024)
  const reply = { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage } }
  const answer = stream ? answerStream([`data: ${JSON.stringify(reply)}\n\n`]) : answerJson(reply)
  await using service = await startService({}, answer)
  useOnly('generate', service)

  const response = await service.ask('messages', { stream })

  const text = await response.text()
  expect(response.status).toBe(stream ? 200 : 502)
  expect(text.length).toBeLessThan(10_000)
  expect(text).toContain('too long')
})

test('an event that discloses the address of its account among more values than can be written again ends the stream', async () => {
  const others = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 'v']))
  const eventOf = (place: string) =>
    answerStream([
      `event: response.failed\ndata: ${JSON.stringify({ type: 'response.failed', response: { ...failed, place, others } })}\n\n`,
    ])
  await using service = await startService({}, (response, request) =>
    eventOf(request.url === '/v1/responses' ? places.shift()! : '')(response, request),
  )
  const { host } = new URL(service.upstream.url)
  const places = ['nowhere', host]
  useOnly('responses', service)

  const whole = await (await service.ask('responses', { stream: true })).text()
  expect(whole).toContain('"k9999":"v"')
  const cut = await (await service.ask('responses', { stream: true })).text()
  expect(cut).toContain('too long')
  expect(cut).not.toContain(host)
})

test('a reply that contains the key of its account at more length than can be redacted is an error', async () => {
  await using service = await startService({}, (response, request) => {
    const key = request.headers.authorization!.replace('Bearer ', '')
    const reply = { ...failed, status: 'completed', key, pad: 'a'.repeat(17 * 1024 * 1024) }
    return answerJson(reply)(response, request)
  })
  useOnly('responses', service)

  const response = await service.ask('responses')

  expect(response.status).toBe(502)
  expect((await response.text()).length).toBeLessThan(1_000)
})
