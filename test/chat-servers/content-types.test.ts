import { expect, test } from 'vitest'

import { type Answer, answerJson, answerStream } from '../../src/testing/fake-account.ts'
import { dialectNames } from '../translate/clients/index.ts'
import { form, wholeStream } from '../walks/streams/forms.ts'
import { chunkOf, completionOf, framesOf, startServer, streaming } from './server.ts'

const chunks = [chunkOf({ role: 'assistant', content: '4' }, null), chunkOf({}, 'stop'), '[DONE]']

test.each(['', 'application/json', 'text/plain; charset=utf-8'])(
  'a stream of the type %j is one, by its first bytes',
  async (type) => {
    await using server = await startServer(streaming(chunks, type))
    for (let call = 0; call < 6; call++) {
      const native = await server.ask('chat', { stream: true })
      expect(native).toMatchObject({ status: 200, text: framesOf(chunks) })
    }
    const foreign = await server.ask('messages', { stream: true })
    expect(foreign.read()).toMatchObject({ text: '4', stop: 'end_turn' })
  },
)

test.each([': hello\n\n', '\n\r\n', 'retry: 5\n\n'])(
  'a stream without a type may begin with %j, and byte by byte',
  async (start) => {
    const bytes = Buffer.from(start + framesOf(chunks))
    const slowly: Answer = async (response) => {
      response.writeHead(200)
      for (const byte of bytes.subarray(0, 12)) {
        response.write(Buffer.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end(bytes.subarray(12))
    }
    await using server = await startServer(slowly)
    const { read } = await server.ask('messages', { stream: true })
    expect(read()).toMatchObject({ text: '4', stop: 'end_turn' })
  },
)

test.each(['<html>data: 1</html>', 'dat', '', 'ok', '[{}]', '\n'.repeat(2_000)])(
  'a reply without a type that begins %j is no stream',
  async (text) => {
    await using server = await startServer((response) => void response.writeHead(200).end(text))
    const { status, text: told } = await server.ask('chat', { stream: true })
    expect(status).toBe(502)
    expect(told).toContain('did not reply with a stream')
  },
)

const marked = (text: string) => `\uFEFF${text}`

test.each(['chat', 'messages', 'responses', 'generate'] as const)(
  'a byte order mark before a stream of a %s account takes no event away',
  async (dialect) => {
    const stream = wholeStream(form[dialect]).join('')
    await using server = await startServer(answerStream([marked(stream)]), dialect)
    const { text } = await server.ask(dialect, { stream: true })
    // SDKs of Gemini read nothing but events.
    expect(text).toBe(dialect === 'generate' ? stream : marked(stream))
    for (const client of dialectNames) {
      const { read } = await server.ask(client, { stream: true })
      if (client !== dialect)
        expect(read()).toMatchObject({
          text: expect.stringMatching(/^Hello there/),
          ending: 'complete',
        })
    }
  },
)

test('a byte order mark may arrive byte by byte, and behind a keep-alive it is left out', async () => {
  const bytes = Buffer.from(marked(framesOf(chunks)))
  const slowly: Answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    for (const byte of bytes.subarray(0, 5)) {
      response.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end(bytes.subarray(5))
  }
  await using server = await startServer(slowly, 'chat', { timeouts: { keepAliveMs: 100 } })
  const { text } = await server.ask('chat', { stream: true })
  expect(text).toMatch(/^: keep-alive/)
  expect(text.replaceAll(': keep-alive\n\n', '')).toBe(framesOf(chunks))
})

test('a JSON reply may begin with a byte order mark', async () => {
  const reply = JSON.stringify(completionOf({ content: '4' }, 'stop'))
  await using server = await startServer(answerJson(marked(reply)))
  expect(await server.ask('chat')).toMatchObject({ status: 200, text: reply })
  expect((await server.ask('messages')).read()).toMatchObject({ text: '4' })
  expect((await server.ask('chat', { stream: true })).read()).toMatchObject({ text: '4' })
})
