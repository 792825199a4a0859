import { gzipSync, zstdCompressSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { ask, receive, receiveUntil } from './asking.ts'
import { form } from './forms.ts'
import { startEnding } from './ending-account.ts'
import { accountFor, openStream } from './scripted.ts'

const MiB = 1024 * 1024

function chunk(content: string, more = ''): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }]
  const fields = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices }
  return `data: {${more}${JSON.stringify(fields).slice(1)}\n\n`
}

const last =
  chunk('').replace('"finish_reason":null', '"finish_reason":"stop"') + 'data: [DONE]\n\n'
const large = `"more":[${`"${'x'.repeat(100)}",`.repeat(42_000)}1],`
const small = `"more":"${'y'.repeat(8_000)}",`

const rounds = 4
const perRound = 100

/** Writes numbered texts in large events and in many small ones behind each of them. */
async function writeTexts(response: Parameters<typeof openStream>[0]): Promise<void> {
  // So much that a client of Responses, who gets all texts again, needs memory.
  response.write(chunk('T'.repeat(4.5 * MiB)))
  for (let round = 0; round < rounds; round++) {
    const texts = Array.from({ length: perRound }, (_, at) => `<${round * perRound + at}>`)
    const [first = '', ...others] = texts
    const written = chunk(first, large) + others.map((text) => chunk(text, small)).join('')
    if (!response.write(written) && !response.destroyed) {
      await new Promise<void>((resolve) => {
        response.once('drain', resolve).once('close', resolve)
      })
    }
  }
  response.end(last)
}

/** Reads to the end of the last event. It is large: to search all of the text with each chunk would take long. */
async function receiveEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let [text, near, isLast] = ['', '', false]
  while (!isLast || !near.endsWith('\n\n')) {
    const { value, done } = await reader.read()
    if (done) throw new Error('The reply ended before its last event.')
    const chunk = Buffer.from(value).toString()
    text += chunk
    near = near.slice(-100) + chunk
    isLast ||= /response\.(completed|failed)/.test(near)
  }
  return text
}

test('texts around large events keep their order while the stream waits for memory', async () => {
  const freed = Promise.withResolvers<void>()
  await using account = await startFakeAccount(async (response, { body }) => {
    openStream(response)
    if (!body.toString().includes('take memory')) return writeTexts(response)
    response.write(`${chunk('hi')}data: {"x":"${'x'.repeat(22 * MiB)}`)
    await freed.promise
    response.destroy()
  })
  await using gateway = await createTestGateway({
    keys: ['one', 'two'].map((id) => ({ id, secret: id })),
    limits: { memoryBytes: 100 * MiB, replyBytes: 400 * MiB },
    accounts: [accountFor(form.chat, 'a', account.url, { speaks: ['chat'] })],
  })
  const call = (key: string, path: string, body: object) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', stream: true, ...body }),
    })
  const messages = [{ role: 'user', content: 'take memory' }]
  const other = call('two', '/v1/chat/completions', { messages }).then(receive)
  await until(() => gateway.gateway.held() > 22 * MiB)

  const response = await call('one', '/v1/responses', { input: 'hello' })
  const reader = response.body!.getReader()
  let text = await receiveUntil(reader, (begun) => begun.includes('TTT'))
  freed.resolve()
  text += await receiveEnd(reader)
  const numbers = [...text.matchAll(/"delta":"((?:<\d+>)+)"/g)].flatMap(([, texts = '']) =>
    [...texts.matchAll(/\d+/g)].map(Number),
  )
  expect(numbers).toEqual(Array.from({ length: rounds * perRound }, (_, at) => at))
  expect(text).toContain('response.completed')
  await reader.cancel()
  await other
})

test('frames behind a large event that came alone are read as they are', async () => {
  const isRead = Promise.withResolvers<void>()
  const frames = [chunk('first', large), last]
  await using account = await startFakeAccount(async (response) => {
    openStream(response, [frames[0]!])
    await isRead.promise
    response.end(frames.slice(1).join(''))
  })
  await using gateway = await createTestGateway({
    accounts: [accountFor(form.chat, 'a', account.url)],
  })
  const response = await ask(gateway, form.chat)
  const reader = response.body!.getReader()
  const begun = await receiveUntil(reader, (text) => text.endsWith('}\n\n'))
  isRead.resolve()
  const rest = await receiveUntil(reader, (text) => text.includes('[DONE]'))
  expect(begun + rest === frames.join('')).toBe(true)
})

test.each([
  ['few', 3],
  ['many', 50],
])(
  'what comes while a large event waits is read behind it, in its order: %s frames and the end',
  async (_, count) => {
    const numbered = Array.from({ length: count }, (_, at) => chunk(`<${at}>`, small))
    const events = [chunk('first', large), ...numbered, last]
    await using account = await startEnding(events[0]!, { later: events.slice(1) })
    await using gateway = await createTestGateway({
      accounts: [accountFor(form.chat, 'a', account.url)],
    })
    const call = ask(gateway, form.chat)
    await until(() => gateway.gateway.held() > events[0]!.length)
    account.end()
    await account.written
    const { text } = await receive(await call)
    expect(text === events.join('')).toBe(true)
    expect(await gateway.logged(1)).toMatchObject([{ stream_end: 'complete' }])
  },
)

test('what a reset connection leaves is read behind the large event before it', async () => {
  const events = [chunk('first', large), chunk('second'), last]
  await using account = await startEnding(events[0]!, {
    behind: events.slice(1).join(''),
    resets: true,
  })
  await using gateway = await createTestGateway({
    accounts: [accountFor(form.chat, 'a', account.url)],
  })
  const call = ask(gateway, form.chat)
  // The gateway has all of the large event but its end.
  await until(() => gateway.gateway.held() > events[0]!.length)
  account.end()
  const { text } = await receive(await call)
  expect(text === events.join('')).toBe(true)
  expect(await gateway.logged(1)).toMatchObject([{ stream_end: 'complete' }])
})

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
])('frames around a large event are read in their order in %s', async (coding, compress) => {
  const numbered = (from: number) =>
    Array.from({ length: 30 }, (_, at) => chunk(`<${from + at}>`, small))
  const frames = [
    chunk('first', large),
    ...numbered(0),
    chunk('next', large),
    ...numbered(30),
    last,
  ]
  await using account = await startFakeAccount((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': coding })
    response.end(compress(frames.join('')))
  })
  await using gateway = await createTestGateway({
    accounts: [accountFor(form.chat, 'a', account.url)],
  })
  const { text } = await receive(await ask(gateway, form.chat))
  expect(text === frames.join('')).toBe(true)
  expect(await gateway.logged(1)).toMatchObject([{ stream_end: 'complete' }])
})
