import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { chunkHead, chunkOf } from '../../../src/upstream/reply-stream.ts'
import { form, wholeStream } from './forms.ts'
import { converse, repliesIn, requestOf } from './raw-client.ts'
import { openStream, stage } from './scripted.ts'
import { bigFrame } from './slow-reader.ts'

const chat = form.chat
const frames = wholeStream(chat)

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
  const asked = ['keep-alive', 'keep-alive', 'close'].map((kept) =>
    requestOf(gateway, chat, '1.1', kept),
  )
  const replies = repliesIn(await converse(gateway, asked.join('')))
  expect(replies.map((chunks) => chunks.join(''))).toEqual(asked.map(() => frames.join('')))
})

test('a client of HTTP/1.0 gets the stream as it is', async () => {
  await using scene = await slowly()
  const text = await converse(scene.gateway, requestOf(scene.gateway, chat, '1.0', 'close'))
  const [head = '', body] = text.split(/\r\n\r\n(.*)/s)
  expect(head).not.toMatch(/transfer-encoding/i)
  expect(body).toBe(frames.join(''))
})

test('frames of every size are framed by their length', async () => {
  const large = [200, 4_096, 16_000, 70_000].map((size) => bigFrame(chat, size))
  await using scene = await slowly(large)
  const [chunks = []] = repliesIn(
    await converse(scene.gateway, requestOf(scene.gateway, chat, '1.1', 'close')),
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
