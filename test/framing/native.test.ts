import { describe, expect, test } from 'vitest'

import { isWholeRun } from '../daily-rows.ts'
import type { Form } from '../walks/streams/forms.ts'
import { forms } from '../walks/streams/forms.ts'
import { events, framings, readAwsMessage } from './framed.ts'
import { stageOf } from './stage.ts'

/** A client of the framed dialect itself. */
const client: Form = {
  ...forms.find(({ name }) => name === 'messages')!,
  path: () => '/framed/messages',
}

describe.each(framings)('a client and an account that both stream in $name', (framed) => {
  const frames = framed.write(events)
  const whole = Buffer.concat(frames)

  test('exchange the same bytes', async () => {
    await using stage = await stageOf(framed)
    for (const writes of [frames, [whole], Array.from(whole, (byte) => Buffer.from([byte]))]) {
      const served = await stage.serve(client, { writes })
      expect(served).toMatchObject({ status: 200, streamEnd: 'complete' })
      expect(served.bytes.equals(whole)).toBe(true)
      expect(served.type).toBe(framed.framing.contentType)
    }
    expect(stage.account.requests[0]!.headers.accept).toBe(framed.framing.mediaTypes[0])
  })

  test('see no success in a stream that ends early', async () => {
    await using stage = await stageOf(framed, { calls: whole.length })
    for (let length = 0; length < whole.length - framed.spare; length += isWholeRun ? 7 : 21) {
      const served = await stage.serve(client, { writes: [whole.subarray(0, length)] })
      expect(served.status === 200 ? served.streamEnd : 'broken', `${length}`).toBe('broken')
    }
  })

  test('name the model as the configuration says, in whole frames', async () => {
    await using stage = await stageOf(framed, { replyModel: 'client' })
    const served = await stage.serve(client, { writes: frames })
    const joiner = framed.framing.join()
    const read = joiner.feed(served.bytes)!
    joiner.end()
    const first = read.subarray(0, framed.framing.frameEnd(read, 0))
    const { data } = framed.framing.parse(first)
    expect(JSON.parse(data!)).toMatchObject({ message: { model: 'house/0' } })
  })

  test('take the same events whoever frames them', () => {
    const encoder = framed.framing.encode()
    const written = [
      ...events.map((event) => encoder.frame({ name: event.type, data: JSON.stringify(event) })),
      encoder.end(),
    ]
    expect(Buffer.concat(written.map((frame) => Buffer.from(frame as string)))).toEqual(whole)
  })
})

test('the official library of AWS reads what the gateway writes', () => {
  const framed = framings.find(({ name }) => name === 'AWS messages')!
  const message = framed.framing
    .encode()
    .frame({ name: 'throttlingException', data: '{"message":"Grüezi"}', isError: true })
  const { headers, data } = readAwsMessage(message as Buffer)
  expect(headers[':exception-type']!.value).toBe('throttlingException')
  expect(headers[':message-type']!.value).toBe('exception')
  expect(data).toBe('{"message":"Grüezi"}')
})

test.each([32_768, 70_000])(
  'a name of %i bytes, which no AWS message can have, breaks the stream',
  async (length) => {
    const [from, to] = ['server-sent events', 'AWS messages'].map((name) =>
      framings.find((framed) => framed.name === name)!,
    )
    await using stage = await stageOf(from!, { toClients: to!.framing })
    const [start, ...rest] = from!.write(events)
    const named = start!.toString().replace(/^event: .*/, `event: ${'x'.repeat(length)}`)
    const served = await stage.serve(client, { writes: [Buffer.from(named), ...rest] })
    expect(served.status).toBe(502)
    expect(served.text).toContain('the name of an event is too long')
  },
)
