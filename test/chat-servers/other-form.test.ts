import { expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { type Answer, answerJson, answerStream } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { type DialectName, dialectNames } from '../translate/clients/index.ts'
import { ask } from '../walks/streams/asking.ts'
import { form, wholeStream } from '../walks/streams/forms.ts'
import { accountFor } from '../walks/streams/scripted.ts'
import { chunkOf, completionOf, framesOf, startServer } from './server.ts'

const pairs = dialectNames.flatMap((account) =>
  dialectNames.map((client): [DialectName, DialectName] => [account, client]),
)
const sseType = { 'content-type': 'text/event-stream' }

/** More failures than open a circuit. */
const often = Array.from({ length: 6 })

const streamOf = (account: DialectName) => wholeStream(form[account]).join('')

test.each(dailyRows(pairs))(
  'a JSON reply of a %s account is a stream for a %s client that asks for one',
  async (account, client) => {
    await using server = await startServer(answerJson(form[account].reply), account)
    for (const _ of often) {
      const { status, read } = await server.ask(client, { stream: true })
      expect(status).toBe(200)
      expect(read()).toMatchObject({ text: expect.stringMatching(/^Hello there\.?$/) })
    }
  },
)

test.each(dailyRows(pairs, 1))(
  'a stream of a %s account is one reply for a %s client that asks for JSON',
  async (account, client) => {
    await using server = await startServer(answerStream([streamOf(account)]), account)
    for (const _ of often) {
      const { status, read } = await server.ask(client)
      expect(status).toBe(200)
      expect(read()).toMatchObject({ text: expect.stringMatching(/^Hello there\.?$/) })
    }
  },
)

const call = { id: 'c1', type: 'function', function: { name: 'get', arguments: '{"city":"Rome"}' } }
const calling = completionOf({ content: null, tool_calls: [call] }, 'tool_calls')

test.each(dialectNames)(
  'calls and counts of a document reach a %s client of streams',
  async (client) => {
    await using server = await startServer(answerJson(calling))
    const fields = client === 'chat' ? { stream_options: { include_usage: true } } : {}
    const { read } = await server.ask(client, { stream: true, fields })
    const { calls, usage, ending } = read()
    expect(calls).toMatchObject([{ name: 'get', input: { city: 'Rome' } }])
    expect([usage.input, usage.output, ending]).toEqual([5, 3, 'complete'])
  },
)

test('a native document may come in pieces, behind blanks, as an event stream by its type, after keep-alives', async () => {
  const bytes = Buffer.from(`${'\n'.repeat(300)}${JSON.stringify(calling)}`)
  const slowly: Answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(bytes.subarray(0, 299))
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    for (const byte of bytes.subarray(299, 310)) {
      response.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end(bytes.subarray(310))
  }
  const options = { timeouts: { keepAliveMs: 100 } }
  await using server = await startServer(slowly, 'chat', options)
  for (const content of ['hello', 'x'.repeat(200_000)]) {
    const fields = { messages: [{ role: 'user', content }] }
    const { text, read } = await server.ask('chat', { stream: true, fields })
    expect(text).toMatch(/^: keep-alive/)
    expect(read()).toMatchObject({ calls: [{ name: 'get' }], stop: 'tool_calls' })
  }
  expect(server.gateway.gateway.held()).toBe(0)
})

test('the bytes of a request are let go while its client does not take the events of a document', async () => {
  const bytes = 12 * 1024 * 1024
  const reply = completionOf({ content: 'y'.repeat(bytes) }, 'stop')
  await using server = await startServer(answerJson(reply))
  const asked = async (content: string) => {
    const leaving = new AbortController()
    const fields = { messages: [{ role: 'user', content }] }
    await ask(server.gateway, form.chat, { fields, signal: leaving.signal })
    const held = server.gateway.gateway.held()
    leaving.abort()
    await until(() => server.gateway.gateway.held() === 0)
    return held
  }
  const beside = await asked('hello')
  expect(beside).toBeGreaterThan(bytes)
  // The translation goes on to use the request in its neutral form and the values that it was made from.
  expect(await asked('x'.repeat(bytes))).toBeLessThan(beside + 2.5 * bytes)
})

test('the bytes of a translated request are let go while its client gets keep-alives', async () => {
  const bytes = 4 * 1024 * 1024
  const waiting: Answer = (response) => response.writeHead(200, sseType).flushHeaders()
  await using server = await startServer(waiting, 'chat', { timeouts: { keepAliveMs: 50 } })
  const leaving = new AbortController()
  const fields = { messages: [{ role: 'user', content: 'x'.repeat(bytes) }] }
  await ask(server.gateway, form.messages, { fields, signal: leaving.signal })
  // The translation goes on to use the request in its neutral form and the values that it was made from.
  await until(() => server.gateway.gateway.held() < 2.5 * bytes)
  leaving.abort()
})

test.each([
  ['half a document', '{"id":"c1","choices":[{"message":{"content":"4"'],
  ['another document', '{"object":"list"}'],
  ['an error', '{"error":{"message":"no capacity","code":503}}'],
])(
  '%s in place of a stream is an error of its client, and another account serves the call',
  async (_, text) => {
    await using server = await startServer(answerJson(text))
    for (const client of dialectNames) {
      const { status, text: told } = await server.ask(client, { stream: true })
      expect(status).toBeGreaterThanOrEqual(502)
      expect(JSON.parse(told)).toHaveProperty('error.message')
    }
    await using good = await startServer(answerJson(calling))
    await using both = await createTestGateway({
      accounts: [server, good].map(({ account }, index) => ({
        ...accountFor(form.chat, `${index}`, account.url),
        speaks: ['chat'],
        priority: index,
      })),
    })
    const reply = await ask(both, form.messages, { stream: true })
    expect(await reply.text()).toContain('"name":"get"')
  },
)

test.each([
  ['that is cut off', framesOf([chunkOf({ content: '4' }, null)])],
  ['with half a frame', framesOf([chunkOf({ content: '4' }, null)]) + 'data: {"choices":[{'],
  ['with an error', framesOf([{ error: { message: 'no capacity', code: 503 } }])],
])('a stream %s in place of a document is an error of its client', async (_, text) => {
  await using server = await startServer(answerStream([text]))
  for (const client of dialectNames) {
    const { status, text: told } = await server.ask(client)
    expect(status).toBeGreaterThanOrEqual(502)
    expect(JSON.parse(told)).toHaveProperty('error.message')
  }
})

test('the key of the account does not reach a client in pieces of a collected stream', async () => {
  const pieces = ['the key: key-', 'of-', 'the-only.']
  const stream = [
    ...pieces.map((content) => chunkOf({ content }, null)),
    chunkOf({}, 'stop'),
    '[DONE]',
  ]
  await using server = await startServer(answerStream([framesOf(stream)]))
  for (const client of dialectNames) {
    const { read } = await server.ask(client)
    expect(read().text).toBe('the key: [secret].')
  }
})

test('a native request that the codec cannot read leaves a document unread, and blames no caller', async () => {
  await using server = await startServer(answerJson(calling))
  const fields = { messages: [{ role: 'user', content: [{ type: 'hologram' }] }] }
  const { status, text } = await server.ask('chat', { stream: true, fields })
  expect(status).toBe(502)
  expect(text).toContain('a form that the request does not ask for')
})

test.each(['chat', 'messages'] as const)(
  'a document of more than 32 MiB in place of a stream is an error for a %s client',
  async (client) => {
    const content = 'y'.repeat(32 * 1024 * 1024)
    await using server = await startServer(answerJson(completionOf({ content }, 'stop')))
    const { status, text } = await server.ask(client, { stream: true })
    expect(status).toBe(502)
    expect(text).toContain("The upstream's reply is too large.")
  },
)
