import { expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { chunkOf, framesOf, startServer, streaming } from './server.ts'

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

test.each(['<html>data: 1</html>', 'dat', '', 'ok', '{"object":"list"}', '\n'.repeat(100)])(
  'a reply without a type that begins %j is no stream',
  async (text) => {
    await using server = await startServer((response) => void response.writeHead(200).end(text))
    const { status, text: told } = await server.ask('chat', { stream: true })
    expect(status).toBe(502)
    expect(told).toContain('did not reply with a stream')
  },
)
