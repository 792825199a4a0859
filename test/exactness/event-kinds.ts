import * as fc from 'fast-check'

import type { DialectName } from '../requests/dialects.ts'
import { member, objectWith, stringText, type TextMember, valueText } from './json-text.ts'
import type { SentEvent } from './sse-events.ts'

/**
 * Valid event sequences of each dialect: its real kinds in an order that its SDKs accept, with any
 * payload and any further keys. `error` is none of those keys: it would end the stream.
 */

/** Keys that mean something in one dialect or another and so are never there by chance. */
const telling = ['type', 'error', 'response', 'choices', 'candidates', 'promptFeedback', 'usage']

type Event = fc.Arbitrary<SentEvent>

const middleOfResponse = [
  ['output_item', 'added done'],
  ['content_part', 'added done'],
  ['output_text', 'delta done annotation.added'],
  ['refusal', 'delta done'],
  ['function_call_arguments', 'delta done'],
  ['reasoning_summary_part', 'added done'],
  ['reasoning_text', 'delta done'],
  ['web_search_call', 'in_progress searching completed'],
  ['code_interpreter_call_code', 'delta done'],
  ['mcp_call', 'in_progress completed failed'],
  ['image_generation_call', 'generating partial_image completed'],
  ['compaction', 'compacting'],
].flatMap(([noun, steps = '']) => steps.split(' ').map((step) => `response.${noun}.${step}`))

const middleOfMessage = ['content_block_start', 'content_block_delta', 'content_block_stop', 'ping']

const mayBeDone = fc.constantFrom<SentEvent[]>([], [{ data: '[DONE]' }])

const responses = fc
  .tuple(
    responseSnapshot('response.created'),
    responseSnapshot('response.in_progress'),
    fc.array(anyOf(middleOfResponse), { minLength: 1 }),
    fc.oneof(responseSnapshot('response.completed'), responseSnapshot('response.incomplete')),
    mayBeDone,
  )
  .map((parts) => parts.flat())

const messages = fc
  .tuple(
    typed('message_start'),
    fc.array(anyOf(middleOfMessage), { minLength: 1 }),
    typed('message_delta'),
    typed('message_stop'),
  )
  .map((parts) => parts.flat())

const chatUsage = event([
  fixed('choices', '[]'),
  fixed('usage', '{"prompt_tokens": 1, "completion_tokens": 2}'),
  fixed('error', 'null'),
])

const chat = fc
  .tuple(
    fc.array(chatChunk('null'), { minLength: 1 }),
    chatChunk('"stop"'),
    fc.array(chatUsage, { maxLength: 1 }),
    mayBeDone,
  )
  .map((parts) => parts.flat())

const generate = fc
  .tuple(
    fc.array(generateChunk([])),
    generateChunk([member(fc.constant('"finishReason"'), fc.constantFrom('"STOP"', '"SAFETY"'))]),
    fc.array(event([fixed('usageMetadata', '{"totalTokenCount":3}')]), { maxLength: 1 }),
  )
  .map((parts) => parts.flat())

export const sequences: Record<DialectName, fc.Arbitrary<SentEvent[]>> = {
  responses,
  chat,
  messages,
  generate,
}

function event(members: readonly fc.Arbitrary<TextMember>[], name?: string): Event {
  const text = objectWith(members, [...telling, 'usageMetadata', 'content_block'])
  return text.map((data) => (name === undefined ? { data } : { name, data }))
}

/** `event: <name>`, and the same as `type` in the data. */
function typed(name: string, members: readonly fc.Arbitrary<TextMember>[] = []): Event {
  return event([fixed('type', `"${name}"`), ...members], name)
}

function anyOf(names: readonly string[]): Event {
  return fc.constantFrom(...names).chain((name) => typed(name))
}

function responseSnapshot(name: string): Event {
  const response = objectWith([member(fc.constant('"id"'), stringText)], ['id', 'status', 'error'])
  return typed(name, [member(fc.constant('"response"'), response)])
}

function chatChunk(finishReason: string): Event {
  const delta = objectWith([member(fc.constant('"content"'), stringText)], ['content'])
  const choice = objectWith(
    [
      fixed('index', '0'),
      member(fc.constant('"delta"'), delta),
      fixed('finish_reason', finishReason),
    ],
    ['index', 'delta', 'finish_reason'],
  )
  return event([member(fc.constant('"choices"'), choice.map(listed))])
}

function generateChunk(further: readonly fc.Arbitrary<TextMember>[]): Event {
  const content = member(fc.constant('"content"'), valueText)
  const candidate = objectWith([content, ...further], ['content', 'finishReason', 'index'])
  return event([member(fc.constant('"candidates"'), candidate.map(listed))])
}

/** With white space as servers write it: none, or one space after the colon. */
function fixed(key: string, value: string): fc.Arbitrary<TextMember> {
  const spaces = fc.constantFrom(['', '', '', ''], ['', '', ' ', ''])
  return spaces.map((around) => ({ key: `"${key}"`, value, spaces: around }))
}

function listed(text: string): string {
  return `[${text}]`
}
