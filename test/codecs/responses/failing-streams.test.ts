import { expect, test } from 'vitest'

import { GatewayError, type GatewayErrorOptions } from '../../../src/contract/errors.ts'
import { responsesCodec } from '../../../plugins/dialects/responses/codec/index.ts'
import { context, readFrames } from './codec.ts'
import { serve } from './sdk.ts'
import { framesTo } from '../frame-sink.ts'

/** A stream that says a word and then breaks. */
function broken(error: GatewayError, words = 1): string {
  let frames = ''
  const encoder = responsesCodec.encodeEvents(
    context(),
    framesTo((more) => {
      frames += more
    }),
  )
  if (words > 0) {
    encoder.encode({ type: 'start' })
    encoder.encode({ type: 'part', index: 0, choice: 0, part: { type: 'text' } })
    encoder.encode({ type: 'delta', index: 0, text: 'Hello' })
  }
  expect(encoder.fail(error)).toBe('end')
  return frames
}

const lost = new GatewayError('upstream_stream_broken', 'The upstream fell silent.')

test('a broken stream ends with an error, flat and nested, the failed response, and [DONE]', () => {
  const frames = broken(lost)
  const [error, failed] = readFrames(frames).slice(-2)
  expect(error).toMatchObject({
    type: 'error',
    code: 'upstream_stream_broken',
    message: 'The upstream fell silent.',
    param: null,
    error: { message: 'The upstream fell silent.', type: 'server_error', code: 502 },
  })
  expect(failed).toMatchObject({
    type: 'response.failed',
    response: {
      status: 'failed',
      error: { code: 'server_error', message: 'The upstream fell silent.' },
      output: [{ type: 'message', status: 'incomplete', content: [{ text: 'Hello' }] }],
      output_text: 'Hello',
    },
  })
  expect(frames.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('its events are numbered on to the end', () => {
  const numbers = readFrames(broken(lost)).map(({ sequence_number }) => sequence_number)
  expect(numbers).toEqual([...numbers.keys()])
})

test('a stream that breaks before anything came is announced all the same', () => {
  const types = readFrames(broken(lost, 0)).map(({ type }) => type)
  expect(types).toEqual(['response.created', 'response.in_progress', 'error', 'response.failed'])
})

test.each(['v5', 'v6', 'v7'] as const)(
  '%s raises the error, in its helper and raw',
  async (version) => {
    await using server = await serve('text/event-stream', broken(lost))
    const { responses } = server.clients[version]
    const asked = { model: 'm', input: 'hi' }
    await expect(responses.stream(asked).finalResponse()).rejects.toThrow('fell silent')
    await expect(async () => {
      const events = await responses.create({ ...asked, stream: true })
      for await (const event of events) expect(event.type).toMatch(/^response\./)
    }).rejects.toThrow('fell silent')
  },
)

const codes: [string, string, GatewayErrorOptions, string][] = [
  ['too many requests', 'Slow down.', { status: 429 }, 'rate_limit_exceeded'],
  ['a request that was refused', 'Not so.', { status: 400 }, 'invalid_prompt'],
  [
    'too many requests for long prompts',
    'Too many for this context window.',
    { status: 429 },
    'rate_limit_exceeded',
  ],
  ['a defect', 'Oops.', { status: 500 }, 'server_error'],
]

test('a prompt beyond the context is told in the word that clients look for', () => {
  const error = new GatewayError('context_length_exceeded', 'Long.')
  const [told, failed] = readFrames(broken(error)).slice(-2)
  const code = 'context_length_exceeded'
  expect(told).toMatchObject({ type: 'error', code, message: 'Long.' })
  expect(failed).toMatchObject({ response: { error: { code, message: 'Long.' } } })
})

test.each(codes)('%s is told in the words of failed responses', (_, message, options, code) => {
  const error = new GatewayError('upstream_rejected', message, options)
  expect(readFrames(broken(error)).at(-1)).toMatchObject({ response: { error: { code, message } } })
})

test('a comment keeps the connection alive, since helpers throw at unknown events', () => {
  const encoder = responsesCodec.encodeEvents(
    context(),
    framesTo(() => undefined),
  )
  expect(encoder.keepAlive?.()).toMatch(/^: .*\n\n$/)
  expect(encoder.contentType).toBe('text/event-stream')
})
