import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { errorMessage, greet, post, type Json } from './requests.ts'

const image = 'data:image/png;base64,AAAA'
const functionCall = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' }
const nulls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]))
const user = (...content: Json[]) => ({ input: [{ role: 'user', content }] })
const assistant = (part: Json) => ({ input: [{ role: 'assistant', content: [part] }] })

describe('responses', () => {
  test.each<[string, Json]>([
    [
      'every kind of user part',
      user(
        { type: 'input_text', text: 'hi' },
        { type: 'input_image', image_url: image, detail: 'low' },
        { type: 'input_file', file_data: 'data:application/pdf;base64,AA', filename: 'a.pdf' },
      ),
    ],
    [
      'a replayed reply',
      assistant({ type: 'output_text', text: 'a', annotations: [], logprobs: [] }),
    ],
    ['a replayed refusal', assistant({ type: 'refusal', refusal: 'no' })],
    [
      'a call with its output',
      { input: [functionCall, { type: 'function_call_output', call_id: 'call_1', output: 'ok' }] },
    ],
    [
      'an item of a hosted tool',
      {
        input: [
          { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } },
          { role: 'user', content: 'hi' },
        ],
      },
    ],
    // As LlamaIndex and .NET's frameworks send it: `null` for what their user leaves out.
    [
      'null for every optional field',
      {
        ...nulls(
          'instructions',
          'temperature',
          'previous_response_id',
          'user',
          'tools',
          'text',
          'tool_choice',
          'metadata',
          'include',
          'max_output_tokens',
          'truncation',
          'image',
        ),
        reasoning: nulls('effort', 'summary'),
      },
    ],
    [
      'null for optional members',
      {
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'hi' },
              { type: 'input_image', image_url: image, ...nulls('file_id', 'detail') },
            ],
            ...nulls('type', 'id', 'status'),
          },
          { ...functionCall, ...nulls('id', 'status', 'namespace') },
          {
            type: 'function_call_output',
            call_id: 'call_1',
            output: 'ok',
            ...nulls('id', 'status', 'name'),
          },
        ],
        text: nulls('format', 'verbosity'),
        tools: [
          {
            type: 'function',
            name: 'f',
            ...nulls('description', 'parameters', 'strict', 'defer_loading'),
          },
        ],
      },
    ],
    [
      'the fields that came later',
      {
        background: false,
        context_management: [{ type: 'compaction' }],
        moderation: { model: 'm' },
        prompt_cache_options: { mode: 'implicit' },
        safety_identifier: 'me',
        text: { verbosity: 'low' },
        access_programs: { cyber: true },
      },
    ],
    ['a stored prompt', { prompt: { id: 'pmpt_1', variables: { name: 'Ada' } } }],
    ['hosted tools', { tools: [{ type: 'web_search' }, { type: 'mcp', server_label: 's' }] }],
  ])('takes %s', async (_, body) => {
    await using sandbox = await startSandbox()
    const response = await post(sandbox, greet('responses', 'm'), { body })
    expect(await errorMessage(response)).toBe('')
  })

  test.each<[string, Json, string]>([
    ['an unknown field', { surprise: 1 }, 'Unrecognized request argument supplied: surprise'],
    ['chat messages', { messages: [] }, 'Unrecognized request argument supplied: messages'],
    ['a chat text part', user({ type: 'text', text: 'hi' }), "Invalid value: 'text'"],
    ['a chat image part', user({ type: 'image_url', image_url: { url: image } }), "'image_url'"],
    ['an image in an object', user({ type: 'input_image', image_url: { url: image } }), 'a string'],
    ['an output part of a user', user({ type: 'output_text', text: 'hi' }), "'output_text'"],
    ['an input part of an assistant', assistant({ type: 'input_text', text: 'a' }), "'input_text'"],
    ['parsed text', assistant({ type: 'output_text', text: '{}', parsed: {} }), 'parsed'],
    [
      'parsed arguments',
      { input: [{ ...functionCall, parsed_arguments: {} }] },
      'parsed_arguments',
    ],
    ['null for what an item needs', { input: [{ ...functionCall, arguments: null }] }, 'got null'],
    ['null in a list', { input: [null] }, 'got null'],
    ['a prompt that is a string', { prompt: 'be nice' }, "Invalid type for 'prompt'"],
    ['an unknown role', { input: [{ role: 'tool', content: 'x' }] }, "Invalid value: 'tool'"],
    ['an unknown item', { input: [{ type: 'surprise' }] }, "Invalid value: 'surprise'"],
    ['an item id of another kind', { input: [{ ...functionCall, id: 'call_1' }] }, '^fc'],
    [
      'a nested chat tool',
      { tools: [{ type: 'function', function: { name: 'f' } }] },
      'tools[0].name',
    ],
    ['an unknown tool', { tools: [{ type: 'surprise' }] }, "Invalid value: 'surprise'"],
    [
      'a nested response format',
      { text: { format: { type: 'json_schema', json_schema: {} } } },
      'name',
    ],
    ['too much heat', { temperature: 3 }, 'above maximum value'],
    ['too few tokens', { max_output_tokens: 15 }, 'below minimum value'],
    ['a number as a string', { temperature: '1' }, 'expected a number, but got a string'],
    ['an unknown include', { include: ['everything'] }, "'everything'"],
    ['an empty previous id', { previous_response_id: '' }, 'below minimum length'],
    ['no input', { input: undefined }, "Missing required parameter: 'input'"],
    ['no model', { model: undefined }, "Missing required parameter: 'model'"],
    ['a call without its output', { input: [functionCall] }, 'No tool output found'],
    [
      'an output without its call',
      { input: [{ type: 'function_call_output', call_id: 'call_9', output: 'x' }] },
      'No tool call found',
    ],
    [
      'reasoning nobody thought',
      { input: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AAAA' }] },
      'could not be verified',
    ],
    ['JSON without the word', { text: { format: { type: 'json_object' } } }, "the word 'json'"],
    ['background without storage', { background: true, store: false }, 'store'],
  ])('refuses %s', async (_, body, message) => {
    await using sandbox = await startSandbox()
    const response = await post(sandbox, greet('responses', 'm'), { body })
    expect(await errorMessage(response)).toContain(message)
    expect(response.status).toBe(400)
  })
})

const say = (...messages: Json[]) => ({ messages })
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
const nulled = { ...call, type: null }
const hi = { role: 'user', content: 'hi' }
const picture = { url: image, detail: null }
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]

describe('chat completions', () => {
  test.each<[string, Json]>([
    [
      'every role',
      say(
        { role: 'system', content: 'be nice' },
        { role: 'developer', content: [{ type: 'text', text: 'be brief' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image_url', image_url: { url: image } },
            { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
            { type: 'file', file: { file_id: 'f' } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
      ),
    ],
    [
      'a replayed reply',
      say(
        hi,
        {
          role: 'assistant',
          content: 'hello',
          refusal: null,
          annotations: [],
          reasoning_content: 'hm',
        },
        hi,
      ),
    ],
    // As LiteLLM sends it.
    [
      'the name of a tool beside its result',
      say(
        hi,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', name: 'f', content: 'ok' },
      ),
    ],
    [
      'null for every optional field',
      nulls(
        'user',
        'tools',
        'tool_choice',
        'parallel_tool_calls',
        'response_format',
        'stop',
        'n',
        'functions',
        'function_call',
        'web_search_options',
        'stream_options',
        'temperature',
      ),
    ],
    [
      'null for optional members',
      {
        ...say(
          { role: 'system', content: 'be nice', name: null },
          { role: 'user', name: null, content: [{ type: 'image_url', image_url: picture }] },
          {
            role: 'assistant',
            content: 'hello',
            ...nulls('name', 'tool_calls', 'audio', 'refusal'),
          },
          hi,
          { role: 'assistant', tool_calls: [call], ...nulls('content', 'function_call') },
          { role: 'tool', tool_call_id: 'call_1', name: null, content: 'ok' },
        ),
        tools: [
          { type: 'function', function: { name: 'f', ...nulls('description', 'parameters') } },
        ],
      },
    ],
    [
      'most fields',
      {
        frequency_penalty: 1,
        logit_bias: { 50256: -100 },
        logprobs: true,
        max_completion_tokens: 5,
        metadata: { a: 'b' },
        modalities: ['text'],
        n: 2,
        parallel_tool_calls: true,
        prediction: { type: 'content', content: 'x' },
        presence_penalty: 1,
        seed: 1,
        service_tier: 'flex',
        stop: ['a', 'b'],
        tools,
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools } },
        top_logprobs: 2,
        verbosity: 'low',
        web_search_options: {},
      },
    ],
  ])('takes %s', async (_, body) => {
    await using sandbox = await startSandbox()
    const response = await post(sandbox, greet('chat-completions', 'm'), { body })
    expect(await errorMessage(response)).toBe('')
  })

  test.each<[string, Json, string]>([
    ['an unknown field', { surprise: 1 }, 'Unrecognized request argument supplied: surprise'],
    ['the input of responses', { input: 'hi' }, 'Unrecognized request argument supplied: input'],
    ['no messages', { messages: [] }, 'below minimum item count'],
    ['an unknown role', say({ role: 'model', content: 'x' }), "Invalid value: 'model'"],
    [
      'a responses part',
      say({ role: 'user', content: [{ type: 'input_text', text: 'a' }] }),
      "'input_text'",
    ],
    [
      'an image as a string',
      say({ role: 'user', content: [{ type: 'image_url', image_url: image }] }),
      'an object',
    ],
    [
      'an image of a system',
      say({ role: 'system', content: [{ type: 'image_url', image_url: { url: image } }] }),
      "'image_url'",
    ],
    ['a user without content', say({ role: 'user', content: null }), 'messages[0].content'],
    ['null for what a call needs', say(hi, { role: 'assistant', tool_calls: [nulled] }), "'null'"],
    ['a silent assistant', say({ role: 'assistant', content: null }), 'got null'],
    ['a parsed reply', say(hi, { role: 'assistant', content: '{}', parsed: {} }), 'parsed'],
    [
      'parsed arguments',
      say(hi, {
        role: 'assistant',
        tool_calls: [{ ...call, function: { ...call.function, parsed_arguments: {} } }],
      }),
      'parsed_arguments',
    ],
    [
      'arguments in an object',
      say(hi, {
        role: 'assistant',
        tool_calls: [{ ...call, function: { name: 'f', arguments: {} } }],
      }),
      'expected a string',
    ],
    [
      'a long call id',
      say(hi, { role: 'assistant', tool_calls: [{ ...call, id: 'x'.repeat(41) }] }),
      'above maximum length',
    ],
    [
      'a call that nobody answers',
      say(hi, { role: 'assistant', tool_calls: [call] }, hi),
      'call_1',
    ],
    [
      'a result that nobody asked for',
      say(hi, { role: 'tool', tool_call_id: 'call_1', content: 'x' }),
      'must be a response to a preceding',
    ],
    ['a flat tool', { tools: [{ type: 'function', name: 'f' }] }, 'tools[0].function'],
    [
      'a flat response format',
      { response_format: { type: 'json_schema', name: 'n', schema: {} } },
      'json_schema',
    ],
    [
      'a tool choice without tools',
      { tool_choice: 'auto' },
      "only allowed when 'tools' are specified",
    ],
    [
      'stream options without a stream',
      { stream_options: { include_usage: true } },
      "'stream' is enabled",
    ],
    ['too many choices', { n: 129 }, 'above maximum value'],
    ['too many stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'above maximum item count'],
    ['both limits', { max_tokens: 1, max_completion_tokens: 1 }, 'cannot both be set'],
    ['JSON without the word', { response_format: { type: 'json_object' } }, "the word 'json'"],
  ])('refuses %s', async (_, body, message) => {
    await using sandbox = await startSandbox()
    const response = await post(sandbox, greet('chat-completions', 'm'), { body })
    expect(await errorMessage(response)).toContain(message)
    expect(response.status).toBe(400)
  })
})

test('a fault is told with its parameter and a code in words', async () => {
  await using sandbox = await startSandbox()
  const response = await post(sandbox, greet('responses', 'm'), { body: { temperature: 3 } })
  expect(await response.json()).toEqual({
    error: {
      message:
        "Invalid 'temperature': above maximum value. Expected a value <= 2, but got 3 instead.",
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'number_above_max_value',
    },
  })
})

test('a body has to be JSON and to say so', async () => {
  await using sandbox = await startSandbox()
  const headers = { authorization: 'Bearer sandbox-key-a' }
  const send = (type: string, body: string) =>
    fetch(`${sandbox.url}/v1/responses`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
    })
  expect((await send('text/plain', '{}')).status).toBe(415)
  expect((await send('application/json', '{')).status).toBe(400)
  expect((await send('application/json', '[]')).status).toBe(400)
})
