import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

import type { AssistantPart, ToolCallPart } from '../../../src/generate/content.ts'
import type { GenerateResult, GenerateUsage, Stop } from '../../../src/generate/result.ts'

const said = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' })

const citation = fc.record(
  { url: fc.webUrl(), title: said, start: fc.nat(3), end: fc.nat(20) },
  { requiredKeys: ['url', 'start', 'end'] },
)

const token = fc.record(
  { token: said, logprob: fc.constantFrom(-0.5, 0), bytes: fc.array(fc.nat(255)) },
  { requiredKeys: ['token', 'logprob'] },
)

const logprobs = fc.array(
  fc.tuple(token, fc.array(token, { maxLength: 2 })).map(([one, top]) => ({ ...one, top })),
  { minLength: 1, maxLength: 2 },
)

const text: Arbitrary<AssistantPart> = fc.record(
  {
    type: fc.constant('text'),
    text: said,
    citations: fc.array(citation, { minLength: 1, maxLength: 2 }),
    logprobs,
  },
  { requiredKeys: ['type', 'text'] },
)

const reasoning: Arbitrary<AssistantPart> = said.map((text) => ({
  type: 'reasoning',
  form: 'raw',
  text,
  signature: { dialect: 'chat', value: 'reasoning_content' },
}))

const refusal: Arbitrary<AssistantPart> = said.map((text) => ({ type: 'refusal', text }))

const signature = fc.record({
  dialect: fc.constantFrom('chat', 'messages', 'generate-content'),
  value: fc.base64String({ minLength: 4 }),
})

const call: Arbitrary<Omit<ToolCallPart, 'id'>> = fc.oneof(
  fc.record(
    {
      type: fc.constant('tool_call'),
      name: fc.constantFrom('look', 'hear'),
      kind: fc.constant('function'),
      arguments: fc.json(),
      signature,
    },
    { requiredKeys: ['type', 'name', 'kind', 'arguments'] },
  ),
  fc.record({
    type: fc.constant('tool_call'),
    name: fc.constant('run'),
    kind: fc.constant('custom'),
    arguments: fc.string(),
  }),
)

const calls: Arbitrary<ToolCallPart[]> = fc
  .array(call, { maxLength: 3 })
  .map((all) => all.map((one, index) => ({ ...one, id: `call_${index}` })))

const content: Arbitrary<AssistantPart[]> = fc
  .tuple(fc.option(reasoning), fc.option(text), fc.option(refusal), calls)
  .map(([thought, words, no, calls]) =>
    [thought, words, no, ...calls].filter((part) => part !== null),
  )

/** Why a content with these parts stopped, in this dialect's word. */
function stopOf(content: readonly AssistantPart[], word: 'stop' | 'length'): Stop {
  if (word === 'length') return { reason: 'length', raw: 'length' }
  if (content.some(({ type }) => type === 'refusal')) return { reason: 'refused', raw: 'stop' }
  const hasCalls = content.some(({ type }) => type === 'tool_call')
  return hasCalls ? { reason: 'tool_calls', raw: 'tool_calls' } : { reason: 'stop', raw: 'stop' }
}

const usage: Arbitrary<GenerateUsage> = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      inputTokens: fc.nat(100),
      outputTokens: fc.nat(100),
      cachedTokens: fc.nat(100),
      cacheWriteTokens: fc.nat(100),
      reasoningTokens: fc.nat(100),
    },
    { requiredKeys: ['inputTokens', 'outputTokens'] },
  ),
)

/** A reply that this dialect can say in full. */
export const anyReply: Arbitrary<GenerateResult> = fc
  .tuple(
    fc.array(fc.tuple(content, fc.constantFrom('stop', 'length')), { minLength: 1, maxLength: 2 }),
    usage,
  )
  .map(([choices, usage]) => ({
    choices: choices.map(([content, word]) => ({ content, stop: stopOf(content, word) })),
    usage,
  }))
