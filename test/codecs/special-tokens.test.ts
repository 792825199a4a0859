import { describe, expect, test } from 'vitest'

import { chatOutcome } from '../../plugins/dialects/chat/outcome.ts'
import { generateOutcome } from '../../plugins/dialects/generate/outcome.ts'
import { imageUsage } from '../../plugins/dialects/images/reply.ts'
import { messageOutcome } from '../../plugins/dialects/messages/outcome.ts'
import { responseOutcome } from '../../plugins/dialects/responses/outcome.ts'
import type { Usage } from '../../src/contract/outcome.ts'
import { reportedUsage } from '../../src/kit/usage.ts'

const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm' }
const choices = [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }]
const counted = { input_tokens: 3, output_tokens: 5 }

const ofMessages = (usage: object) =>
  messageOutcome({ ...message, stop_reason: 'end_turn', usage: { ...counted, ...usage } }).usage
const ofChat = (more: object, usage: object = {}) =>
  chatOutcome({
    id: 'chatcmpl-1',
    model: 'm',
    choices,
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8, ...usage },
    ...more,
  }).usage
const ofResponses = (more: object) =>
  responseOutcome({ id: 'resp_1', status: 'completed', output: [], usage: counted, ...more }).usage
const ofGenerate = (usage: object) =>
  generateOutcome({
    candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5, ...usage },
  }).usage

const plain: Usage = { inputTokens: 3, outputTokens: 5 }

describe('the service tier of a reply', () => {
  test.each<[string, Usage | undefined, string | undefined]>([
    ['Responses', ofResponses({ service_tier: 'flex' }), 'flex'],
    ['Responses, the standard one', ofResponses({ service_tier: 'default' }), undefined],
    ['Chat', ofChat({ service_tier: 'priority' }), 'priority'],
    ['Chat, the standard one of Groq', ofChat({ service_tier: 'on_demand' }), undefined],
    ['Chat, none', ofChat({ service_tier: null }), undefined],
    ['Chat, no name at all', ofChat({ service_tier: 'x'.repeat(100) }), '_other'],
    ['Messages', ofMessages({ service_tier: 'priority' }), 'priority'],
    ['Messages, the standard one', ofMessages({ service_tier: 'standard' }), undefined],
    ['Messages, the fast mode', ofMessages({ service_tier: 'standard', speed: 'fast' }), 'fast'],
    [
      'Messages, in a region',
      ofMessages({ service_tier: 'priority', inference_geo: 'us' }),
      'priority+us',
    ],
    [
      'Messages, fast in a region',
      ofMessages({ inference_geo: 'us', speed: 'fast', service_tier: 'priority' }),
      'priority+fast+us',
    ],
    ['Messages, in any region', ofMessages({ inference_geo: 'not_available' }), undefined],
    ['Gemini', ofGenerate({ serviceTier: 'FLEX' }), 'flex'],
    ['Vertex AI', ofGenerate({ trafficType: 'PROVISIONED_THROUGHPUT' }), 'provisioned_throughput'],
    ['Vertex AI, the standard one', ofGenerate({ trafficType: 'ON_DEMAND' }), undefined],
  ])('%s', (_, usage, tier) => {
    expect(usage).toEqual({ ...plain, ...(tier !== undefined && { tier }) })
  })

  test('alone is no usage', () => {
    expect(reportedUsage({ tier: 'flex' })).toBeUndefined()
  })
})

describe('the tokens with prices of their own', () => {
  test('writes to the cache of an hour are some of all writes', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 }
    const usage = ofMessages({ cache_creation_input_tokens: 100, cache_creation })
    expect(usage).toEqual({
      ...plain,
      inputTokens: 103,
      cacheWriteTokens: 100,
      cacheWrite1hTokens: 60,
    })
  })

  test.each([
    [
      'Chat',
      ofChat(
        {},
        {
          prompt_tokens_details: { audio_tokens: 2, image_tokens: 0 },
          completion_tokens_details: { audio_tokens: 4 },
        },
      ),
    ],
    [
      'Gemini',
      ofGenerate({
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 1 },
          { modality: 'AUDIO', tokenCount: 2 },
        ],
        candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 4 }],
      }),
    ],
  ])('audio of %s', (_, usage) => {
    expect(usage).toEqual({ ...plain, audioInputTokens: 2, audioOutputTokens: 4 })
  })

  test('audio and images in the prompts of tools of Gemini are those of the prompt too', () => {
    const listed = (audio: number, image: number) => [
      { modality: 'AUDIO', tokenCount: audio },
      { modality: 'IMAGE', tokenCount: image },
    ]
    const usage = ofGenerate({
      promptTokensDetails: listed(1, 1),
      toolUsePromptTokenCount: 9,
      toolUsePromptTokensDetails: listed(4, 5),
    })
    expect(usage).toMatchObject({ inputTokens: 12, audioInputTokens: 5, imageInputTokens: 6 })
  })

  test('web searches of Messages and Responses', () => {
    const server_tool_use = { web_search_requests: 2, web_fetch_requests: 1 }
    expect(ofMessages({ server_tool_use })).toEqual({ ...plain, searches: 2 })
    expect(ofMessages({ server_tool_use: null })).toEqual(plain)
    const call = (type: string, status = 'completed') => ({
      type: 'web_search_call',
      id: 'ws_1',
      status,
      action: { type },
    })
    const output = [call('search'), call('open_page'), call('search'), call('search', 'failed')]
    expect(ofResponses({ output })).toEqual({ ...plain, searches: 2 })
  })

  test('images', () => {
    const details = { text_tokens: 1, image_tokens: 2 }
    const usage = { ...counted, input_tokens_details: details, output_tokens_details: details }
    const images = { imageInputTokens: 2, imageOutputTokens: 2 }
    const context = { kind: 'newer', values: {} } as const
    expect(imageUsage({ usage }, 1, context)).toEqual({ ...plain, ...images, images: 1 })
  })
})
