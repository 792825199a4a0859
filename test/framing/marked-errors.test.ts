import { describe, expect, test } from 'vitest'

import { eventStream, ndjson } from '../../src/dialect-kit/index.ts'
import { type Form, forms } from '../walks/streams/forms.ts'
import { awsMessage, events, framings } from './framed.ts'
import { notBroken, stageOf } from './stage.ts'

// The dialect of these accounts reads the `type` of its events, and so none of these exceptions.

const framed = framings.find(({ name }) => name === 'AWS messages')!
const [start, ...rest] = framed.write(events)
const unknown = awsMessage('newKindOfException', { message: 'Too hot.' }, 'exception')
const lookalike = awsMessage('content_block_delta', events[2], 'exception')
const complete = awsMessage('message_stop', events.at(-1), 'exception')

const native: Form = {
  ...forms.find(({ name }) => name === 'messages')!,
  path: () => '/framed/messages',
}
const clients: [string, Form][] = [
  ...forms
    .filter(({ name }) => name !== 'generate-array')
    .map((form): [string, Form] => [form.name, form]),
  ['the dialect itself', native],
]

describe.concurrent.each(clients)('for a client of %s', (_, form) => {
  test('an exception that the dialect does not know is an error', async () => {
    await using stage = await stageOf(framed)
    const served = await stage.serve(form, { writes: [start!, unknown, ...rest] })
    expect(served.status).toBe(502)
    expect(served.text).toContain('Too hot.')
  })

  test('an exception that looks like output, or like the end, is an error', async () => {
    await using stage = await stageOf(framed)
    const early = await stage.serve(form, { writes: [start!, lookalike, ...rest] })
    expect(early.status).toBe(502)
    const late = await stage.serve(form, { writes: [start!, ...rest.slice(0, -1), complete] })
    expect(notBroken(form, late)).toBeUndefined()
  })
})

test('a wrong checksum in the chunk of the first output fails over, as nothing is sent yet', async () => {
  await using stage = await stageOf(framed)
  const broken = Buffer.from(rest.at(-1)!)
  broken[broken.length - 1]! ^= 1
  const bytes = Buffer.concat([start!, ...rest.slice(0, -1), broken])
  const served = await stage.serve(native, { writes: [bytes] })
  expect(served.status).toBe(502)
  expect(served.text).toContain('a checksum is wrong')
})

test('event stream messages say whether they are errors', () => {
  const isError = (frame: Buffer) => eventStream.parse(frame).isError
  expect([start!, unknown].map(isError)).toEqual([false, true])
  const { frame } = eventStream.encode()
  expect(isError(frame({ name: 'x', data: '{}', isError: true }) as Buffer)).toBe(true)
  expect(ndjson.parse(Buffer.from('{}\n')).isError).toBeUndefined()
})
