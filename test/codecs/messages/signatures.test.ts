import { describe, expect, it } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import { isWrapped } from '../../../src/generate/signatures.ts'
import { answer, encodeStream, framesOf, read, replyContext, write } from './codec.ts'

const foreign = { dialect: 'responses', value: 'gAAAA', id: 'rs_1' }
const google = { dialect: 'generate-content', value: 'c2lnbmF0dXJl' }
const call: AssistantPart = {
  type: 'tool_call',
  id: 'call_1',
  name: 'weather',
  kind: 'function',
  arguments: '{}',
}

const replies: [string, AssistantPart[]][] = [
  ['thoughts', [{ type: 'reasoning', form: 'summary', text: 'Hm.', signature: foreign }, call]],
  [
    'thoughts that nobody may read',
    [{ type: 'reasoning', form: 'redacted', text: '', signature: foreign }, call],
  ],
  [
    'a call',
    [
      { ...call, signature: google },
      { ...call, id: 'call_2' },
    ],
  ],
  ['a text', [{ type: 'text', text: 'Hello.', signature: google }]],
]

/** The blocks that a client collects from a stream. */
function streamed(content: AssistantPart[]): JsonObject[] {
  const blocks: Record<string, unknown>[] = []
  for (const { index, content_block: block, delta } of framesOf(
    encodeStream(eventsOf(answer(...content))),
  )) {
    if (block) blocks[index] = { ...block }
    const open = blocks[index]
    if (!open || !delta) continue
    const { type, partial_json: json, signature, text = '', thinking = '' } = delta
    if (type === 'input_json_delta') open.input = JSON.parse(json!)
    else if (type === 'signature_delta') open.signature = signature
    else if (type === 'text_delta') open.text = `${String(open.text)}${text}`
    else open.thinking = `${String(open.thinking)}${thinking}`
  }
  return blocks
}

function whole(content: AssistantPart[]): JsonObject[] {
  return messagesCodec.encodeResult(answer(...content), replyContext()).body.content as JsonObject[]
}

/** The client sends an answer back with results of its calls. */
function sendBack(content: readonly JsonObject[]) {
  const results = content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'Rain.' }))
  return read({
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content },
      { role: 'user', content: [...results, { type: 'text', text: 'And?' }] },
    ],
  })
}

describe('a signature of another dialect', () => {
  it.each(replies)('comes back with %s, whole or streamed', (_, content) => {
    for (const blocks of [whole(content), streamed(content)]) {
      const turn = sendBack(blocks).turns[1]
      expect(turn).toEqual({ role: 'assistant', content })
    }
  })

  it.each(replies)('of %s is opaque to the client', (_, content) => {
    const tokens = whole(content).flatMap(({ signature, data }) => signature ?? data ?? [])
    expect(tokens).toHaveLength(1)
    expect(isWrapped(tokens[0] as string)).toBe(true)
  })

  it.each(replies)('of %s never reaches an account of messages', (_, content) => {
    const { turns } = sendBack(whole(content))
    const body = JSON.stringify(write({ turns }))
    expect(body).not.toContain('thinking')
    expect(body).not.toContain(foreign.value)
    expect(body).not.toContain(google.value)
  })

  it('that cannot be read goes nowhere', () => {
    const { turns } = sendBack([
      { type: 'thinking', thinking: 'Hm.', signature: 'gw1.nonsense' },
      { type: 'redacted_thinking', data: 'gw1.nonsense' },
      { type: 'text', text: 'Hello.' },
    ])
    expect(turns[1]?.role === 'assistant' && turns[1].content).toEqual([
      { type: 'reasoning', text: 'Hm.', form: 'summary' },
      { type: 'text', text: 'Hello.' },
    ])
  })
})

describe('a signature of messages', () => {
  it('goes back to an account as it came, with the thoughts as they were', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.\n "so"', signature: 'c2ln+/=' },
      { type: 'redacted_thinking', data: 'c2VjcmV0' },
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
    ]
    const { turns } = sendBack(content)
    expect(write({ turns }).messages[1]!.content).toEqual(content)
  })

  it('is not sent where nothing follows the thoughts', () => {
    const { turns } = sendBack([{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }])
    expect(write({ turns }).messages.map(({ role }) => role)).toEqual(['user'])
  })
})
