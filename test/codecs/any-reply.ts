import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

import type { AssistantPart, Signature } from '../../src/generate/content.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import { eventsOf } from '../../src/generate/replay.ts'
import type { Choice, GenerateResult, GenerateUsage } from '../../src/generate/result.ts'
import type { Name } from './samples/index.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.constantFrom('Hello', 'Þór\n\ndata: x', '\u2028"\\', 'Größe 😀'),
)
const signature: Arbitrary<Signature> = fc.constantFrom(
  { dialect: 'messages', value: 'EqQB+/=' },
  { dialect: 'responses', value: 'gAAA', id: 'rs_1' },
)
const textPart: Arbitrary<AssistantPart> = fc.record({ type: fc.constant('text'), text })
const refusal: Arbitrary<AssistantPart> = fc.record({ type: fc.constant('refusal'), text })
const reasoning: Arbitrary<AssistantPart> = fc.record(
  { type: fc.constant('reasoning'), form: fc.constantFrom('raw', 'summary'), text, signature },
  { requiredKeys: ['type', 'form', 'text'] },
)
const call: Arbitrary<AssistantPart> = fc.record({
  type: fc.constant('tool_call'),
  id: fc.constant(''),
  name: fc.constantFrom('weather', 'time'),
  kind: fc.constant('function'),
  arguments: fc.dictionary(fc.string(), fc.jsonValue()).map((input) => JSON.stringify(input)),
})

/** Completions have one place for each kind of part. */
const inPlaces: Arbitrary<AssistantPart[]> = fc
  .tuple(
    fc.option(reasoning),
    fc.option(textPart),
    fc.option(refusal),
    fc.array(call, { maxLength: 3 }),
  )
  .map(([thought, words, no, calls]) =>
    [thought, words, no, ...calls].filter((part) => part !== null),
  )
const inAnyOrder = fc.array(fc.oneof(textPart, refusal, reasoning, call), { maxLength: 6 })

const usage: Arbitrary<GenerateUsage> = fc
  .record({ fresh: fc.nat(1000), cached: fc.nat(1000), visible: fc.nat(), thought: fc.nat() })
  .map(({ fresh, cached, visible, thought }) => ({
    inputTokens: fresh + cached,
    cachedTokens: cached,
    outputTokens: visible + thought,
    reasoningTokens: thought,
  }))

function choiceOf(parts: readonly AssistantPart[], word: 'stop' | 'length'): Choice {
  const content = parts.map((part, index) =>
    part.type === 'tool_call' ? { ...part, id: `call_${index}` } : part,
  )
  const has = (type: string) => content.some((part) => part.type === type)
  const whole = has('refusal') ? 'refused' : has('tool_call') ? 'tool_calls' : 'stop'
  return { content, stop: { reason: word === 'stop' ? whole : word } }
}

/** A reply that a dialect can say in full. */
export function anyReply(name: Name): Arbitrary<GenerateResult> {
  const content = name === 'chat' ? inPlaces : inAnyOrder
  const choice = fc
    .tuple(content, fc.constantFrom('stop' as const, 'length' as const))
    .map(([parts, word]) => choiceOf(parts, word))
  const hasSeveral = name === 'chat' || name === 'generate'
  return fc.record({
    choices: fc.array(choice, { minLength: 1, maxLength: hasSeveral ? 2 : 1 }),
    // The others have counts in every reply.
    usage: hasSeveral ? fc.oneof(fc.constant({}), usage) : usage,
  })
}

/** The events of a reply, with its texts in pieces of so many characters. */
export function eventsInPieces(result: GenerateResult, size: number): GenerateEvent[] {
  return eventsOf(result).flatMap<GenerateEvent>((event) => {
    if (event.type !== 'delta') return [event]
    const characters = Array.from(event.text)
    const count = Math.ceil(characters.length / size)
    return Array.from({ length: count }, (_, index) => ({
      ...event,
      text: characters.slice(index * size, (index + 1) * size).join(''),
    }))
  })
}
