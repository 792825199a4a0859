import * as fc from 'fast-check'

import type { AssistantPart } from '../../../src/generate/content.ts'
import type { GenerateResult, StopReason } from '../../../src/generate/result.ts'

/** Replies of any dialect that a message can hold in full. */

const words = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })

const signature = fc.constantFrom(
  { dialect: 'messages', value: 'c2ln' },
  { dialect: 'responses', value: 'gAAAA', id: 'rs_1' },
)

const text = fc.record({ type: fc.constant('text' as const), text: words })

const thought = fc.record(
  {
    type: fc.constant('reasoning' as const),
    form: fc.constant('summary' as const),
    text: words,
    signature,
  },
  { requiredKeys: ['type', 'form', 'text'] },
)

const redacted = fc.record({
  type: fc.constant('reasoning' as const),
  form: fc.constant('redacted' as const),
  text: fc.constant(''),
  signature,
})

const call = fc.record({
  type: fc.constant('tool_call' as const),
  id: fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/),
  name: fc.constantFrom('weather', 'search'),
  kind: fc.constant('function' as const),
  arguments: fc.dictionary(fc.string(), fc.jsonValue()).map((input) => JSON.stringify(input)),
})

const part: fc.Arbitrary<AssistantPart> = fc.oneof(text, thought, redacted, call)

const tokens = fc.integer({ min: 0, max: 1000 })

export const anyReply: fc.Arbitrary<GenerateResult> = fc
  .record({
    content: fc.array(part, { maxLength: 6 }),
    reason: fc.constantFrom<StopReason[]>('stop', 'length', 'refused', 'paused', 'context'),
    fresh: tokens,
    cached: tokens,
    outputTokens: tokens,
    reasoningTokens: tokens,
  })
  .map(({ content: parts, reason, fresh, cached, outputTokens, reasoningTokens }) => {
    const content = parts.map((part, index) =>
      part.type === 'tool_call' ? { ...part, id: `${part.id.slice(0, 39)}${index}` } : part,
    )
    const calls = content.some(({ type }) => type === 'tool_call')
    return {
      choices: [{ content, stop: { reason: calls && reason === 'stop' ? 'tool_calls' : reason } }],
      usage: { inputTokens: fresh + cached, cachedTokens: cached, outputTokens, reasoningTokens },
    }
  })
