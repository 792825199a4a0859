import { describe, expect, it } from 'vitest'

import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import type { GenerateResult, Stop } from '../../../src/generate/result.ts'
import { unownedSignature } from '../../../src/generate/signatures.ts'
import { answer, replyContext } from './codec.ts'

const said = { type: 'text', text: 'Hello.' } as const
const call = {
  type: 'tool_call',
  id: 'call_1',
  name: 'weather',
  kind: 'function',
  arguments: '{"city":"Ulm"}',
} as const

function bodyOf(result: GenerateResult, context = replyContext()) {
  return messagesCodec.encodeResult(result, context).body
}

describe('a client of messages with a reply of another dialect', () => {
  it('gets a message of the model that it asked for', () => {
    const context = replyContext()
    const { body, id, items } = messagesCodec.encodeResult(answer(said), context)
    expect(body).toEqual({
      id: 'msg_000000000000000000000001',
      type: 'message',
      role: 'assistant',
      model: 'claude-for-you',
      content: [{ type: 'text', text: 'Hello.', citations: null }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_creation_input_tokens: null,
        cache_read_input_tokens: null,
        cache_creation: null,
        output_tokens_details: null,
        server_tool_use: null,
        service_tier: null,
      },
    })
    expect({ id, items }).toEqual({ id: body.id, items: [] })
  })

  it('gets text and calls, and stops for the calls whatever the upstream says', () => {
    const reply = {
      ...answer(said, call),
      choices: [{ content: [said, call], stop: { reason: 'stop' } }],
    }
    expect(bodyOf(reply as GenerateResult)).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'Hello.' },
        { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Ulm' } },
      ],
    })
  })

  it.each<[Stop, string]>([
    [{ reason: 'stop' }, 'end_turn'],
    [{ reason: 'length' }, 'max_tokens'],
    // LiteLLM's adapter says `end_turn` here.
    [{ reason: 'filtered' }, 'refusal'],
    [{ reason: 'refused' }, 'refusal'],
    [{ reason: 'paused' }, 'pause_turn'],
    [{ reason: 'context' }, 'model_context_window_exceeded'],
    [{ reason: 'stop', sequence: 'END' }, 'stop_sequence'],
  ])('stops by %j', (stop, stopReason) => {
    const body = bodyOf({ choices: [{ content: [said], stop }], usage: {} })
    expect(body).toMatchObject({
      stop_reason: stopReason,
      stop_sequence: stop.sequence ?? null,
    })
  })

  it('is refused in words that it can show', () => {
    expect(bodyOf(answer({ type: 'refusal', text: 'I cannot.' }))).toMatchObject({
      content: [{ type: 'text', text: 'I cannot.' }],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: null },
    })
  })

  it('counts what no cache gave or took as its input', () => {
    const usage = {
      inputTokens: 1110,
      cachedTokens: 100,
      cacheWriteTokens: 1000,
      outputTokens: 50,
      reasoningTokens: 20,
    }
    expect(bodyOf({ ...answer(said), usage, serviceTier: 'default' }).usage).toMatchObject({
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 1000,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 20 },
      service_tier: 'standard',
    })
  })

  it('gets counts that SDKs can add up where the upstream told none', () => {
    expect(bodyOf({ ...answer(said), usage: {} }).usage).toMatchObject({
      input_tokens: 0,
      output_tokens: 0,
    })
  })

  it('gets thoughts that nobody signed, which it may send back to anybody', () => {
    const body = bodyOf(answer({ type: 'reasoning', form: 'raw', text: 'Hm.' }, said))
    expect((body.content as object[])[0]).toEqual({
      type: 'thinking',
      thinking: 'Hm.',
      signature: unownedSignature,
    })
  })

  it('gets arguments that are no JSON in a marker, and is told', () => {
    const context = replyContext()
    const body = bodyOf(answer({ ...call, arguments: '{"city":' }), context)
    expect(body.content).toMatchObject([{ input: { __unparsed_arguments: '{"city":' } }])
    expect(context.dropped).toEqual(['content[].input'])
  })

  it('is told what a message cannot hold', () => {
    const context = replyContext()
    const citations = [{ url: 'https://x.org' }]
    const image = {
      type: 'image',
      mediaType: 'image/png',
      source: { kind: 'data', base64: 'eA==' },
    } as const
    const reply = answer({ ...said, citations }, image)
    const body = bodyOf({ ...reply, choices: [...reply.choices, ...reply.choices] }, context)
    expect(body.content).toHaveLength(1)
    expect(context.dropped).toEqual(['content', 'content[].citations', 'content[]'])
  })

  it('gets ids of calls that it takes', () => {
    const body = bodyOf(answer({ ...call, id: 'functions.weather:0' }))
    expect((body.content as { id: string }[])[0]!.id).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
  })
})
