import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

import type {
  AssistantPart,
  Signature,
  MediaSource,
  TextPart,
  ToolResult,
  UserPart,
} from '../../../src/generate/content.ts'
import type { GenerateRequest, Turn } from '../../../src/generate/request.ts'
import type { Tool, ToolChoice } from '../../../src/generate/tools.ts'

/** Ids and names as clients of any dialect send them, some of which no account takes. */
const id = fc.constantFrom('call_1', 'call_2', 'toolu_01', 'a b', 'x'.repeat(80), 'fc/1')
const name = fc.constantFrom('look', 'hear', 'ns.look', 'übung', 'y'.repeat(100), 'run')

const text = fc.string({ maxLength: 12 })
const textPart: Arbitrary<TextPart> = fc.record({ type: fc.constant('text'), text })

const sourceOf = (base64: string): Arbitrary<MediaSource> =>
  fc.oneof(
    fc.record({ kind: fc.constant('data'), base64: fc.constant(base64) }),
    fc.record({ kind: fc.constant('url'), url: fc.constant('https://x.test/a') }),
  )

const source = sourceOf('iVBO')
/** Bytes that are text, as a document that says so has them. */
const document = sourceOf(Buffer.from('a,b').toString('base64'))

const image: Arbitrary<UserPart> = fc.record(
  {
    type: fc.constant('image'),
    source,
    mediaType: fc.constantFrom('image/png', 'image/webp'),
    detail: fc.constantFrom('auto', 'low', 'original'),
  },
  { requiredKeys: ['type', 'source'] },
)

const file: Arbitrary<UserPart> = fc.record(
  {
    type: fc.constant('file'),
    source: fc.oneof(document, fc.record({ kind: fc.constant('text'), text })),
    mediaType: fc.constantFrom('application/pdf', 'text/plain', 'text/csv; charset=utf-8'),
    name: text,
    title: text,
    context: text,
  },
  { requiredKeys: ['type', 'source'] },
)

const audio: Arbitrary<UserPart> = fc.record({
  type: fc.constant('audio'),
  source,
  mediaType: fc.constantFrom('audio/wav', 'audio/mpeg', 'audio/ogg'),
})

const signature: Arbitrary<Signature> = fc.record({
  dialect: fc.constantFrom('messages', 'generate-content', 'responses'),
  value: fc.constant('c2ln'),
})

const assistantPart: Arbitrary<AssistantPart> = fc.oneof(
  textPart,
  fc.record({ type: fc.constant('refusal'), text }),
  fc.record(
    { type: fc.constant('reasoning'), text, form: fc.constantFrom('raw', 'summary'), signature },
    { requiredKeys: ['type', 'text', 'form'] },
  ),
  fc.record(
    {
      type: fc.constant('tool_call'),
      id,
      name,
      kind: fc.constantFrom('function', 'custom'),
      arguments: fc.constantFrom('', '{}', '{"a":1}', 'not json'),
      signature,
    },
    { requiredKeys: ['type', 'id', 'name', 'kind', 'arguments'] },
  ),
  fc.record({ type: fc.constant('image'), source, mediaType: fc.constant('image/png') }),
)

const result: Arbitrary<ToolResult> = fc.record(
  {
    callId: id,
    name,
    content: fc.array(fc.oneof(textPart, image, file) as Arbitrary<TextPart>, { maxLength: 3 }),
    failed: fc.boolean(),
  },
  { requiredKeys: ['callId', 'content'] },
)

const turn: Arbitrary<Turn> = fc.oneof(
  fc.record({ role: fc.constant('system'), content: fc.array(textPart, { maxLength: 2 }) }),
  fc.record({
    role: fc.constant('user'),
    content: fc.array(fc.oneof(textPart, image, file, audio), { maxLength: 3 }),
  }),
  fc.record({ role: fc.constant('assistant'), content: fc.array(assistantPart, { maxLength: 4 }) }),
  fc.record({ role: fc.constant('tool'), results: fc.array(result, { maxLength: 3 }) }),
)

const schema = fc.constantFrom(
  {},
  { type: 'object' },
  { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
)

const tool: Arbitrary<Tool> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('function'),
      name,
      description: text,
      parameters: schema,
      strict: fc.boolean(),
    },
    { requiredKeys: ['kind', 'name'] },
  ),
  fc.record(
    {
      kind: fc.constant('custom'),
      name,
      description: text,
      grammar: fc.constant({ syntax: 'lark', definition: 'start: "a"' }),
    },
    { requiredKeys: ['kind', 'name'] },
  ),
)

const toolChoice: Arbitrary<ToolChoice> = fc.record(
  { mode: fc.constantFrom('auto', 'required', 'none'), only: fc.array(name, { maxLength: 2 }) },
  { requiredKeys: ['mode'] },
)

const sampling = fc.record(
  {
    temperature: fc.constantFrom(0, 1, 2),
    topP: fc.constantFrom(0, 1),
    topK: fc.constant(40),
    seed: fc.integer(),
    presencePenalty: fc.constantFrom(-2, 2),
    frequencyPenalty: fc.constantFrom(-2, 2),
  },
  { requiredKeys: [] },
)

const output = fc.oneof(
  fc.record({ kind: fc.constantFrom('text', 'json') }),
  fc.record(
    { kind: fc.constant('schema'), schema, name: text, description: text, strict: fc.boolean() },
    { requiredKeys: ['kind', 'schema'] },
  ),
) as Arbitrary<NonNullable<GenerateRequest['output']>>

/** What any client may ask for, but for what accounts are not asked at all. */
export const anyRequest: Arbitrary<GenerateRequest> = fc.record(
  {
    stream: fc.boolean(),
    turns: fc.array(turn, { maxLength: 6 }),
    tools: fc.array(tool, { maxLength: 3 }),
    toolChoice,
    parallelToolCalls: fc.boolean(),
    output,
    verbosity: fc.constantFrom('low', 'high'),
    reasoning: fc.record(
      { effort: fc.constantFrom('none', 'max'), budget: fc.nat(20_000), show: fc.boolean() },
      { requiredKeys: [] },
    ),
    sampling,
    maxOutputTokens: fc.integer({ min: 1, max: 100_000 }),
    stop: fc.array(fc.constant('END'), { maxLength: 4 }),
    candidates: fc.integer({ min: 1, max: 4 }),
    logprobs: fc.record({ top: fc.nat(50) }),
    endUser: fc.constantFrom('u', 'u'.repeat(200)),
    metadata: fc.constant({ a: 'b' }),
    cacheKey: fc.constantFrom('k', 'k'.repeat(200)),
    serviceTier: fc.constantFrom('auto', 'standard', 'flex', 'unheard-of'),
    store: fc.boolean(),
    fields: fc.constant({}),
    extras: fc.constant([]),
  },
  { requiredKeys: ['stream', 'turns', 'tools', 'sampling', 'fields', 'extras'] },
)
