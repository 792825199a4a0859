import { array, assert, constantFrom, oneof, property, record, string } from 'fast-check'
import { expect, test } from 'vitest'

import type { AssistantPart } from '../../../src/generate/content.ts'
import type { GenerateRequest, Turn } from '../../../src/generate/request.ts'
import { decode, encode } from './codec.ts'

const said = string({ minLength: 1 })
const text = said.map((told) => ({ type: 'text', text: told }) as const)

const user = array(
  oneof(
    text,
    constantFrom(
      { type: 'image', source: { kind: 'url', url: 'https://a.example/a.png' } } as const,
      {
        type: 'image',
        mediaType: 'image/png',
        source: { kind: 'data', base64: 'iVBORw0KGgo=' },
      } as const,
      {
        type: 'file',
        name: 'a.pdf',
        mediaType: 'application/pdf',
        source: { kind: 'data', base64: 'JVBERi0=' },
      } as const,
      { type: 'file', source: { kind: 'url', url: 'https://a.example/a.pdf' } } as const,
    ),
  ),
  { minLength: 1, maxLength: 3 },
).map((content): Turn => ({ role: 'user', content }))

const signed = said.map((value): AssistantPart => ({
  type: 'reasoning',
  form: 'summary',
  text: 'why',
  signature: { dialect: 'responses', value, id: 'rs_1' },
}))

const kinds = constantFrom('function' as const, 'custom' as const)

/** A round of a tool loop: an answer that calls, and what the tools say. */
const round = record({
  begin: array(oneof(text, signed), { maxLength: 2 }),
  kinds: array(kinds, { minLength: 1, maxLength: 3 }),
  results: said,
})

const anyTurns = array(
  oneof(
    user.map((turn) => [turn]),
    round,
  ),
  { minLength: 1, maxLength: 5 },
).map((steps) => steps.flatMap((step, at) => (Array.isArray(step) ? step : roundAt(at, step))))

function roundAt(
  at: number,
  told: { begin: AssistantPart[]; kinds: ('function' | 'custom')[]; results: string },
): Turn[] {
  const calls = told.kinds.map(
    (kind, index) =>
      ({
        type: 'tool_call',
        id: `call_${at}_${index}`,
        name: 'f',
        kind,
        arguments: '{"x":1}',
      }) as const,
  )
  const content = [{ type: 'text', text: told.results }] as const
  return [
    { role: 'assistant', content: [...told.begin, ...calls] },
    { role: 'tool', results: calls.map(({ id }) => ({ callId: id, content })) },
  ]
}

test('any conversation means the same to an account as it did to the client', () => {
  assert(
    property(anyTurns, (turns) => {
      const body = encode({ turns })
      expect(withoutFields(decode(body).turns)).toEqual(turns)
    }),
  )
})

/** What the codec calls the parts that it wrote is no part of what the client said. */
function withoutFields(turns: readonly Turn[]): unknown {
  return JSON.parse(
    JSON.stringify(turns, (key, value: unknown) => (key === 'field' ? undefined : value)),
  )
}

const settings: Partial<GenerateRequest>[] = [
  { sampling: { temperature: 0.5, topP: 0.9, presencePenalty: 0.5, frequencyPenalty: -0.5 } },
  { maxOutputTokens: 64 },
  { output: { kind: 'json' } },
  {
    output: {
      kind: 'schema',
      name: 'n',
      description: 'd',
      strict: true,
      schema: { type: 'object' },
    },
  },
  { verbosity: 'low', reasoning: { effort: 'medium', summary: 'auto', show: true } },
  { logprobs: { top: 2 } },
  { endUser: 'u', metadata: { a: 'b' }, cacheKey: 'k', serviceTier: 'flex', store: true },
  {
    tools: [
      {
        kind: 'function',
        name: 'f',
        description: 'd',
        parameters: { type: 'object' },
        strict: true,
      },
      { kind: 'custom', name: 'c', grammar: { syntax: 'lark', definition: 'start: "a"' } },
    ],
    toolChoice: { mode: 'auto', only: ['f', 'c'] },
    parallelToolCalls: false,
  },
]

test.each(settings)('%j means the same to an account as it did to the client', (told) => {
  expect(decode(encode(told))).toMatchObject(told)
})
