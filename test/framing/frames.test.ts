import { crc32 } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { forms } from '../walks/streams/forms.ts'
import { awsMessage, events, framings } from './framed.ts'
import { notBroken, stageOf } from './stage.ts'

const clients = forms.filter(({ name }) => name !== 'generate-array')

describe.each(framings)('an account that streams in $name', (framed) => {
  const frames = framed.write(events)
  const whole = Buffer.concat(frames)

  describe.concurrent.each(dailyRows(clients, framings.indexOf(framed)))(
    'for a client of $name',
    (form) => {
      test('is read however its bytes are cut', async () => {
        await using stage = await stageOf(framed)
        const expected = await stage.serve(form, { writes: frames })
        expect(expected).toMatchObject({ status: 200, streamEnd: 'complete' })
        expect(expected.text).toContain('Grüezi')
        expect(expected.text).toMatch(form.success)
        const shown = withoutIds(expected.text)
        for (const writes of [[whole], Array.from(whole, (byte) => Buffer.from([byte]))]) {
          const served = await stage.serve(form, { writes })
          expect(served.streamEnd).toBe('complete')
          expect(withoutIds(served.text)).toBe(shown)
        }
      })

      test('is no success where it stops sending', async () => {
        await using stage = await stageOf(framed)
        const writes = [whole.subarray(0, whole.length - framed.spare - 1)]
        const served = await stage.serve(form, { writes, stays: true })
        expect(notBroken(form, served)).toBeUndefined()
      })

      test('is no success with a frame that is none', async () => {
        await using stage = await stageOf(framed)
        const [start, ...rest] = frames
        const writes = [start!, framed.broken, ...rest]
        expect(notBroken(form, await stage.serve(form, { writes }))).toBeUndefined()
      })

      test('is no success with an error inside', async () => {
        await using stage = await stageOf(framed)
        const error = { type: 'error', error: { type: 'overloaded_error', message: 'overworked' } }
        const all = framed.write([...events.slice(0, 3), error, ...events.slice(3)])
        expect(notBroken(form, await stage.serve(form, { writes: all }))).toBeUndefined()
      })

      test('is read with one huge frame', async () => {
        await using stage = await stageOf(framed)
        const text = 'x'.repeat(1_300_000)
        const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }
        const bytes = Buffer.concat(
          framed.write([...events.slice(0, 3), delta, ...events.slice(3)]),
        )
        const served = await stage.serve(form, { writes: pieces(bytes, 1_000) })
        expect(served.streamEnd).toBe('complete')
        expect(served.text.length).toBeGreaterThan(text.length)
      })
    },
  )
})

describe.each(dailyRows(clients))('a client of $name', (form) => {
  test('sees no success in an AWS message with any other byte than its own', async () => {
    const framed = framings.find(({ name }) => name === 'AWS messages')!
    const frames = framed.write(events)
    const [start, end] = [frames[0]!.length + frames[1]!.length, frames[2]!.length]
    await using stage = await stageOf(framed, { calls: end })
    const wrong: number[] = []
    const change = async (index: number) => {
      const whole = Buffer.concat(frames)
      whole[start + index]! ^= 1
      const reason = notBroken(form, await stage.serve(form, { writes: [whole] }))
      if (reason) wrong.push(index)
    }
    const indexes = Array.from({ length: end }, (_, index) => index)
    while (indexes.length > 0) await Promise.all(indexes.splice(0, 16).map(change))
    expect(wrong).toEqual([])
  })
})

test('a length that is not that of an AWS message is noticed at once', async () => {
  const framed = framings.find(({ name }) => name === 'AWS messages')!
  const [form] = clients
  await using stage = await stageOf(framed)
  const [first, second] = framed.write(events)
  second!.writeUInt32BE(2 ** 31, 0)
  const served = await stage.serve(form!, { writes: [first!, second!], stays: true })
  expect(notBroken(form!, served)).toBeUndefined()
  expect(served.text).toContain('a checksum is wrong')
})

test('an AWS message of nothing but headers is not read', async () => {
  const framed = framings.find(({ name }) => name === 'AWS messages')!
  const [form] = clients
  await using stage = await stageOf(framed)
  const [first] = framed.write(events)
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(32 * 1024 * 1024, 0)
  prelude.writeUInt32BE(31 * 1024 * 1024, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const served = await stage.serve(form!, { writes: [first!, prelude], stays: true })
  expect(notBroken(form!, served)).toBeUndefined()
  expect(served.text).toContain('its headers are too long')
})

test('an exception among AWS messages is an error for the client', async () => {
  const framed = framings.find(({ name }) => name === 'AWS messages')!
  const form = clients.find(({ name }) => name === 'chat')!
  await using stage = await stageOf(framed)
  const error = { type: 'error', error: { type: 'rate_limit_error', message: 'Too many.' } }
  const exception = awsMessage('throttlingException', error, 'exception')
  const writes = [...framed.write(events.slice(0, 3)), exception]
  const served = await stage.serve(form, { writes })
  expect(served.status).toBe(429)
  expect(served.text).toContain('Too many.')
})

function pieces(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

/** Ids and times differ from reply to reply. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/(resp|msg|chatcmpl|req)[_-]\w+/g, '$1')
    .replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0')
    .replaceAll(/"responseId":"\w+"/g, '"responseId":""')
}
