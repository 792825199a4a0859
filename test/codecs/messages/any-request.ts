import * as fc from 'fast-check'

import type { AssistantPart, UserPart } from '../../../src/generate/content.ts'
import type { Effort, GenerateRequest, Turn } from '../../../src/generate/request.ts'
import type { Tool } from '../../../src/generate/tools.ts'

/** Requests as clients of any dialect make them, orderly or not. */

const words = fc.constantFrom('', ' ', '\n', 'hi', 'Größe 😀', 'a "b" \\ c', 'End. ')
const ids = fc.constantFrom('a', 'b', 'toolu_1', 'call:ü', `call_${'x'.repeat(90)}`)
const names = fc.constantFrom('weather', 'mcp.server/tool', 'x'.repeat(80), 'search')
const json = fc.constantFrom('', '{}', '{"city":"Ulm"}', '[1]', '{"cut', 'null')

const text = fc.record({ type: fc.constant('text' as const), text: words })

const image = fc.constantFrom(
  {
    type: 'image',
    mediaType: 'image/png',
    source: { kind: 'data', base64: 'aWNvbg==' },
  } as const,
  { type: 'image', source: { kind: 'url', url: 'https://x.org/a' }, detail: 'low' } as const,
)

const file = fc.constantFrom(
  { type: 'file', mediaType: 'application/pdf', source: { kind: 'data', base64: 'eA==' } } as const,
  { type: 'file', source: { kind: 'url', url: 'https://x.org/a.pdf' }, name: 'a.pdf' } as const,
  { type: 'file', mediaType: 'text/plain', source: { kind: 'text', text: 'Words.' } } as const,
)

const userPart: fc.Arbitrary<UserPart> = fc.oneof(text, image, file)

const reasoning = fc.record(
  {
    type: fc.constant('reasoning' as const),
    text: words,
    form: fc.constantFrom('raw' as const, 'summary' as const, 'redacted' as const),
    signature: fc.constantFrom(
      { dialect: 'responses', value: 'abc', id: 'rs_1' },
      { dialect: 'generate-content', value: 'c2ln' },
    ),
  },
  { requiredKeys: ['type', 'text', 'form'] },
)

const call = fc.record({
  type: fc.constant('tool_call' as const),
  id: ids,
  name: names,
  kind: fc.constant('function' as const),
  arguments: json,
})

const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  text,
  call,
  reasoning,
  image,
  fc.record({ type: fc.constant('refusal' as const), text: words }),
)

const result = fc.record({
  callId: ids,
  content: fc.array(fc.oneof(text, image, file), { maxLength: 2 }),
  failed: fc.boolean(),
})

const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: fc.array(text, { maxLength: 2 }) }),
  fc.record({ role: fc.constant('user' as const), content: fc.array(userPart, { maxLength: 3 }) }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: fc.array(assistantPart, { maxLength: 4 }),
  }),
  fc.record({ role: fc.constant('tool' as const), results: fc.array(result, { maxLength: 3 }) }),
)

const schema = fc.constantFrom(
  { type: 'object', properties: { city: { type: 'string', minLength: 1 } }, required: ['city'] },
  { oneOf: [{ type: 'object' }, { type: 'null' }] },
  { type: 'object', properties: { next: { $ref: '#' } } },
)

const tool: fc.Arbitrary<Tool> = fc.record(
  {
    kind: fc.constant('function' as const),
    name: names,
    description: words,
    parameters: schema,
    strict: fc.boolean(),
  },
  { requiredKeys: ['kind', 'name'] },
)

const efforts: Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

export const models = [
  'another-model',
  'claude-3-haiku-20240307',
  'claude-sonnet-4-5',
  'claude-opus-4-6',
  'claude-opus-4-8',
  'claude-sonnet-5-5',
]

const settings = fc.record(
  {
    parallelToolCalls: fc.boolean(),
    output: fc.oneof(
      fc.constant({ kind: 'json' as const }),
      fc.record({ kind: fc.constant('schema' as const), schema }),
    ),
    reasoning: fc.record(
      {
        effort: fc.constantFrom(...efforts),
        budget: fc.integer({ min: -1, max: 40_000 }),
        show: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    maxOutputTokens: fc.integer({ min: 1, max: 200_000 }),
    stop: fc.array(words, { maxLength: 5 }),
    endUser: fc.constantFrom('u-1', 'ada@x.org', 'x'.repeat(400)),
    serviceTier: fc.constantFrom('auto', 'default', 'flex', 'priority'),
  },
  { requiredKeys: [] },
)

const sampling = fc.record(
  {
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    topP: fc.double({ min: 0, max: 1, noNaN: true }),
    topK: fc.double({ min: 0, max: 100, noNaN: true }),
    seed: fc.integer(),
  },
  { requiredKeys: [] },
)

const hello: Turn = { role: 'user', content: [{ type: 'text', text: 'hi' }] }

/** A conversation that neither begins nor ends with an empty message of the user: accounts refuse it. */
function said(turns: readonly Turn[]): readonly Turn[] {
  const isOdd = (turn: Turn) =>
    turn.role === 'user' && !turn.content.some((part) => part.type === 'text' && part.text.trim())
  return turns.some(isOdd) ? [hello, ...turns, hello] : turns
}

/** Of its tools those that the choice names are some. */
export const anyRequest: fc.Arbitrary<GenerateRequest> = fc
  .record({
    stream: fc.constant(false),
    turns: fc.array(turn, { minLength: 1, maxLength: 7 }),
    tools: fc.array(tool, { maxLength: 3 }),
    sampling,
    settings,
    mode: fc.constantFrom(undefined, 'auto' as const, 'required' as const, 'none' as const),
    subset: fc.boolean(),
    fields: fc.constantFrom({}, { assistant_prefill: 'messages' }),
  })
  .map(({ settings: more, mode, subset, ...request }) => {
    const only = subset && request.tools[0] ? { only: [request.tools[0].name] } : {}
    return {
      ...request,
      ...more,
      turns: said(request.turns),
      ...(mode && { toolChoice: { mode, ...only } }),
      extras: [],
    }
  })
