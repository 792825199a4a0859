import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import type { GenerateResult, GenerateUsage, Stop } from '../../../src/generate/result.ts'
import { contextFor } from './asking.ts'

function bodyFor(
  content: AssistantPart[],
  stop: Stop = { reason: 'stop' },
  usage: GenerateUsage = {},
) {
  const result: GenerateResult = { choices: [{ content, stop }], usage }
  return chatCodec.encodeResult(result, contextFor()).body
}

function choiceFor(content: AssistantPart[], stop?: Stop) {
  const [choice] = bodyFor(content, stop).choices as [object]
  return choice
}

const text = (text: string): AssistantPart => ({ type: 'text', text })

describe('a client that reads a reply', () => {
  test('finds what every completion has', () => {
    const result: GenerateResult = {
      id: 'msg_upstream',
      model: 'upstream-model',
      choices: [{ content: [text('Hi')], stop: { reason: 'stop' } }],
      usage: {
        inputTokens: 10,
        outputTokens: 4,
        reasoningTokens: 1,
        cachedTokens: 6,
        cacheWriteTokens: 3,
      },
      serviceTier: 'standard',
    }
    const { body, id, items } = chatCodec.encodeResult(result, contextFor())

    expect(items).toEqual([])
    expect(id).toMatch(/^chatcmpl-\w{24}$/)
    expect(body).toEqual({
      id,
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'm',
      service_tier: 'default',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 4,
        total_tokens: 14,
        prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    })
  })

  test('is told no usage that nobody knows', () => {
    expect(bodyFor([text('Hi')])).not.toHaveProperty('usage')
  })

  test('reads reasoning, text and calls side by side', () => {
    const content: AssistantPart[] = [
      { type: 'reasoning', form: 'summary', text: 'One.' },
      { type: 'reasoning', form: 'redacted', text: '' },
      { type: 'reasoning', form: 'summary', text: 'Two.' },
      text('A'),
      { type: 'tool_call', id: 'a', name: 'look', kind: 'function', arguments: '{"at":1}' },
      { type: 'tool_call', id: 'b', name: 'look', kind: 'function', arguments: '' },
      { type: 'tool_call', id: 'c', name: 'run', kind: 'custom', arguments: '' },
      text('B'),
    ]

    expect(choiceFor(content, { reason: 'tool_calls' })).toMatchObject({
      message: {
        content: 'AB',
        reasoning_content: 'One.\n\nTwo.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
          { id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } },
          { id: 'c', type: 'custom', custom: { name: 'run', input: '' } },
        ],
      },
      finish_reason: 'tool_calls',
    })
  })

  test('finds citations counted from the start of the whole content', () => {
    const url = 'https://x.test'
    const content: AssistantPart[] = [
      text('Well. '),
      {
        type: 'text',
        text: 'So it is.',
        citations: [
          { url, start: 0, end: 2 },
          { url, title: 'X' },
        ],
      },
    ]
    const cited = (start_index: number, end_index: number, title: string) => ({
      type: 'url_citation',
      url_citation: { start_index, end_index, url, title },
    })

    expect(choiceFor(content)).toMatchObject({
      message: { annotations: [cited(6, 8, ''), cited(6, 15, 'X')] },
    })
  })

  test('finds how likely tokens were', () => {
    const logprobs = [
      { token: 'Hi', logprob: -1, top: [{ token: 'Ho', logprob: -2, bytes: [72] }] },
    ]

    expect(choiceFor([{ type: 'text', text: 'Hi', logprobs }])).toMatchObject({
      logprobs: {
        content: [
          {
            token: 'Hi',
            logprob: -1,
            bytes: null,
            top_logprobs: [{ token: 'Ho', logprob: -2, bytes: [72] }],
          },
        ],
        refusal: null,
      },
    })
  })

  test.each<[Stop, string]>([
    [{ reason: 'stop' }, 'stop'],
    [{ reason: 'stop', raw: 'stop_sequence', sequence: 'END' }, 'stop'],
    [{ reason: 'tool_calls' }, 'tool_calls'],
    [{ reason: 'length' }, 'length'],
    [{ reason: 'context', raw: 'model_context_window_exceeded' }, 'length'],
    [{ reason: 'filtered', raw: 'SAFETY' }, 'content_filter'],
    [{ reason: 'refused', raw: 'refusal' }, 'content_filter'],
    [{ reason: 'paused', raw: 'pause_turn' }, 'stop'],
    [{ reason: 'stop', raw: 'LANGUAGE' }, 'stop'],
  ])('that stopped for %j finishes with %s', (stop, finish_reason) => {
    expect(choiceFor([text('Hi')], stop)).toMatchObject({ finish_reason })
  })

  test('reads a refusal, one without words too', () => {
    const refusal: AssistantPart = { type: 'refusal', text: 'No.' }
    const refused = (raw: string): Stop => ({ reason: 'refused', raw })

    expect(choiceFor([refusal], refused('completed'))).toMatchObject({
      message: { content: null, refusal: 'No.' },
      finish_reason: 'stop',
    })
    expect(choiceFor([refusal], refused('refusal'))).toMatchObject({
      message: { content: null, refusal: 'No.' },
      finish_reason: 'content_filter',
    })
    expect(choiceFor([], refused('refusal'))).toMatchObject({
      message: { content: null, refusal: 'The model refused to answer.' },
    })
  })

  test('reads an empty answer as one', () => {
    expect(choiceFor([])).toMatchObject({ message: { content: '', refusal: null } })
  })

  test('is told of pictures that no message can hold', () => {
    const image: AssistantPart = {
      type: 'image',
      mediaType: 'image/png',
      source: { kind: 'data', base64: 'iVBO' },
    }
    const result = { choices: [{ content: [image], stop: { reason: 'stop' } as const }], usage: {} }
    const context = contextFor()
    chatCodec.encodeResult(result, context)

    expect(context.dropped).toMatchObject([{ field: 'choices.message.image' }])
  })
})
