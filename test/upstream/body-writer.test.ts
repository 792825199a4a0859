import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { BodyWriter } from '../../src/upstream/reply-stream.ts'

/** A server that has begun to answer, and a client that reads when a test wants it. */
async function startAnswer(onReady = () => {}) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request = get({ port, host: '127.0.0.1', agent: false })
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  response.writeHead(200).flushHeaders()
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  return {
    writer: new BodyWriter(response, onReady),
    response,
    async received(): Promise<string> {
      return Buffer.concat((await reply.toArray()) as Buffer[]).toString()
    },
    async [Symbol.asyncDispose]() {
      request.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a piece without bytes does not end what a client reads', async () => {
  await using answer = await startAnswer()
  for (const piece of ['one ', '', 'two ', '', 'three']) answer.writer.write(Buffer.from(piece))
  answer.writer.end()
  expect(await answer.received()).toBe('one two three')
})

test('pieces wait for the end of the turn of the event loop', async () => {
  await using answer = await startAnswer()
  const { writer, response } = answer
  writer.write(Buffer.from('one '))
  await new Promise(process.nextTick)
  writer.write(Buffer.from('two '))
  expect(response.writableCorked).toBe(1)
  await nextTurn()
  expect(response.writableCorked).toBe(0)
  writer.write(Buffer.from('three'))
  expect(response.writableCorked).toBe(1)
  await nextTurn()
  writer.end()
  expect(await answer.received()).toBe('one two three')
})

test('the end of a reply goes out at once, and leaves its connection to the next one', async () => {
  await using answer = await startAnswer()
  const { writer, response } = answer
  writer.write(Buffer.from('all'))
  writer.end()
  expect(response.writableCorked).toBe(0)
  await nextTurn()
  expect(response.writableCorked).toBe(0)
  expect(await answer.received()).toBe('all')
})

test('a client that is slow is waited for, however much is written meanwhile', async () => {
  let ready = 0
  await using answer = await startAnswer(() => ready++)
  const piece = Buffer.alloc(1024 * 1024, 'x')
  const takesMore = () => answer.writer.write(piece)
  takesMore()
  await until(() => !takesMore())
  const { socket } = answer.response
  const waiting = socket?.listenerCount('drain')
  for (let turn = 0; turn < 20; turn++) expect(takesMore()).toBe(false)
  expect(socket?.listenerCount('drain')).toBe(waiting)
  expect(ready).toBe(0)
  const received = answer.received()
  await until(() => ready > 0)
  answer.writer.end()
  expect((await received).length % piece.length).toBe(0)
})

test('small pieces also say when a client can take no more', async () => {
  await using answer = await startAnswer()
  const piece = Buffer.alloc(8 * 1024, 'x')
  const limit = 64 * 1024 * 1024
  let written = 0
  while (written < limit && answer.writer.write(piece)) written += piece.length
  expect(written).toBeLessThan(limit)
})
