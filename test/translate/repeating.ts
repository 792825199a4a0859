import * as fc from 'fast-check'

import type { JsonObject } from '../../src/lib/json/object.ts'
import type { DialectName } from './clients/index.ts'

/** An event with this text in it. */
type Shape = (text: string) => JsonObject

const chunk = (delta: JsonObject | null, more: JsonObject = {}, rest: JsonObject = {}) => ({
  id: 'chatcmpl-1',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
  ...rest,
})
const logprobs = { content: [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] }] }
const call = (name: string, text: string) => ({
  tool_calls: [{ index: 0, id: 'call_1', function: { name, arguments: text } }],
})

const chat: readonly Shape[] = [
  (content) => chunk({ content }),
  (content) => chunk({ role: 'assistant', content, refusal: null, tool_calls: [] }),
  (content) => chunk({ content, reasoning_content: 'hm' }),
  (content) => chunk({ content, ...call('look', '{}') }),
  (content) => chunk({ content }, { logprobs }),
  (content) => chunk({ content }, { index: 1 }),
  (content) => chunk({ content }, { finish_reason: 'stop' }),
  (content) => chunk({ content }, {}, { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
  (content) => chunk({ content: '' }, { message: { content } }),
  (reasoning) => chunk({ content: null, reasoning }),
  (text) => chunk(call('hear', text)),
  () => chunk(null),
  (message) => ({ error: { message }, choices: [{ delta: { content: message } }] }),
]

const block = (index: number, delta: JsonObject) => ({ type: 'content_block_delta', index, delta })

const messages: readonly Shape[] = [
  (text) => block(0, { type: 'text_delta', text }),
  (text) => block(1, { type: 'text_delta', text }),
  (thinking) => block(0, { type: 'thinking_delta', thinking }),
  (partial_json) => block(2, { type: 'input_json_delta', partial_json }),
  (signature) => block(1, { type: 'signature_delta', signature }),
  (text) => ({ type: 'content_block_start', index: 1, content_block: { type: 'text', text } }),
  (id) => ({
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id, name: 'look', input: {} },
  }),
  (text) => ({ type: 'content_block_stop', index: text.length % 3 }),
  (text) => ({ type: 'ping', text }),
  (text) => ({ type: 'message_delta', delta: { stop_reason: 'end_turn', text } }),
  () => ({ type: 'message_stop' }),
]

const more = (type: string, delta: string, rest: JsonObject = {}) => ({
  type: `response.${type}.delta`,
  sequence_number: delta.length,
  item_id: 'item',
  output_index: 0,
  content_index: 0,
  delta,
  ...rest,
})

const responses: readonly Shape[] = [
  (text) => more('output_text', text, { logprobs: [] }),
  (text) => more('output_text', text, { logprobs: logprobs.content }),
  (text) => more('output_text', text, { content_index: 1, obfuscation: 'x'.repeat(text.length) }),
  (text) => more('refusal', text, { output_index: 1 }),
  (text) => more('reasoning_summary_text', text, { output_index: 2, summary_index: 0 }),
  (text) => more('reasoning_summary_text', text, { output_index: 2, summary_index: 1 }),
  (text) => more('function_call_arguments', text, { output_index: 3 }),
  (text) => more('audio.transcript', text),
  (name) => ({
    type: 'response.output_item.added',
    output_index: 3,
    item: { type: 'function_call', id: 'fc', call_id: 'call_1', name, arguments: '' },
  }),
  (text) => ({
    type: 'response.content_part.done',
    output_index: 0,
    content_index: 0,
    part: { type: 'output_text', text },
  }),
  (message) => ({ type: 'error', code: 'server_error', message }),
]

const candidate = (part: JsonObject, more: JsonObject = {}, rest: JsonObject = {}) => ({
  candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...more }],
  ...rest,
})
const citationMetadata = { citationSources: [{ startIndex: 0, endIndex: 1, uri: 'https://a.b' }] }

const usage = (count: number) => ({
  promptTokenCount: 3,
  candidatesTokenCount: count,
  ...(count > 3 && { thoughtsTokenCount: count % 3 }),
  totalTokenCount: count * 2,
  candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: count }],
})

const generate: readonly Shape[] = [
  (text) => candidate({ text }),
  (text) => candidate({ text, thought: true }),
  (text) => candidate({ text, thoughtSignature: 'c2lnbmVk' }),
  (text) => candidate({ text }, { index: 1 }),
  (text) => candidate({ text }, { finishReason: 'STOP' }),
  (text) => candidate({ text }, { finishReason: 'STOP' }, { usageMetadata: usage(9) }),
  (text) => candidate({ text }, { citationMetadata }),
  (text) => candidate({ text }, {}, { usageMetadata: usage(text.length) }),
  (text) => candidate({ text }, {}, { promptFeedback: { blockReason: 'SAFETY' } }),
  (text) => candidate({ functionCall: { name: 'look', args: { text } } }),
  (text) => ({ candidates: [{ content: { parts: [{ text }, { text: '!' }] } }] }),
  (text) => ({
    candidates: [{ content: { parts: [{ text }] } }, { content: { parts: [{ text: '?' }] } }],
  }),
  (message) => ({ error: { code: 500, message } }),
]

const shapes: Readonly<Record<DialectName, readonly Shape[]>> = {
  chat,
  messages,
  responses,
  generate,
}

/** What most of a stream consists of. */
export function textEvent(dialect: DialectName, text: string): JsonObject {
  return shapes[dialect][0]!(text)
}

const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: fc.constantFrom('a', ' '), minLength: 100, maxLength: 300 }),
)

/** Streams whose events repeat with other texts, as those of accounts do, in whatever order. */
export function streamsOf(dialect: DialectName): fc.Arbitrary<JsonObject[]> {
  return fc.oneof(runsOf(dialect), turnsOf(dialect))
}

/** Two parts that are written at the same time: hardly an event is like the one before. */
function turnsOf(dialect: DialectName): fc.Arbitrary<JsonObject[]> {
  const shape = fc.constantFrom(...shapes[dialect])
  const texts = fc.array(text, { minLength: 20, maxLength: 40 })
  const tail = fc.array(text, { maxLength: 6 })
  return fc
    .tuple(shape, shape, texts, tail)
    .map(([one, other, taken, rest]) => [
      ...taken.map((said, index) => (index % 2 === 0 ? one(said) : other(said))),
      ...rest.map((said) => one(said)),
      ...rest.map((said) => other(said)),
    ])
}

function runsOf(dialect: DialectName): fc.Arbitrary<JsonObject[]> {
  const run = fc.record({
    // Mostly the first one.
    shape: fc.oneof(fc.constant(shapes[dialect][0]!), fc.constantFrom(...shapes[dialect])),
    texts: fc.array(text, { minLength: 1, maxLength: 8 }),
  })
  return fc
    .array(run, { maxLength: 8 })
    .map((runs) => runs.flatMap(({ shape, texts }) => texts.map((one) => shape(one))))
}

/** Writes the JSON text of an event as a frame. */
export type Spelling = (json: string) => string

export const compact: Spelling = (json) => `data: ${json}\n\n`

function inHexadecimal(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Frames in the styles of the servers that accounts run. */
export const spelling: fc.Arbitrary<Spelling> = fc.constantFrom<Spelling>(
  compact,
  (json) => compact(json.replaceAll(/[<>&='\u2028\u2029]/g, inHexadecimal)),
  (json) => compact(json.replaceAll(/[^ -~]/g, inHexadecimal)),
  (json) => compact(json.replaceAll('/', '\\/')),
  (json) => compact(json.replaceAll('":', '": ')),
  (json) => compact(json.replaceAll('":', '" : ')),
  (json) => `event: some\r\ndata:${json.replaceAll('":', '": ')}\r\n\r\n`,
  (json) => `id: 7\ndata: ${json}\nretry: 1\n\n`,
)
