import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

import type {
  AssistantPart,
  MediaSource,
  Signature,
  TextPart,
  ToolResult,
  UserPart,
} from '../../src/generate/content.ts'
import type { Effort, GenerateRequest, Turn } from '../../src/generate/request.ts'
import type { Tool } from '../../src/generate/tools.ts'

/** Ids and names as clients of any dialect send them, some of which no account takes. */
const id = fc.constantFrom('call_1', 'toolu_01', 'a b', 'call:ü', `call_${'x'.repeat(90)}`, 'fc/1')
const name = fc.constantFrom('look', 'ns.look', 'mcp.server/tool', '1st', 'übung', 'y'.repeat(100))
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('', ' ', '\n', 'Größe 😀', 'a "b" \\ c', '{"a":1}', 'End. '),
)
const textPart: Arbitrary<TextPart> = fc.record({ type: fc.constant('text'), text })

const sourceOf = (base64: string): Arbitrary<MediaSource> =>
  fc.oneof(
    fc.record({ kind: fc.constant('data'), base64: fc.constant(base64) }),
    fc.record({ kind: fc.constant('url'), url: fc.constant('https://x.test/a') }),
  )
const source = sourceOf('iVBORw==')
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

/** Of a provider whose accounts these are not: they know their own signatures. */
const signature: Arbitrary<Signature> = fc.constant({ dialect: 'another', value: 'c2ln', id: 's' })
const call = fc.record(
  {
    type: fc.constant('tool_call' as const),
    id,
    name,
    kind: fc.constantFrom('function' as const, 'custom' as const),
    arguments: fc.constantFrom('', '{}', '{"a":1}', '[1]', '{"cut', 'null', 'not json'),
    signature,
  },
  { requiredKeys: ['type', 'id', 'name', 'kind', 'arguments'] },
)
const assistantPart: Arbitrary<AssistantPart> = fc.oneof(
  textPart,
  call,
  fc.record({ type: fc.constant('refusal'), text }),
  fc.record(
    {
      type: fc.constant('reasoning'),
      text,
      form: fc.constantFrom('raw', 'summary', 'redacted'),
      signature,
    },
    { requiredKeys: ['type', 'text', 'form'] },
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
  { type: 'object', properties: { a: { type: 'string', minLength: 1 } }, required: ['a'] },
  { oneOf: [{ type: 'object' }, { type: 'null' }] },
  { type: 'object', properties: { next: { $ref: '#' } } },
)
const declared = { name, description: text }
const tool: Arbitrary<Tool> = fc.oneof(
  fc.record(
    { kind: fc.constant('function'), ...declared, parameters: schema, strict: fc.boolean() },
    { requiredKeys: ['kind', 'name'] },
  ),
  fc.record(
    {
      kind: fc.constant('custom'),
      ...declared,
      grammar: fc.constant({ syntax: 'lark', definition: 'start: "a"' }),
    },
    { requiredKeys: ['kind', 'name'] },
  ),
)

const efforts: Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

const settings = fc.record(
  {
    parallelToolCalls: fc.boolean(),
    output: fc.oneof(
      fc.record({ kind: fc.constantFrom('text', 'json') }),
      fc.record(
        {
          kind: fc.constant('schema'),
          schema,
          name: text,
          description: text,
          strict: fc.boolean(),
        },
        { requiredKeys: ['kind', 'schema'] },
      ),
    ),
    verbosity: fc.constantFrom('low' as const, 'high' as const),
    reasoning: fc.record(
      {
        effort: fc.constantFrom(...efforts),
        budget: fc.integer({ min: -1, max: 40_000 }),
        show: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    maxOutputTokens: fc.integer({ min: 1, max: 200_000 }),
    stop: fc.array(fc.constantFrom('END', 'a', ' '), { maxLength: 4 }),
    candidates: fc.integer({ min: 1, max: 4 }),
    logprobs: fc.record({ top: fc.nat(20) }),
    endUser: fc.constantFrom('u', 'ada@x.org', 'u'.repeat(400)),
    metadata: fc.constant({ a: 'b' }),
    cacheKey: fc.constantFrom('k', 'k'.repeat(200)),
    serviceTier: fc.constantFrom('auto', 'default', 'standard', 'flex', 'unheard-of'),
    store: fc.boolean(),
  },
  { requiredKeys: [] },
)
const sampling = fc.record(
  {
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    topP: fc.double({ min: 0, max: 1, noNaN: true }),
    topK: fc.nat(100),
    seed: fc.integer(),
    presencePenalty: fc.constantFrom(-2, 2),
    frequencyPenalty: fc.constantFrom(-2, 2),
  },
  { requiredKeys: [] },
)

const hello: Turn = { role: 'user', content: [{ type: 'text', text: 'hi' }] }

/** A conversation that neither begins nor ends with an empty message of the user: accounts refuse it. */
function said(turns: readonly Turn[]): readonly Turn[] {
  const isOdd = (one: Turn) =>
    one.role === 'user' && !one.content.some((part) => part.type === 'text' && part.text.trim())
  return turns.length === 0 || turns.some(isOdd) ? [hello, ...turns, hello] : turns
}

/** A request as clients of any dialect make it, orderly or not. */
export const anyRequest: Arbitrary<GenerateRequest> = fc
  .record({
    turns: fc.array(turn, { maxLength: 7 }),
    tools: fc.uniqueArray(tool, { selector: (one) => one.name, maxLength: 3 }),
    sampling,
    settings,
    mode: fc.constantFrom(undefined, 'auto' as const, 'required' as const, 'none' as const),
    subset: fc.boolean(),
    fields: fc.constantFrom({}, { assistant_prefill: 'messages' }),
  })
  .map(({ settings: more, mode, subset, turns, ...request }) => {
    const only = subset && request.tools[0] ? { only: [request.tools[0].name] } : {}
    const choice = mode && { toolChoice: { mode, ...only } }
    return { stream: false, ...request, ...more, turns: said(turns), ...choice, extras: [] }
  })
