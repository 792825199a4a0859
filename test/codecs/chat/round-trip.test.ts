import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { anyReply } from './any-reply.ts'
import { contextFor } from './asking.ts'
import { framesFor, parsed, read, streamed } from './reading.ts'

const options = { stream_options: { include_usage: true }, n: 2 }

/** What a client reads of it as JSON. */
function throughJson(result: GenerateResult) {
  const { body } = chatCodec.encodeResult(result, contextFor(options))
  return read(body, { candidates: result.choices.length })
}

/** What a client reads of events. */
function throughStream(events: readonly GenerateEvent[], candidates: number) {
  return streamed(parsed(framesFor(events, options)).chunks, { request: { candidates } })
}

const meaning = ({ choices, usage }: GenerateResult) => ({ choices, usage })

/** Every text in pieces, as it comes from a model. */
function inPieces(events: readonly GenerateEvent[]): GenerateEvent[] {
  return events.flatMap((event) => {
    if (event.type !== 'delta' || event.logprobs) return [event]
    return Array.from(event.text).map((text) => ({ ...event, text }))
  })
}

describe('a reply that is written and read again', () => {
  test('means the same as JSON', () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        expect(meaning(throughJson(reply))).toEqual(reply)
      }),
    )
  })

  test('means the same as a stream, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        const events = eventsOf(reply)
        const { length } = reply.choices

        expect(meaning(throughStream(events, length))).toEqual(meaning(throughJson(reply)))
        expect(meaning(throughStream(inPieces(events), length))).toEqual(reply)
      }),
    )
  })
})
