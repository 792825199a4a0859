import * as fc from 'fast-check'

import type {
  AssistantPart,
  Signature,
  ToolResult,
  UserPart,
} from '../../../src/generate/content.ts'
import type { GenerateRequest, Turn } from '../../../src/generate/request.ts'

type Generated<Value> = fc.Arbitrary<Value>

const text = fc.oneof(fc.string(), fc.constantFrom('', 'Hello', '{"a":1}', '[1]', 'Þór'))
const id = fc.oneof(fc.constantFrom('call_1', 'call_2', 'x'.repeat(90), 'a b/c'), fc.string())
const name = fc.constantFrom('weather', 'ns.tool', 'no tool name!', '1st', 'ünï')
const base64 = fc.constantFrom('iVBORw==', 'JVBE')
const source = fc.oneof(
  fc.record({ kind: fc.constant('data' as const), base64 }),
  fc.record({ kind: fc.constant('url' as const), url: fc.constant('https://a.example/b') }),
  fc.record({ kind: fc.constant('text' as const), text }),
)
const signature: Generated<Signature> = fc.record({
  dialect: fc.constantFrom('messages', 'responses', 'chat'),
  value: text,
})

const textPart = fc.record({ type: fc.constant('text' as const), text })
const imagePart = fc.record(
  { type: fc.constant('image' as const), source, mediaType: fc.constant('image/png') },
  { requiredKeys: ['type', 'source'] },
)
const filePart = fc.record(
  {
    type: fc.constant('file' as const),
    source,
    mediaType: fc.constant('application/pdf'),
    title: text,
    context: text,
  },
  { requiredKeys: ['type', 'source'] },
)
const audioPart = fc.record({
  type: fc.constant('audio' as const),
  source,
  mediaType: fc.constant('audio/wav'),
})

const assistantPart: Generated<AssistantPart> = fc.oneof(
  textPart,
  fc.record({ type: fc.constant('refusal' as const), text }),
  fc.record(
    {
      type: fc.constant('reasoning' as const),
      text,
      form: fc.constantFrom('raw' as const, 'summary' as const, 'redacted' as const),
      signature,
    },
    { requiredKeys: ['type', 'text', 'form'] },
  ),
  fc.record(
    {
      type: fc.constant('tool_call' as const),
      id,
      name,
      kind: fc.constantFrom('function' as const, 'custom' as const),
      arguments: text,
      signature,
    },
    { requiredKeys: ['type', 'id', 'name', 'kind', 'arguments'] },
  ),
  imagePart,
)

const result: Generated<ToolResult> = fc.record(
  {
    callId: id,
    name,
    content: fc.array(fc.oneof(textPart, imagePart, filePart), { maxLength: 2 }),
    failed: fc.boolean(),
  },
  { requiredKeys: ['callId', 'content'] },
)

const turn: Generated<Turn> = fc.oneof(
  fc.record({
    role: fc.constant('system' as const),
    content: fc.array(textPart, { maxLength: 2 }),
  }),
  fc.record({
    role: fc.constant('user' as const),
    content: fc.array(fc.oneof<Generated<UserPart>[]>(textPart, imagePart, filePart, audioPart), {
      maxLength: 3,
    }),
  }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: fc.array(assistantPart, { maxLength: 4 }),
  }),
  fc.record({ role: fc.constant('tool' as const), results: fc.array(result, { maxLength: 3 }) }),
)

/** Conversations in any order, and most of what can be asked with them. */
export const requests: Generated<Partial<GenerateRequest>> = fc.record(
  {
    turns: fc.array(turn, { maxLength: 8 }),
    tools: fc.uniqueArray(
      fc.record(
        {
          kind: fc.constant('function' as const),
          name,
          description: text,
          parameters: fc.constant({ type: 'object', properties: { city: { type: 'string' } } }),
          strict: fc.boolean(),
        },
        { requiredKeys: ['kind', 'name'] },
      ),
      { selector: (tool) => tool.name, maxLength: 3 },
    ),
    toolChoice: fc.record({
      mode: fc.constantFrom('auto' as const, 'required' as const, 'none' as const),
    }),
    output: fc.oneof(
      fc.constant({ kind: 'json' as const }),
      fc.constant({ kind: 'schema' as const, schema: { type: 'object' }, name: 'x' }),
    ),
    reasoning: fc.record(
      {
        effort: fc.constantFrom(
          'none' as const,
          'minimal' as const,
          'high' as const,
          'max' as const,
        ),
        budget: fc.nat(100_000),
        show: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    stop: fc.array(text, { maxLength: 5 }),
    maxOutputTokens: fc.integer({ min: 1, max: 1000 }),
    candidates: fc.integer({ min: 1, max: 8 }),
    sampling: fc.record(
      {
        temperature: fc.double({ min: 0, max: 2, noNaN: true }),
        topK: fc.nat(100),
        seed: fc.maxSafeInteger(),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['turns'] },
)
