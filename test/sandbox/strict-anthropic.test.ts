import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { errorMessage, greet, post, type Json } from './requests.ts'

const hi = { role: 'user', content: 'hi' }
const say = (...messages: Json[]) => ({ messages })
const user = (...content: Json[]) => ({ role: 'user', content })
const assistant = (...content: Json[]) => ({ role: 'assistant', content })
const text = { type: 'text', text: 'hi' }
const use = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }
const tools = [{ name: 'f', input_schema: { type: 'object' } }]
const png = { type: 'base64', media_type: 'image/png', data: 'AAAA' }

describe('messages', () => {
  test.each<[string, Json]>([
    ['a tool use with its result', say(hi, assistant(text, use), user(result, text))],
    ['turns of one role in a row', say(hi, hi, assistant(use), assistant(), user(result), hi)],
    [
      'images and documents',
      say(
        user(
          { type: 'image', source: png, cache_control: { type: 'ephemeral', ttl: '1h' } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } },
        ),
      ),
    ],
    [
      'null where its types have null',
      {
        ...say(
          user({ ...text, cache_control: null, citations: null }),
          assistant({ ...use, cache_control: null }),
          user({ ...result, is_error: null }),
        ),
        cache_control: null,
        container: null,
        metadata: { user_id: null },
        output_config: { effort: null, format: null },
        tools: [{ ...tools[0], type: null, cache_control: null }],
      },
    ],
    ['a system message on the way', say(hi, { role: 'system', content: 'be brief' }, hi)],
    [
      'most fields',
      {
        cache_control: { type: 'ephemeral' },
        metadata: { user_id: 'me' },
        output_config: { effort: 'low' },
        service_tier: 'auto',
        stop_sequences: ['a'],
        system: [{ ...text, cache_control: { type: 'ephemeral' } }],
        temperature: 1,
        thinking: { type: 'disabled' },
        tools: [...tools, { type: 'web_search_20250305', name: 'web_search' }],
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
        top_k: 5,
      },
    ],
  ])('takes %s', async (_, body) => {
    await using sandbox = await startSandbox()
    const response = await post(sandbox, greet('messages', 'm'), { body })
    expect(await errorMessage(response)).toBe('')
  })

  test.each<[string, Json, string]>([
    ['an unknown field', { surprise: 1 }, 'surprise: Extra inputs are not permitted'],
    ['a beta field without the beta', { mcp_servers: [] }, 'mcp_servers: Extra inputs'],
    ['null for its other fields', { system: null }, 'system: '],
    ['null for its settings', { temperature: null }, 'temperature: '],
    ['null for a description', { tools: [{ ...tools[0], description: null }] }, 'description: '],
    ['no limit', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['a tool role', say({ role: 'tool', content: 'x' }), "messages.0.role: Input should be 'user'"],
    ['an empty text', say(user({ type: 'text', text: '' })), 'should have at least 1 character'],
    ['an empty message', say({ role: 'user', content: '' }), 'non-empty content'],
    ['a chat image', say(user({ type: 'image_url', image_url: { url: 'x' } })), 'Input should be'],
    ['an image by its bare URL', say(user({ type: 'image', source: 'https://x' })), 'an object'],
    ['an extra key in a block', say(user({ ...text, parsed: {} })), 'parsed: Extra inputs'],
    [
      'arguments in a string',
      say(hi, assistant({ ...use, input: '{}' })),
      'input: Input should be',
    ],
    ['a tool id with a dot', say(hi, assistant({ ...use, id: 'a.b' })), 'match pattern'],
    ['a use without its result', say(hi, assistant(use), hi), 'without `tool_result`'],
    [
      'a result behind the text',
      say(hi, assistant(use), user(text, result)),
      'without `tool_result`',
    ],
    ['a result without its use', say(user(result)), 'unexpected `tool_use_id`'],
    ['a result in an assistant turn', say(hi, assistant(result)), 'not allowed in assistant'],
    [
      'thinking nobody thought',
      say(hi, assistant({ type: 'thinking', thinking: 'x', signature: 'AAAA' })),
      'Invalid `signature`',
    ],
    [
      'a cached thought',
      say(hi, assistant({ type: 'thinking', thinking: 'x', signature: 'AA', cache_control: null })),
      'cache_control: Extra inputs',
    ],
    ['a chat tool', { tools: [{ type: 'function', function: {} }] }, 'tools.0.type'],
    ['two tools of one name', { tools: [...tools, ...tools] }, 'must be unique'],
    ['a choice without tools', { tool_choice: { type: 'any' } }, 'while providing tools'],
    [
      'a choice of an unknown tool',
      { tools, tool_choice: { type: 'tool', name: 'g' } },
      'not found',
    ],
    ['a choice that is a string', { tools, tool_choice: 'auto' }, 'tool_choice: Input should be'],
    ['too much heat', { temperature: 1.5 }, 'temperature: Input should be less than'],
    ['too little thinking', { thinking: { type: 'enabled', budget_tokens: 10 } }, 'budget_tokens'],
    [
      'more thinking than talk',
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      'greater than',
    ],
  ])('refuses %s', async (_, body, message) => {
    await using sandbox = await startSandbox()
    const response = await post(sandbox, greet('messages', 'm'), { body })
    expect(await errorMessage(response)).toContain(message)
    expect(response.status).toBe(400)
  })
})

test('the API version has to be named, and to exist', async () => {
  await using sandbox = await startSandbox()
  const request = greet('messages', 'm')
  const key = { 'x-api-key': 'sandbox-key-a' }
  expect(await errorMessage(await post(sandbox, { ...request, headers: key }))).toBe(
    'anthropic-version: header is required',
  )
  const headers = { 'anthropic-version': '2024-01-01' }
  expect(await errorMessage(await post(sandbox, request, { headers }))).toContain('not a valid')
})

test.each(['temperature', 'top_p', 'top_k'])('the version 2026-10-21 knows no %s', async (name) => {
  await using sandbox = await startSandbox()
  const headers = { 'anthropic-version': '2026-10-21' }
  const newer = await post(sandbox, greet('messages', 'm'), { headers, body: { [name]: 1 } })
  expect(newer.status).toBe(400)
  const older = await post(sandbox, greet('messages', 'm'), { body: { [name]: 1 } })
  expect(older.status).toBe(200)
})

test('beta fields are taken from those who ask for a beta', async () => {
  await using sandbox = await startSandbox()
  const headers = { 'anthropic-beta': 'mcp-client-2025-11-20' }
  const body = { mcp_servers: [{ type: 'url', url: 'https://x', name: 'x' }] }
  const response = await post(sandbox, greet('messages', 'm'), { headers, body })
  expect(response.status).toBe(200)
})

test('errors carry their type and the request id', async () => {
  await using sandbox = await startSandbox()
  const response = await post(sandbox, greet('messages', 'm'), { body: { top_k: -1 } })
  expect(await response.json()).toEqual({
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: 'top_k: Input should be greater than or equal to 0',
    },
    request_id: response.headers.get('request-id'),
  })
})
