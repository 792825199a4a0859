import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { dailySteps } from '../../daily-rows.ts'
import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import { asked, decodeStream, encodeStream, framesOf, neutral } from './codec.ts'

const oddity = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('text', 'thinking', 'tool_use', 'redacted_thinking', 'a', 0, 1),
)

const block = fc.record(
  {
    type: fc.constantFrom('text', 'thinking', 'redacted_thinking', 'tool_use', 'news'),
    text: oddity,
    thinking: oddity,
    signature: oddity,
    data: oddity,
    id: oddity,
    name: oddity,
    input: oddity,
    citations: oddity,
    content: oddity,
    source: oddity,
  },
  { requiredKeys: [] },
)

const delta = fc.record(
  {
    type: fc.constantFrom(
      'text_delta',
      'input_json_delta',
      'thinking_delta',
      'signature_delta',
      'citations_delta',
    ),
    text: oddity,
    partial_json: oddity,
    thinking: oddity,
    signature: oddity,
    citation: oddity,
    stop_reason: fc.oneof(fc.constantFrom('end_turn', 'tool_use'), oddity),
    stop_details: oddity,
  },
  { requiredKeys: [] },
)

const frame = fc.record(
  {
    type: fc.constantFrom(
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'ping',
    ),
    index: fc.oneof(fc.constantFrom(0, 1, 2), oddity),
    message: oddity,
    content_block: fc.oneof(block, block, oddity),
    delta: fc.oneof(delta, delta, oddity),
    usage: oddity,
  },
  { requiredKeys: ['type'] },
)

/** Follows the order that events have to keep, and fails where they don't. */
function followOrder(events: readonly GenerateEvent[]): void {
  const open = new Set<number>()
  let parts = 0
  let hasEnded = false
  for (const [position, event] of events.entries()) {
    expect(hasEnded).toBe(false)
    expect(event.type === 'start').toBe(position === 0)
    if (event.type === 'part') {
      expect(event.index).toBe(parts++)
      open.add(event.index)
    } else if ('index' in event) expect(open.has(event.index)).toBe(true)
    if (event.type === 'delta') expect(event.text).not.toBe('')
    if (event.type === 'end') open.delete(event.index)
    if (event.type === 'stop') expect(open.size).toBe(0)
    hasEnded = event.type === 'finish'
  }
}

/** What was read until it was refused, if it was. */
function decodedOrRefused(frames: Parameters<typeof decodeStream>[0]): readonly GenerateEvent[] {
  try {
    return decodeStream(frames)
  } catch (error) {
    if (!GatewayError.isInstance(error)) throw error
    expect(error.code).toMatch(/^upstream_(invalid_reply|stream_broken)$/)
    return []
  }
}

describe('whatever an account or a client sends', () => {
  it('makes events in good order, which make a stream in good order', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), (frames) => {
        const events = decodedOrRefused(frames)
        followOrder(events)
        const written = framesOf(encodeStream(events))
        const begun = written.filter(({ type }) => type === 'content_block_start')
        expect(begun.map(({ index }) => index)).toEqual(begun.map((_, index) => index))
      }),
      { numRuns: dailySteps(1_000) },
    )
  })

  it('is a reply, or refused as one', () => {
    const reply = fc.record(
      { type: oddity, content: fc.oneof(fc.array(block), oddity), usage: oddity, error: oddity },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(reply, (json) => {
        readable(() => messagesCodec.decodeResult(json, neutral()))
      }),
      { numRuns: dailySteps(1_000) },
    )
  })

  it('is a request, or refused as one', () => {
    const turn = fc.record(
      {
        role: fc.constantFrom('user', 'assistant', 'system'),
        content: fc.oneof(fc.array(block), oddity),
      },
      { requiredKeys: [] },
    )
    const body = fc.record(
      {
        messages: fc.oneof(fc.array(turn), oddity),
        system: oddity,
        tools: oddity,
        tool_choice: oddity,
        thinking: oddity,
        output_config: oddity,
        output_format: oddity,
        stop_sequences: oddity,
        metadata: oddity,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(body, (json) => {
        readable(() => messagesCodec.decodeRequest(asked(json)))
      }),
      { numRuns: dailySteps(1_000) },
    )
  })
})

/** It may be refused, and must not be a surprise. */
function readable(read: () => unknown): void {
  try {
    expect(read()).toBeDefined()
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError)
  }
}
