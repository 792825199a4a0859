import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { AssistantPart, Signature, ToolCallPart } from '../../../src/generate/content.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { wrapSignature } from '../../../src/generate/signatures.ts'
import { contextFor, decoded, encoded } from './asking.ts'
import { chunk, completion, finish, framesFor, parsed, read, streamed } from './reading.ts'

const foreign: Signature = { dialect: 'generate-content', value: 'c2lnbmVk' }
const own: Signature = { dialect: 'chat', value: 'c2lnbmVk' }

const signedWith = (thought_signature: string) => ({ google: { thought_signature } })

const wireCall = (extra: JsonObject = {}) => ({
  index: 0,
  id: 'a',
  type: 'function',
  function: { name: 'look', arguments: '{}' },
  ...extra,
})

const call = (signature?: Signature): ToolCallPart => ({
  type: 'tool_call',
  id: 'a',
  name: 'look',
  kind: 'function',
  arguments: '{}',
  ...(signature && { signature }),
})

function replyWith(...content: AssistantPart[]): GenerateResult {
  return { choices: [{ content, stop: { reason: 'tool_calls' } }], usage: {} }
}

function callSentBy(extra: JsonObject) {
  const [turn] = decoded({
    messages: [
      { role: 'assistant', content: null, tool_calls: [wireCall(extra)] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ],
  }).turns
  return turn?.role === 'assistant' ? turn.content[0] : undefined
}

function answerSent(...content: AssistantPart[]) {
  return (encoded({ turns: [{ role: 'assistant', content }] }).messages as JsonObject[])[0]
}

describe('the signature of a call', () => {
  test('of a provider of this dialect is read, in JSON and in a stream', () => {
    const tool_calls = [wireCall({ extra_content: signedWith(own.value) })]
    const replies = [
      read(completion({ tool_calls })),
      streamed([chunk({ tool_calls }), finish('tool_calls')]),
    ]

    for (const { choices } of replies) expect(choices[0]?.content).toEqual([call(own)])
  })

  test('goes back to it as it was', () => {
    expect(answerSent(call(own))).toMatchObject({
      tool_calls: [{ extra_content: signedWith(own.value) }],
    })
  })

  test('of another dialect never goes to an account of this one', () => {
    expect(JSON.stringify(answerSent(call(foreign)))).not.toMatch(/extra_content|c2lnbmVk|gw1/)
  })

  test('of another dialect is kept by the client as a token, in JSON and in a stream', () => {
    const token = wrapSignature(foreign)
    const { choices } = chatCodec.encodeResult(replyWith(call(foreign)), contextFor()).body
    const { chunks } = parsed(framesFor(eventsOf(replyWith(call(foreign)))))

    expect(choices).toMatchObject([
      { message: { tool_calls: [{ id: 'a', extra_content: signedWith(token) }] } },
    ])
    expect(JSON.stringify(chunks)).toContain(
      JSON.stringify({
        tool_calls: [{ index: 0, function: { arguments: '' }, extra_content: signedWith(token) }],
      }),
    )
    expect(callSentBy({ extra_content: signedWith(token) })).toEqual(call(foreign))
  })

  test.each([
    {},
    { extra_content: null },
    { extra_content: signedWith('gw1.e30') },
    { extra_content: {} },
  ])('that came back as %j is none', (extra) => {
    expect(callSentBy(extra)).toEqual(call())
  })

  test('finds its call under the id that the client sees', () => {
    const long = { ...call(foreign), id: 'function-call-'.repeat(9) }
    const { choices } = chatCodec.encodeResult(replyWith(long), contextFor()).body
    const [{ message }] = choices as [{ message: { tool_calls: [{ id: string }] } }]
    const [{ id }] = message.tool_calls

    expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
    expect(framesFor(eventsOf(replyWith(long)))).toContain(`"id":"${id}"`)
    expect(answerSent(long)).toMatchObject({ tool_calls: [{ id }] })
  })
})

describe('reasoning', () => {
  const reasoning = (signature?: Signature): AssistantPart => ({
    type: 'reasoning',
    form: 'raw',
    text: 'Hm.',
    ...(signature && { signature }),
  })

  test.each(['reasoning_content', 'reasoning'])(
    'goes back in the field %s in which it came',
    (field) => {
      const { content } = read(completion({ [field]: 'Hm.', content: 'Hi' })).choices[0]!

      expect(answerSent(...content)).toEqual({ role: 'assistant', content: 'Hi', [field]: 'Hm.' })
    },
  )

  test.each([undefined, foreign, { dialect: 'chat', value: '__proto__' }])(
    'signed by %j is never replayed, neither as reasoning nor as text',
    (signature) => {
      const text: AssistantPart = { type: 'text', text: 'Hi' }

      expect(answerSent(reasoning(signature), text)).toEqual({ role: 'assistant', content: 'Hi' })
    },
  )

  test('goes back without what another dialect signed beside it', () => {
    const own = reasoning({ dialect: 'chat', value: 'reasoning_content' })
    const theirs = reasoning(foreign)

    expect(answerSent(own, theirs, { type: 'text', text: 'Hi' })).toEqual({
      role: 'assistant',
      content: 'Hi',
      reasoning_content: 'Hm.',
    })
  })

  test('alone is no answer', () => {
    expect(answerSent(reasoning(foreign))).toEqual({ role: 'user', content: '' })
  })
})
