import { PassThrough, Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { formatFrame } from '../../../src/lib/sse.ts'
import { form } from './forms.ts'
import { converse, repliesIn, requestOf } from './raw-client.ts'
import { openStream, stage } from './scripted.ts'

const { chat, messages } = form
const words = Array.from({ length: 40 }, (_, index) => ` wörd "${index}"`)

function pieceOf(text: string): string {
  return formatFrame('content_block_delta', {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text },
  })
}

/** A stream of Messages, for a client of Chat Completions. */
function slowly(plugins: GatewayPlugin[] = [], said: readonly string[] = words) {
  const pieces = said.map(pieceOf)
  return stage(
    messages,
    async (response) => {
      openStream(response)
      for (const frame of [...messages.announcements, ...pieces, ...messages.ending]) {
        response.write(frame)
        await new Promise(setImmediate)
      }
      response.end()
    },
    { plugins },
  )
}

/** The texts of a stream, which must be whole. */
function textsIn(stream: string): unknown[] {
  const events = stream.split('\n\n').map((frame) => frame.replace(/^data: /, ''))
  expect(events.slice(-2)).toEqual(['[DONE]', ''])
  return events.slice(0, -2).flatMap((event) => {
    const { choices } = JSON.parse(event) as { choices: { delta: { content?: unknown } }[] }
    return choices.flatMap(({ delta }) => delta.content || [])
  })
}

test('a translated stream is framed by its length, on a connection that goes on', async () => {
  await using scene = await slowly()
  const asked = ['keep-alive', 'close'].map((kept) => requestOf(scene.gateway, chat, '1.1', kept))
  const replies = repliesIn(await converse(scene.gateway, asked.join('')))
  expect(replies.map((chunks) => textsIn(chunks.join('')))).toEqual([words, words])
  expect(Math.max(...replies.map((chunks) => chunks.length))).toBeGreaterThan(words.length / 2)
})

test('an empty text does not end the body of a translated stream', async () => {
  // Behind words whose frames are known, room is made for it before it turns out to be empty.
  const said = words.flatMap((word, index) => (index % 5 === 4 ? [word, ''] : [word]))
  await using scene = await slowly([], said)
  const asked = requestOf(scene.gateway, chat, '1.1', 'close')
  const replies = repliesIn(await converse(scene.gateway, asked))
  expect(replies.map((chunks) => textsIn(chunks.join('')))).toEqual([words])
})

test('a client of HTTP/1.0 gets a translated stream without frames', async () => {
  await using scene = await slowly()
  const text = await converse(scene.gateway, requestOf(scene.gateway, chat, '1.0', 'close'))
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s)
  expect(head).not.toMatch(/transfer-encoding/i)
  expect(textsIn(body)).toEqual(words)
})

test('a plugin that pipes a translated stream on reads no frames', async () => {
  const read: Buffer[] = []
  const piping = definePlugin({
    name: 'piping',
    async onCall({ next }) {
      const reply = await next()
      if (!(reply.body instanceof Readable)) return reply
      const noting = new PassThrough().on('data', (bytes: Buffer) => read.push(bytes))
      return { ...reply, body: reply.body.pipe(noting) }
    },
  })
  await using scene = await slowly([piping])
  const [chunks = []] = repliesIn(
    await converse(scene.gateway, requestOf(scene.gateway, chat, '1.1', 'close')),
  )
  expect(textsIn(Buffer.concat(read).toString())).toEqual(words)
  expect(textsIn(chunks.join(''))).toEqual(words)
})
