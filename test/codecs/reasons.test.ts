import { describe, expect, test } from 'vitest'

import { chatDialect } from '../../plugins/dialects/chat/index.ts'
import { generateDialect } from '../../plugins/dialects/generate/index.ts'
import { messagesDialect } from '../../plugins/dialects/messages/index.ts'
import { responsesDialect } from '../../plugins/dialects/responses/index.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { codecs, decode, type Name, names } from './samples/index.ts'

const dialects = {
  chat: chatDialect,
  generate: generateDialect,
  messages: messagesDialect(),
  responses: responsesDialect,
} as const satisfies Record<Name, object>

/** A clause that stands behind a field and a colon: neither a sentence's beginning nor its end. */
const clause = /^(?:[a-z`]|[A-Z]{2,4}\b).{8,90}[^.]$/s

/** What only clients of one dialect say, wherever it may stand. */
const own: Readonly<Record<Name, readonly JsonObject[]>> = {
  chat: [
    { logit_bias: { 1: 1 }, prediction: {}, web_search_options: {}, unheard_of: 1 },
    { modalities: ['audio'], audio: {}, prompt_cache_retention: '24h', prompt_cache_options: {} },
    { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
    { messages: [{ role: 'user', name: 'Ada', content: 'Hi' }] },
    { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file_1' } }] }] },
    { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] },
    {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi', prompt_cache_breakpoint: {} }] },
      ],
    },
  ],
  generate: [
    { cachedContent: 'c', labels: {}, safetySettings: [], continuationToken: 't', unheardOf: 1 },
    { generationConfig: { speechConfig: {}, mediaResolution: 'LOW', routingConfig: {} } },
    { generationConfig: { responseModalities: ['AUDIO'], responseMimeType: 'text/x.enum' } },
    { tools: [{ googleSearch: {} }], toolConfig: { retrievalConfig: {} } },
    { tools: [{ functionDeclarations: [{ name: 'a', behavior: 'NON_BLOCKING' }] }] },
    { contents: [{ parts: [{ fileData: { fileUri: 'gs://a/b' } }] }] },
    { contents: [{ parts: [{ inlineData: { mimeType: 'video/mp4', data: 'AA' } }] }] },
    { contents: [{ parts: [{ text: 'Hi', videoMetadata: {}, partMetadata: {} }] }] },
    { contents: [{ parts: [{ executableCode: {} }] }] },
  ],
  messages: [
    { container: 'c', mcp_servers: [{}], inference_geo: 'us', thread: 't', unheard_of: 1 },
    { max_tokens: 0, cache_control: {}, tools: [{ type: 'bash_20250124', name: 'bash' }] },
    { thinking: { type: 'between_tools' }, output_config: { unheard_of: 1 } },
    { thinking: { type: 'disabled' }, output_config: { effort: 'low' } },
    { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }] },
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'file', file_id: 'f' } },
            { type: 'search_result', title: 'T', source: 's', content: [] },
            {
              type: 'document',
              source: { type: 'text', data: 'Words.' },
              citations: { enabled: true },
            },
          ],
        },
      ],
    },
  ],
  responses: [
    { background: true, truncation: 'auto', context_management: [], moderation: {} },
    { prompt: { id: 'p' }, max_tool_calls: 2, stream_options: {}, image: {}, unheard_of: 1 },
    { prompt_cache_retention: '24h', access_programs: [], include: ['unheard_of'] },
    { reasoning: { unheard_of: 1 }, tools: [{ type: 'web_search' }] },
    { tools: [{ type: 'function', name: 'a', output_schema: {}, defer_loading: true }] },
    { tool_choice: { type: 'web_search' } },
    { input: [{ type: 'item_reference', id: 'i' }, { type: 'computer_call' }] },
    { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
    { input: [{ role: 'assistant', phase: 'commentary', content: 'Hi' }] },
  ],
}

describe.each(names)('what %s says of losses', (name) => {
  test('is a clause for each feature that its accounts lack', () => {
    const reasons = Object.values(codecs[name].lacks ?? {}).map(({ reason }) => reason)
    expect(reasons.length).toBeGreaterThan(5)
    for (const reason of reasons) expect(reason).toMatch(clause)
  })

  test('names the API that lacks it, as its documentation does', () => {
    const { title } = dialects[name]
    for (const lack of Object.values(codecs[name].lacks ?? {})) {
      if (lack.treatment !== 'silent') expect(lack.reason).toContain(`the ${title}`)
    }
  })

  test.each(own[name])('is a clause for each extra in %j', (body) => {
    const { extras } = decode(name, body)
    expect(extras).not.toEqual([])
    for (const { reason } of extras) expect(reason).toMatch(clause)
  })
})
