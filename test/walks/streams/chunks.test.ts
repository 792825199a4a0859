import { once } from 'node:events'
import { connect } from 'node:net'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { TestGateway } from '../../../src/testing/index.ts'
import { chunkHead, chunkOf } from '../../../src/upstream/chunk.ts'
import { form, wholeStream } from './forms.ts'
import { openStream, stage } from './scripted.ts'
import { bigFrame } from './slow-reader.ts'

const chat = form.chat
const frames = wholeStream(chat)

/** What a client of one connection gets for this text, until the gateway closes it. */
async function converse({ url }: TestGateway, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  socket.on('data', (bytes: Buffer) => received.push(bytes))
  socket.write(text)
  await once(socket, 'close')
  return Buffer.concat(received).toString()
}

function requestOf({ key }: TestGateway, version: string, connection: string): string {
  const body = JSON.stringify(chat.body('m', true))
  const lines = [
    `POST ${chat.path('m', true)} HTTP/${version}`,
    'host: gateway',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `connection: ${connection}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Reads replies of a connection as RFC 9112 says, chunk by chunk. */
function repliesIn(text: string): string[][] {
  const replies: string[][] = []
  let rest = text
  while (rest !== '') {
    const [head = '', body = ''] = rest.split(/\r\n\r\n(.*)/s)
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*transfer-encoding: chunked/i)
    const chunks: string[] = []
    rest = body
    for (let size = -1; size !== 0;) {
      const [line = '', behind = ''] = rest.split(/\r\n(.*)/s)
      expect(line).toMatch(/^[\da-f]+$/)
      size = Number.parseInt(line, 16)
      const bytes = Buffer.from(behind)
      chunks.push(bytes.subarray(0, size).toString())
      expect(bytes.subarray(size, size + 2).toString()).toBe('\r\n')
      rest = bytes.subarray(size + 2).toString()
    }
    replies.push(chunks)
  }
  return replies
}

/** An account that sends one frame after the other. */
function slowly(more: readonly string[] = []) {
  return stage(chat, async (response) => {
    openStream(response)
    for (const frame of [...frames.slice(0, -1), ...more, ...frames.slice(-1)]) {
      response.write(frame)
      await new Promise(setImmediate)
    }
    response.end()
  })
}

test('a client that asks for several streams at once gets one after the other, each whole', async () => {
  await using scene = await slowly()
  const { gateway } = scene
  const asked = ['keep-alive', 'keep-alive', 'close'].map((kept) => requestOf(gateway, '1.1', kept))
  const replies = repliesIn(await converse(gateway, asked.join('')))
  expect(replies.map((chunks) => chunks.join(''))).toEqual(asked.map(() => frames.join('')))
})

test('a client of HTTP/1.0 gets the stream as it is', async () => {
  await using scene = await slowly()
  const text = await converse(scene.gateway, requestOf(scene.gateway, '1.0', 'close'))
  const [head = '', body] = text.split(/\r\n\r\n(.*)/s)
  expect(head).not.toMatch(/transfer-encoding/i)
  expect(body).toBe(frames.join(''))
})

test('frames of every size are framed by their length', async () => {
  const large = [200, 4_096, 16_000, 70_000].map((size) => bigFrame(chat, size))
  await using scene = await slowly(large)
  const [chunks = []] = repliesIn(
    await converse(scene.gateway, requestOf(scene.gateway, '1.1', 'close')),
  )
  const sent = [...frames.slice(0, -1), ...large, ...frames.slice(-1)]
  expect(chunks.join('')).toBe(sent.join(''))
})

test('a chunk tells the length of its bytes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70_000 }), (length) => {
      const head = `${length.toString(16)}\r\n`
      expect(chunkHead(length).toString()).toBe(head)
      const bytes = Buffer.alloc(length, 'x')
      const whole = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')])
      expect(chunkOf(bytes).equals(whole)).toBe(true)
    }),
  )
})
