import { describe, expect, test } from 'vitest'

import type { Framing } from '../../src/contract/framing.ts'
import { sse } from '../../src/dialect-kit/index.ts'
import { type Answer, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { ask, receiveUntil } from '../walks/streams/asking.ts'
import { form, type Form } from '../walks/streams/forms.ts'
import { createGate } from '../walks/streams/scripted.ts'
import { askWithoutReading, type Flood, flood } from '../walks/streams/slow-reader.ts'
import { type Event, events, framedDialect, framings } from './framed.ts'

/** A client of the framed dialect itself. */
const client: Form = { ...form.messages, path: () => '/framed/messages' }

const clients = [client, form.chat]

async function stageOf(framing: Framing, answer: Answer) {
  const account = await startFakeAccount((response, request) => {
    response.writeHead(200, { 'content-type': framing.mediaTypes[0] })
    response.flushHeaders()
    return answer(response, request)
  })
  const gateway = await createTestGateway({
    plugins: [framedDialect(framing)],
    accounts: [
      { id: 'a', provider: 'framed', baseUrl: account.url, apiKey: 'key-of-a', models: ['*'] },
    ],
    timeouts: { keepAliveMs: 100, idleMs: 30_000 },
  })
  return {
    gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

const endsWith = (keepAlive: string) => (text: string) => text.endsWith(keepAlive.repeat(2))

async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value)
  }
  return Buffer.concat(chunks)
}

/** The data of a stream's events. */
function eventsIn(framing: Framing, bytes: Buffer): unknown[] {
  const joiner = framing.join()
  const frames = Buffer.concat([
    joiner.feed(bytes) ?? Buffer.alloc(0),
    joiner.end() ?? Buffer.alloc(0),
  ])
  const found: unknown[] = []
  for (let start = 0; start < frames.length;) {
    const end = framing.frameEnd(frames, start)
    const { data } = framing.parse(frames.subarray(start, end))
    if (data !== undefined) found.push(JSON.parse(data))
    start = end
  }
  return found
}

describe.each(framings)('a stream in $name', ({ framing, write }) => {
  const frames = write(events)
  const silentAt = 3

  test('that falls silent is kept alive as the framing allows, and its events stay whole', async () => {
    const gate = createGate()
    await using scene = await stageOf(framing, async (response) => {
      response.write(Buffer.concat(frames.slice(0, silentAt)))
      await gate.opened
      response.end(Buffer.concat(frames.slice(silentAt)))
    })
    // The dialect has a keep-alive of its own among server-sent events: an event `ping`.
    const keepAlive = framing === sse ? client.keepAlive : framing.keepAlive
    const response = await ask(scene.gateway, client)
    const reader = response.body!.getReader()
    const before = keepAlive ? await receiveUntil(reader, endsWith(keepAlive)) : ''
    // Another client on the same account has been kept alive by then, in a framing that has keep-alives.
    const other = await ask(scene.gateway, form.chat)
    const otherReader = other.body!.getReader()
    await receiveUntil(otherReader, endsWith(form.chat.keepAlive))
    gate.open()

    const bytes = Buffer.concat([Buffer.from(before), await rest(reader)])
    const found = eventsIn(framing, bytes)
    expect(found.filter((event) => (event as Event).type !== 'ping')).toEqual(events)
    if (!keepAlive) expect(bytes.equals(Buffer.concat(frames))).toBe(true)
    expect((await rest(otherReader)).toString()).toMatch(form.chat.success)
  })

  test.each(clients)(
    'waits for a client of $name that reads nothing, and is whole in the end',
    async (form) => {
      const most = 24 * 1024 * 1024
      const text = 'x'.repeat(16_000)
      const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }
      const [, , , big] = write([...events.slice(0, 3), delta, ...events.slice(3)])
      const floods: Flood[] = []
      await using scene = await stageOf(framing, (response) => {
        response.write(Buffer.concat(frames.slice(0, silentAt)))
        const onDone = () => response.end(Buffer.concat(frames.slice(silentAt)))
        floods.push(flood(response, big!, { most, onDone }))
      })
      const slow = await askWithoutReading(scene.gateway, form)
      await until(() => floods[0]!.blocked)
      const other = await askWithoutReading(scene.gateway, form)
      await until(() => floods[1]!.blocked)
      other.leave()
      await until(() => floods[1]!.closed)

      expect(floods[0]!.written).toBeLessThan(most)
      expect(floods[0]!.closed).toBe(false)
      const read = await slow.read()
      expect(read.reset).toBe(false)
      expect(read.text.length).toBeGreaterThan(most)
      expect((await scene.gateway.logged(2)).map((line) => line['stream_end'])).toEqual([
        'client_gone',
        'complete',
      ])
    },
  )
})
