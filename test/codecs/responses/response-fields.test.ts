import { expect, test } from 'vitest'

import { context, encodedResult, written } from './codec.ts'
import { responsesCodec } from '../../../plugins/dialects/responses/codec/index.ts'
import { hello, reply, shout, weather } from './replies.ts'

test('a response to a bare request has all the fields that readers demand', () => {
  const { body } = encodedResult(reply([hello]), { model: 'm', input: 'hi' })
  expect(body).toEqual({
    id: expect.stringMatching(/^resp_/) as string,
    object: 'response',
    created_at: 1_700_000_000,
    completed_at: expect.any(Number) as number,
    status: 'completed',
    access_programs: null,
    background: false,
    conversation: null,
    error: null,
    frequency_penalty: 0,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model: 'house/large',
    output: [
      {
        id: expect.stringMatching(/^msg_/) as string,
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hello there', annotations: [], logprobs: [] }],
      },
    ],
    output_text: 'Hello there',
    parallel_tool_calls: true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'auto',
    store: true,
    temperature: 1,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    usage: {
      input_tokens: 20,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 29,
    },
    user: null,
  })
})

test('what the request said is repeated, its tools with all their keys', () => {
  const said = {
    instructions: 'Be brief.',
    max_output_tokens: 100,
    max_tool_calls: 3,
    metadata: { a: 'b' },
    parallel_tool_calls: false,
    previous_response_id: 'resp_before',
    prompt_cache_key: 'k',
    reasoning: { effort: 'low', summary: 'auto' },
    safety_identifier: 's',
    store: false,
    temperature: 0.5,
    tool_choice: 'required',
    top_p: 0.9,
    truncation: 'auto',
    user: 'u',
  }
  const tools = [{ type: 'function', name: 'weather' }]
  const { body } = encodedResult(reply([hello]), { ...said, tools, conversation: 'conv_1' })
  expect(body).toMatchObject({ ...said, conversation: { id: 'conv_1' } })
  expect(body.tools).toEqual([
    { type: 'function', name: 'weather', description: null, parameters: null, strict: null },
  ])
})

test('a string prompt is told as the instructions that it was taken for', () => {
  const { body } = encodedResult(reply([hello]), { instructions: 'Be brief.', prompt: 'Be kind.' })
  expect(body.instructions).toBe('Be brief.\n\nBe kind.')
})

test('the first snapshot has no output and no usage yet', () => {
  const [created] = written(reply([hello]), { instructions: 'Be brief.' })
  expect(created?.response).toMatchObject({
    status: 'in_progress',
    instructions: 'Be brief.',
    output: [],
    usage: null,
    completed_at: null,
  })
})

test('usage that nobody told is unknown, never 0', () => {
  expect(encodedResult({ ...reply([hello]), usage: {} }).body.usage).toBeNull()
})

test('a citation that does not say what it is for is for the whole text', () => {
  const { body } = encodedResult(reply([{ ...hello, citations: [{ url: 'https://a.example' }] }]))
  expect(body.output).toMatchObject([
    {
      content: [
        { annotations: [{ url: 'https://a.example', title: '', start_index: 0, end_index: 11 }] },
      ],
    },
  ])
})

test('the tier that served it is told in words that clients know', () => {
  const tierOf = (serviceTier: string) =>
    encodedResult({ ...reply([hello]), serviceTier }, { service_tier: 'flex' }).body.service_tier
  expect(tierOf('priority')).toBe('priority')
  expect(tierOf('standard')).toBe('default')
  expect(tierOf('something else')).toBe('flex')
})

test('items have ids of their kinds, which the gateway learns in their order', () => {
  const { id, items } = encodedResult(reply([hello, weather, shout]))
  expect(id).toMatch(/^resp_/)
  expect(items.map((item) => item.split('_')[0])).toEqual(['msg', 'fc', 'ctc'])
})

test('sound and further answers have no form, and are told as dropped', () => {
  const audio = {
    type: 'audio',
    mediaType: 'audio/wav',
    source: { kind: 'data', base64: 'x' },
  } as const
  const told = reply([hello, audio])
  const second = { content: [hello], stop: { reason: 'length' } } as const
  const into = context()
  const { body } = responsesCodec.encodeResult(
    { ...told, choices: [...told.choices, second] },
    into,
  )
  expect(into.dropped).toEqual(['audio', 'choices'])
  expect(body.output).toHaveLength(1)
  expect(body.status).toBe('completed')
})
