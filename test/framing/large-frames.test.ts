import { crc32 } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import type { Framing } from '../../src/contract/framing.ts'
import { eventStream, jsonArray, sse } from '../../src/dialect-kit/index.ts'
import { form } from '../walks/streams/forms.ts'
import { type Event, events, framings } from './framed.ts'
import { notBroken, stageOf } from './stage.ts'

/** A client of the framed dialect itself. */
const client = { ...form.messages, path: () => '/framed/messages' }

const filler = 'é'.repeat(1_000)

const carriesLines = (framing: Framing) => framing === jsonArray || framing === eventStream

/** The first event with more members, on lines where its framing carries them. */
function largeEvent(framing: Framing, count: number, lineEnd: string): string {
  const between = carriesLines(framing) ? `,${lineEnd}` : ','
  const more = Array.from({ length: count }, () => JSON.stringify(filler)).join(between)
  return JSON.stringify(events[0]).replace('{', () => `{"more":[${more}],`)
}

/** A stream with this first event. Those of lines and arrays have no names. */
function streamOf(framing: Framing, first: string, hasNames = true): Buffer {
  const encoder = framing.encode()
  const data = [first, ...events.slice(1).map((event) => JSON.stringify(event))]
  const frames = data.map((data, at) =>
    encoder.frame({ name: hasNames ? events[at]!.type : '', data }),
  )
  return Buffer.concat([...frames, encoder.end()].map((frame) => Buffer.from(frame as Buffer)))
}

const pairs = framings.flatMap((from) => framings.map((to) => ({ from, to })))

const rows = [
  { size: 'small', count: 3, lineEnd: '\n' },
  { size: 'large', count: 700, lineEnd: '\r\n' },
  { size: 'large', count: 700, lineEnd: '\r' },
]

describe.each(dailyRows(pairs))('$from.name for a client of $to.name', ({ from, to }) => {
  // Others carry no line ends within an event.
  test.each(carriesLines(from.framing) ? rows : rows.slice(0, 2))(
    'have the same bytes for a $size event',
    async ({ count, lineEnd }) => {
      for (const replyModel of ['account', 'client'] as const) {
        await using stage = await stageOf(from, { toClients: to.framing, replyModel })
        const first = largeEvent(from.framing, count, lineEnd)
        const served = await stage.serve(client, { writes: [streamOf(from.framing, first)] })
        const named =
          replyModel === 'client' ? first.replace('"model":"m"', '"model":"house/0"') : first
        const shown = from === to ? named : named.replaceAll(/[\r\n]/g, ' ')
        expect(served).toMatchObject({ status: 200, streamEnd: 'complete' })
        const hasNames = from.framing === sse || from.framing === eventStream
        expect(served.bytes.equals(streamOf(to.framing, shown, hasNames))).toBe(true)
      }
    },
  )
})

describe.each(framings)('a large last frame of $name', (framed) => {
  const last = { type: 'message_stop', more: Array<string>(700).fill(filler) } as Event
  const whole = Buffer.concat(framed.write([...events.slice(0, -1), last]))

  test('is whole without an end that it can lack', async () => {
    await using stage = await stageOf(framed)
    for (let cut = 1; cut <= framed.spare; cut++) {
      const served = await stage.serve(client, { writes: [whole.subarray(0, -cut)] })
      expect(served).toMatchObject({ status: 200, streamEnd: 'complete' })
      expect(served.text.trimEnd() === whole.toString().trimEnd()).toBe(true)
    }
  })

  test('is no success where it is cut off', async () => {
    await using stage = await stageOf(framed)
    for (const cut of [framed.spare + 1, framed.spare + 20]) {
      const served = await stage.serve(client, { writes: [whole.subarray(0, -cut)] })
      expect(served.streamEnd).toBe('broken')
      if (framed.spare > 0) expect(served.text).toContain('cut off in the middle of a frame')
    }
  })
})

describe('an AWS message of more than 24 MiB', () => {
  const messages = framings.find(({ name }) => name === 'AWS messages')!
  const large = { type: 'content_block_delta', more: 'x'.repeat(24 * 1024 * 1024) } as Event

  test('is not read', async () => {
    await using stage = await stageOf(messages)
    const [first] = messages.write(events)
    const length = Buffer.byteLength(JSON.stringify(large)) + 200
    const prelude = Buffer.alloc(12)
    prelude.writeUInt32BE(length, 0)
    prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
    const served = await stage.serve(client, { writes: [first!, prelude], stays: true })
    expect(notBroken(client, served)).toBeUndefined()
    expect(served.text).toContain('A frame of the stream is too large.')
  })

  test('is not written', async () => {
    const lines = framings.find(({ name }) => name === 'lines')!
    await using stage = await stageOf(lines, { toClients: eventStream })
    const writes = [Buffer.concat(lines.write([...events.slice(0, 3), large]))]
    const served = await stage.serve(client, { writes })
    expect(served.streamEnd).toBe('broken')
    expect(served.text).toContain('A frame of the stream is too large.')
  })
})
