import { describe, expect, it } from 'vitest'

import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import { answer, encodeStream, framesOf, read, readReply, replyContext, write } from './codec.ts'
import { message } from './replies.ts'
import { framesTo } from '../frame-sink.ts'

const call = (id: string, json: string) =>
  ({ type: 'tool_call', id, name: 'weather', kind: 'function', arguments: json }) as const

const text = { type: 'text', text: 'Hello.' } as const

/** The types of a stream's blocks, with what they begin with. */
function blocksIn(stream: string) {
  return framesOf(stream).flatMap(({ content_block: block }) => (block ? [block] : []))
}

describe('bugs that others had', () => {
  it('turns reasoning content into thinking blocks (LiteLLM #29518)', () => {
    const thought = { type: 'reasoning', form: 'raw', text: 'Hm.' } as const
    const stream = encodeStream(eventsOf(answer(thought, text)))
    expect(blocksIn(stream).map(({ type }) => type)).toEqual(['thinking', 'text'])
  })

  it('begins a message once, whatever is written in it (LiteLLM #32357)', () => {
    const stream = encodeStream(eventsOf(answer(text, call('a', '{}'))))
    expect(stream.match(/event: message_start/g)).toHaveLength(1)
    expect(stream.match(/event: message_stop/g)).toHaveLength(1)
  })

  it('writes the arguments of calls that come whole (LiteLLM #25561)', () => {
    const stream = encodeStream(eventsOf(answer(call('a', '{"city":"Ulm"}'))))
    const deltas = framesOf(stream).flatMap(({ delta }) => delta?.partial_json ?? [])
    expect(deltas.join('')).toBe('{"city":"Ulm"}')
  })

  it('keeps the signature of a call (LiteLLM #25322, #16893)', () => {
    const signature = { dialect: 'generate-content', value: 'c2ln' }
    const { body } = messagesCodec.encodeResult(
      answer({ ...call('a', '{}'), signature }),
      replyContext(),
    )
    const { turns } = read({ messages: [{ role: 'assistant', content: body.content }] })
    expect(turns[0]).toMatchObject({ content: [{ type: 'tool_call', id: 'a', signature }] })
  })

  it('keeps the text beside calls (LiteLLM, Portkey)', () => {
    const reply = message([text, { type: 'tool_use', id: 'a', name: 'weather', input: {} }])
    expect(readReply(reply).choices[0]!.content).toMatchObject([text, { type: 'tool_call' }])
  })

  it('keeps one result one, however many blocks it has (LiteLLM)', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'c' } },
    ]
    const block = { type: 'tool_result', tool_use_id: 'x', content, is_error: true }
    const [turn] = read({ messages: [{ role: 'user', content: [block] }] }).turns
    expect(turn?.role === 'tool' && turn.results).toMatchObject([
      {
        callId: 'x',
        failed: true,
        content: [{ type: 'text' }, { type: 'text' }, { type: 'file' }],
      },
    ])
  })

  it('never says thoughts aloud (LiteLLM)', () => {
    const reasoning = { type: 'reasoning', form: 'raw', text: 'My secret.' } as const
    const body = write({
      turns: [
        { role: 'user', content: [text] },
        { role: 'assistant', content: [reasoning, text] },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it('counts cached tokens as a part of the prompt, and not twice (Portkey)', () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 1 }
    const { usage: counts } = readReply(message([text], { usage }))
    expect(counts).toMatchObject({ inputTokens: 100, cachedTokens: 90 })
    const { body } = messagesCodec.encodeResult({ ...answer(text), usage: counts }, replyContext())
    expect(body.usage).toMatchObject(usage)
  })

  it('keeps every system text, and every part of it (Portkey)', () => {
    const system = (...texts: string[]) => ({
      role: 'system' as const,
      content: texts.map((one) => ({ type: 'text' as const, text: one })),
    })
    const { system: told } = write({ turns: [system('a', 'b'), system('c')] })
    expect(told).toHaveLength(3)
  })

  it('never ends a stream that broke as if it had not (Portkey, LiteLLM)', () => {
    let stream = ''
    const encoder = messagesCodec.encodeEvents(
      replyContext(),
      framesTo((frames) => (stream += frames)),
    )
    encoder.encode({ type: 'start' })
    encoder.fail(new GatewayError('upstream_stream_broken', 'The stream broke.'))
    expect(stream).not.toContain('stop_reason":"')
    expect(stream).not.toContain('message_stop')
    expect(framesOf(stream).at(-1)?.type).toBe('error')
  })
})
