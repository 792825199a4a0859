import { describe, expect, it } from 'vitest'

import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import { answer, encodeStream, framesOf, replyContext } from './codec.ts'
import { finish } from './events.ts'
import { framesTo } from '../frame-sink.ts'

describe('a stream that a client of messages gets', () => {
  it('gets one start with counts, and at the end the counts that are right', () => {
    const frames = framesOf(encodeStream([{ type: 'start', serviceTier: 'default' }, ...finish]))
    expect(frames).toMatchObject([
      {
        type: 'message_start',
        message: {
          id: 'msg_000000000000000000000001',
          model: 'claude-for-you',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 0, output_tokens: 0, service_tier: 'standard' },
        },
      },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { input_tokens: 10, cache_read_input_tokens: 2, output_tokens: 5 },
      },
      { type: 'message_stop' },
    ])
  })

  it('gets one answer of several, and is told', () => {
    const context = replyContext()
    const one = answer({ type: 'text', text: 'One.' })
    const two = { content: [{ type: 'text', text: 'Two.' }], stop: { reason: 'length' } } as const
    const both = { ...one, choices: [...one.choices, two] }
    const stream = encodeStream(eventsOf(both), context)
    expect(stream).toContain('One.')
    expect(stream).not.toContain('Two.')
    expect(stream).toContain('"stop_reason":"end_turn"')
    expect(context.dropped).toEqual(['content'])
  })

  it('is told of a failure by an event, and may wait for one as long as it likes', () => {
    let written = ''
    const encoder = messagesCodec.encodeEvents(
      replyContext(),
      framesTo((frames) => (written += frames)),
    )
    encoder.encode({ type: 'start' })
    written += encoder.keepAlive?.()
    const ending = encoder.fail(new GatewayError('upstream_stream_broken', 'The stream broke.'))
    expect(ending).toBe('end')
    expect(encoder.contentType).toMatch(/^text\/event-stream/)
    expect(framesOf(written).slice(1)).toMatchObject([
      { type: 'ping' },
      {
        type: 'error',
        error: { type: 'api_error', message: 'The stream broke.', code: 502 },
        request_id: 'req_of_exchange',
      },
    ])
  })
})
