import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, test, vi } from 'vitest'

import { GatewayError } from '../../src/contract/errors.ts'
import type { Framing } from '../../src/contract/framing.ts'
import { eventJson } from '../../src/kit/event-json.ts'
import { eventStream } from '../../src/kit/framing/event-stream.ts'
import { jsonArray } from '../../src/kit/framing/json-array.ts'
import { ndjson } from '../../src/kit/framing/ndjson.ts'
import { sse } from '../../src/kit/framing/sse.ts'
import { type LargeEvent, largeFrameBytes, readLargeEvents } from '../../src/kit/large-events.ts'
import { readEvents } from '../../src/translate/read-events.ts'

/** For a stream of this key, which is never over unless this says so. */
const of = (keyId: string, signal = new AbortController().signal) => ({ keyId, signal })
const never = of('one')
const texts = `[${`"${'é'.repeat(50)}\\n",`.repeat(50_000)}1]`
const large = `{"type":"a","texts":${texts}}`
const small = '{"type":"b"}'

function framed(framing: Framing, ...events: string[]): Buffer {
  const encoder = framing.encode()
  return Buffer.concat(
    events.map((data) => Buffer.from(encoder.frame({ name: 'named', data }) as string)),
  )
}

test.each(Object.entries({ sse, ndjson, jsonArray, eventStream }))(
  'large events of %s are what one parse makes of them, small ones are left',
  async (_, framing) => {
    const frames = framed(framing, small, large, small, large)
    const events = await readLargeEvents(frames, framing, never)
    const first = framing.frameEnd(frames, 0)
    const third = framing.frameEnd(frames, first)
    expect([...events.keys()]).toEqual([first, framing.frameEnd(frames, third)])
    for (const [start, { json, end, ...event }] of events) {
      expect(end).toBe(framing.frameEnd(frames, start))
      expect(event).toEqual(framing.parse(frames.subarray(start, end)))
      expect(json).toEqual(eventJson(large))
      expect(JSON.stringify(json)).toBe(large)
    }
  },
)

test.each([
  ['cut off', large.slice(0, -1)],
  ['no object', `"${'x'.repeat(largeFrameBytes)}"`],
  ['no JSON', 'x'.repeat(largeFrameBytes)],
  ['of too many values', `{"a":[${'1,'.repeat(largeFrameBytes / 2)}1]}`],
  ['nested too deeply', `{"a":${'['.repeat(300)}${']'.repeat(300)},"b":${texts}}`],
  ['with a number that is too long', `{"a":${'1'.repeat(largeFrameBytes)}}`],
])('a large event that is %s has the error of a small one', async (_, data) => {
  const events = await readLargeEvents(framed(sse, data), sse, never)
  const { json } = events.get(0)!
  const { code, message } = eventJson(data) as GatewayError
  expect(json).toBeInstanceOf(GatewayError)
  expect(json).toMatchObject({ code, message })
})

const pad = 'x'.repeat(largeFrameBytes)

test.each([
  ['a carriage return inside', sse, `data: {"a":1,\r"pad":"${pad}"}\n\n`],
  ['a carriage return before a line of data', sse, `data: {"a":1,\rdata: "pad":"${pad}"}\n\n`],
  ['two lines of data', sse, `data: {"a":1,\ndata: "pad":"${pad}"}\n\n`],
  ['a mark of byte order', ndjson, `\uFEFF{"pad":"${pad}"}\n`],
  ['a space that does not break', ndjson, `\u00A0{"pad":"${pad}"}\n`],
])('a large event with %s is read as a small one', async (_, framing, text) => {
  const frame = Buffer.from(text)
  const events = await readLargeEvents(frame, framing, never)
  expect(events.get(0)?.json).toEqual(eventJson(framing.parse(frame).data ?? ''))
})

test('a large event is parsed in small parts, each in a turn of the event loop', async () => {
  using parse = vi.spyOn(JSON, 'parse')
  let turns = 0
  const reading = readLargeEvents(framed(sse, `{"texts":[${`${texts},`.repeat(4)}1]}`), sse, never)
  while ((await Promise.race([reading, nextTurn('later')])) === 'later') turns++
  expect(turns).toBeGreaterThan(5)
  expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(
    largeFrameBytes / 4,
  )
})

test('a large event is read between those before and behind it', async () => {
  const frames = framed(sse, '{"at":1}', '{"at":2}', large, '{"at":3}', large)
  const read: string[] = []
  const sink = {
    data: (data: string) => void read.push(data),
    large: ({ data }: LargeEvent) => void read.push(data),
    done: () => {},
  }
  readEvents(frames, sink, sse, await readLargeEvents(frames, sse, never))
  expect(read).toEqual(['{"at":1}', '{"at":2}', large, '{"at":3}', large])
})

/** A framing that tells when it decodes a frame. */
function noting(name: string, steps: string[]): Framing {
  return {
    ...sse,
    parse(frame) {
      steps.push(`${name} begins`)
      return sse.parse(frame)
    },
  }
}

/** Reads a large event of each stream at the same time. Returns when each began and ended. */
async function readTogether(streams: readonly ReturnType<typeof of>[]): Promise<string[]> {
  const steps: string[] = []
  const frames = framed(sse, large)
  const reads = streams.map(async (stream, at) => {
    const name = `${at} of ${stream.keyId}`
    await readLargeEvents(frames, noting(name, steps), stream)
    steps.push(`${name} ends`)
  })
  await Promise.all(reads)
  return steps
}

test('large events of several streams are parsed one after another', async () => {
  expect(await readTogether([of('one'), of('one')])).toEqual([
    '0 of one begins',
    '0 of one ends',
    '1 of one begins',
    '1 of one ends',
  ])
})

test('keys take turns with their large events, however many streams each has', async () => {
  const steps = await readTogether(['one', 'one', 'one', 'two', 'two', 'three'].map((id) => of(id)))
  const begun = steps.filter((step) => step.endsWith('begins')).map((step) => step.split(' ')[2])
  expect(begun).toEqual(['one', 'two', 'one', 'three', 'two', 'one'])
})

test('a large event of a stream that is over is not parsed', async () => {
  const steps: string[] = []
  const leaving = new AbortController()
  const frames = framed(sse, large)
  const first = readLargeEvents(frames, sse, never)
  const second = readLargeEvents(frames, noting('second', steps), of('one', leaving.signal))
  leaving.abort()
  await expect(second).rejects.toThrow('aborted')
  await first
  expect(steps).toEqual([])
})

test('a stream that ends while its event is parsed lets the next one begin at once', async () => {
  const leaving = new AbortController()
  const long = framed(sse, `{"texts":[${`${texts},`.repeat(4)}1]}`)
  using parse = vi.spyOn(JSON, 'parse')
  const first = readLargeEvents(long, sse, of('one', leaving.signal))
  while (parse.mock.calls.length === 0) await nextTurn()
  leaving.abort()
  await expect(first).rejects.toThrow('aborted')
  const parsed = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0)
  expect(parsed).toBeLessThan(long.length / 2)
  expect((await readLargeEvents(framed(sse, large), sse, never)).size).toBe(1)
})

test('a large event of a frame that passes unread is not parsed', async () => {
  const frames = framed(sse, large, large)
  const events = await readLargeEvents(frames, sse, never, (start) => start === 0)
  expect([...events.keys()]).toEqual([sse.frameEnd(frames, 0)])
})
