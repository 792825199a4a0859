import * as fc from 'fast-check'

import type { AssistantPart, Signature } from '../../../src/generate/content.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type {
  Choice,
  GenerateResult,
  GenerateUsage,
  StopReason,
} from '../../../src/generate/result.ts'

const text = fc.oneof(fc.string(), fc.constantFrom('', 'Hello', 'Þór\n\ndata: x', '\u2028"\\'))
const signature: fc.Arbitrary<Signature> = fc.constantFrom(
  { dialect: 'generate', value: 'Q2lnbmVk' },
  { dialect: 'messages', value: 'EqQB+/=' },
  { dialect: 'responses', value: 'gAAA', id: 'rs_1' },
)

const part: fc.Arbitrary<AssistantPart> = fc.oneof(
  fc.record(
    { type: fc.constant('text' as const), text, signature },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record({ type: fc.constant('refusal' as const), text }),
  fc.record(
    {
      type: fc.constant('reasoning' as const),
      text,
      form: fc.constantFrom('raw' as const, 'summary' as const),
      signature,
    },
    { requiredKeys: ['type', 'text', 'form'] },
  ),
  fc.record(
    {
      type: fc.constant('tool_call' as const),
      id: fc.uuid(),
      name: fc.constantFrom('weather', 'time'),
      kind: fc.constant('function' as const),
      arguments: fc.oneof(
        fc.dictionary(fc.string(), fc.string()).map((args) => JSON.stringify(args, undefined, 1)),
        fc.constantFrom('', '{"cut'),
      ),
      signature,
    },
    { requiredKeys: ['type', 'id', 'name', 'kind', 'arguments'] },
  ),
  fc.constant({
    type: 'image' as const,
    mediaType: 'image/png',
    source: { kind: 'data' as const, base64: 'iVBORw==' },
  }),
)

const choice: fc.Arbitrary<Choice> = fc
  .record({
    content: fc.array(part, { maxLength: 5 }),
    reason: fc.constantFrom<StopReason>('stop', 'length', 'filtered'),
  })
  .map(({ content, reason }) => {
    const waits = reason === 'stop' && content.some(({ type }) => type === 'tool_call')
    return { content, stop: { reason: waits ? 'tool_calls' : reason } }
  })

const usage: fc.Arbitrary<GenerateUsage> = fc.oneof(
  fc.constant({}),
  fc
    .record({ inputTokens: fc.nat(), visible: fc.nat(), reasoningTokens: fc.nat() })
    .map(({ inputTokens, visible, reasoningTokens }) => ({
      inputTokens,
      outputTokens: visible + reasoningTokens,
      reasoningTokens,
    })),
)

export const results: fc.Arbitrary<GenerateResult> = fc.record({
  choices: fc.array(choice, { minLength: 1, maxLength: 3 }),
  usage,
})

/** The events of a reply, with its texts in pieces of so many characters. */
export function eventsInPieces(result: GenerateResult, size: number): GenerateEvent[] {
  return eventsOf(result).flatMap<GenerateEvent>((event) => {
    if (event.type !== 'delta') return [event]
    const characters = Array.from(event.text)
    const count = Math.ceil(characters.length / size)
    return Array.from({ length: count }, (_, index) => ({
      type: 'delta' as const,
      index: event.index,
      text: characters.slice(index * size, (index + 1) * size).join(''),
    }))
  })
}
