import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { anyReply } from './any-reply.ts'
import { anyRequest } from './any-request.ts'
import {
  collect,
  decodeStream,
  encodeStream,
  framesOf,
  neutral,
  read,
  readReply,
  replyContext,
  write,
} from './codec.ts'

/** What is kept of a reply that is written and read again; names and raw reasons are new. */
function kept({ choices, usage }: GenerateResult) {
  const content = choices[0]!.content.map((part) =>
    part.type === 'tool_call'
      ? { ...part, arguments: JSON.parse(part.arguments) as unknown }
      : part,
  )
  return { content, reason: choices[0]!.stop.reason, usage }
}

describe('any reply', () => {
  it('is the same when it is written and read again', () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        const { body } = messagesCodec.encodeResult(reply, replyContext())
        expect(kept(readReply(body))).toEqual(kept(reply))
      }),
      { numRuns: 300 },
    )
  })

  it('is the same when it is streamed and read again', () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        const streamed = collect(decodeStream(framesOf(encodeStream(eventsOf(reply)))))
        expect(kept(streamed!)).toEqual(kept(reply))
      }),
      { numRuns: 300 },
    )
  })

  it('drops nothing that it does not tell', () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        const context = replyContext()
        messagesCodec.encodeResult(reply, context)
        encodeStream(eventsOf(reply), context)
        expect(context.dropped).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})

describe('any request', () => {
  it('that was written once stays as it is when it is read and written again', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const model = 'another-model'
        const once = write(request, model)
        expect(write(read(once), model)).toEqual(once)
      }),
      { numRuns: 300 },
    )
  })

  it('keeps what its client says', () => {
    const turns = [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Thanks.' }] },
    ] as const
    const request = neutral({
      turns,
      tools: [{ kind: 'function', name: 'a', parameters: { type: 'object', properties: {} } }],
      toolChoice: { mode: 'required', only: ['a'] },
      parallelToolCalls: false,
      sampling: { temperature: 0.5, topK: 3 },
      maxOutputTokens: 50,
      stop: ['END'],
      endUser: 'u-1',
      serviceTier: 'default',
    })
    const { fields: _, extras: _e, settings: _s, ...again } = read(write(request))
    const { fields: _f, extras: _x, ...before } = request
    expect(again).toEqual(before)
  })
})
