import { expect, test } from 'vitest'

import { chatCodec } from '../../plugins/dialects/chat/codec/index.ts'
import { generateCodec } from '../../plugins/dialects/generate/codec/index.ts'
import { messagesCodec } from '../../plugins/dialects/messages/codec/index.ts'
import { responsesCodec } from '../../plugins/dialects/responses/codec/index.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { openPage } from './pages.ts'

const rows = new Map(
  [...openPage('docs/plugins.md').text.matchAll(/^\| ([\w ]+) \| (.+) \|$/gm)].map(
    ([, head = '', cells = '']) => [head, cells],
  ),
)

const says = 'words of a user'
const user = { role: 'user', content: says }

/** Requests with texts that have no neutral form, and what the page calls the fields. */
const requests: [string, typeof chatCodec, JsonObject, Record<string, string>][] = [
  [
    'Chat Completions',
    chatCodec,
    {
      messages: [{ ...user, name: 'ann' }],
      prediction: { type: 'content', content: says },
      web_search_options: { user_location: { type: 'approximate' } },
      tools: [{ type: 'search', about: says }],
    },
    {
      prediction: 'prediction',
      web_search_options: 'web_search_options',
      'messages[0].name': 'messages[i].name',
      'tools[0]': 'tools[i]',
    },
  ],
  [
    'Responses',
    responsesCodec,
    {
      input: [
        { role: 'user', content: [{ type: 'scribble', text: says }] },
        { type: 'web_search_call', id: 'ws_1', action: { query: says } },
      ],
      prompt: { id: 'p', variables: { name: says } },
      tools: [
        { type: 'mcp', server_label: 'm', server_description: says },
        {
          type: 'namespace',
          name: 'n',
          description: says,
          tools: [{ type: 'function', name: 'f', parameters: {}, strict: false }],
        },
      ],
    },
    {
      prompt: 'prompt',
      'input[1]': 'input[i]',
      'input[0].content[0]': 'input[i].content[j]',
      'tools[0]': 'tools[i]',
      'tools[1].description': 'tools[i].description',
    },
  ],
  [
    'Messages',
    messagesCodec,
    {
      max_tokens: 9,
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'text', text: says },
            { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: says } },
          ],
        },
        user,
      ],
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      mcp_servers: [{ type: 'url', name: 'm', url: 'https://m.example' }],
      compaction: { instructions: says },
    },
    {
      'messages[1].content[1]': 'messages[i].content[j]',
      'tools[0]': 'tools[i]',
      mcp_servers: 'mcp_servers',
      compaction: 'compaction',
    },
  ],
  [
    'Gemini',
    generateCodec,
    {
      contents: [
        { role: 'user', parts: [{ text: says, partMetadata: { note: says } }] },
        {
          role: 'model',
          parts: [
            { executableCode: { language: 'PYTHON', code: says } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: says } },
            { toolCall: { id: 't' } },
            { toolResponse: { id: 't' } },
            { audioTranscription: { text: says } },
          ],
        },
        { role: 'user', parts: [{ text: says }] },
      ],
      cachedContent: 'cachedContents/c',
    },
    {
      cachedContent: 'cachedContent',
      'contents[0].parts[0].partMetadata': 'partMetadata',
      'contents[1].parts[0].executableCode': 'executableCode',
      'contents[1].parts[1].codeExecutionResult': 'codeExecutionResult',
      'contents[1].parts[2].toolCall': 'toolCall',
      'contents[1].parts[3].toolResponse': 'toolResponse',
      'contents[1].parts[4].audioTranscription': 'audioTranscription',
    },
  ],
]

test.each(requests)(
  'the page names the extras of %s that carry text',
  (name, codec, body, named) => {
    const raw = { body: { model: 'm', ...body }, stream: false, query: '', headers: {} }
    const fields = codec.decodeRequest(raw).extras.map(({ field }) => field)
    expect(fields.toSorted()).toEqual(Object.keys(named).toSorted())
    for (const field of Object.values(named)) expect(rows.get(name)).toContain(`\`${field}\``)
  },
)
