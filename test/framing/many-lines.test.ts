import { describe, expect, test } from 'vitest'

import { forms } from '../walks/streams/forms.ts'
import { eventStream, jsonArray, sse } from '../../src/dialect-kit/index.ts'
import { type Framed, events, framings } from './framed.ts'
import { stageOf } from './stage.ts'

const framedAs = (name: string) => framings.find((framed) => framed.name === name)!
const serverSent = framedAs('server-sent events')
const clients = forms.filter(({ name }) => name !== 'generate-array')

/** An event whose data is in as many lines as its JSON is padded with. */
function eventOf(lines: number, line: string): Buffer {
  return Buffer.from(`event: message_start\ndata: {\n${line.repeat(lines)}data: }\n\n`)
}

/** A client of the framed dialect itself. */
const client = {
  ...clients.find(({ name }) => name === 'messages')!,
  path: () => '/framed/messages',
}

describe.each([
  { what: 'data', line: 'data:\n' },
  { what: 'comments', line: ':\n' },
  { what: 'CR', line: 'data:\r' },
])('an event of $what in too many lines', ({ line }) => {
  test.each(clients)('is an error for a client of $name', async (form) => {
    await using stage = await stageOf(serverSent)
    const served = await stage.serve(form, { writes: [eventOf(100_000, line)], stays: true })
    expect(served.status).toBe(502)
    expect(served.text).toContain('A frame of the stream has too many lines.')
  })
})

test('an event of 9 MiB on a thousand lines is an error, and on one line it is read', async () => {
  await using stage = await stageOf(serverSent)
  const [start, ...rest] = serverSent.write(events)
  const padded = (line: string) =>
    Buffer.from(start!.toString().replace('data: {', `data: {${line.repeat(9)}`))
  const lined = `${' '.repeat(8 * 1024)}\ndata: `.repeat(128)
  const whole = { writes: [padded(' '.repeat(800 * 1024)), ...rest] }
  expect(await stage.serve(client, whole)).toMatchObject({ status: 200, streamEnd: 'complete' })
  const served = await stage.serve(client, { writes: [padded(lined)], stays: true })
  expect(served.text).toContain('A frame of the stream has too many lines.')
})

test('events of many lines each are read, however many lines they have together', async () => {
  await using stage = await stageOf(serverSent)
  const [start, ...rest] = serverSent.write(events)
  const inLines = Buffer.from(
    start!.toString().replace('data: {', `data: {\n${'data:\n'.repeat(12_000)}data: `),
  )
  for (const form of clients) {
    const served = await stage.serve(form, { writes: [inLines, inLines, inLines, ...rest] })
    expect(served).toMatchObject({ status: 200, streamEnd: 'complete' })
    expect(served.text).toContain('Grüezi')
  }
})

test.each(['AWS messages', 'an array'])(
  'line ends in the JSON of %s end no line for clients of events',
  async (name) => {
    const framed = framedAs(name)
    await using stage = await stageOf(framed, { toClients: sse })
    const [start, ...rest] = framed.write(events)
    const spaced = inLines(framed, 18_000)
    const plain = await stage.serve(client, { writes: [start!, ...rest] })
    const served = await stage.serve(client, { writes: [spaced, ...rest] })
    expect(served).toMatchObject({ status: 200, streamEnd: 'complete' })
    expect(served.text.replaceAll(/ {2,}/g, '')).toBe(plain.text)
  },
)

test.each(['AWS messages', 'an array'])(
  'too many line ends in the JSON of %s are an error for clients of events',
  async (name) => {
    const framed = framedAs(name)
    await using stage = await stageOf(framed, { toClients: sse })
    const served = await stage.serve(client, { writes: [inLines(framed, 40_000)], stays: true })
    expect(served.status).toBe(502)
    expect(served.text).toContain('A frame of the stream has too many lines.')
  },
)

/** The first event, with line ends of each kind before its last brace. */
function inLines(framed: Framed, count: number): Buffer {
  const [event] = events
  const json = JSON.stringify(event).replace(/}$/, `${'\r\n'.repeat(count)}}`)
  if (framed.framing === jsonArray) return Buffer.from(`[${json}`)
  return eventStream.encode().frame({ name: event!.type, data: json }) as Buffer
}
