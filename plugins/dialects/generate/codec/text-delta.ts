import type { TextDelta } from '../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, objectAt } from '../../../../src/lib/json/read.ts'

/** The one text of a chunk of one candidate that goes on and says nothing else. */
export function generateTextDelta({
  candidates,
  error,
  promptFeedback,
}: JsonObject): TextDelta | undefined {
  const [candidate, ...others] = objectsIn(candidates)
  if (!candidate || others.length > 0 || error || promptFeedback) return undefined
  if (candidate.finishReason || speaking.some((name) => candidate[name])) return undefined
  const [part, ...more] = objectsIn(objectAt(candidate, 'content')?.parts)
  if (!part || more.length > 0 || part.thoughtSignature !== undefined) return undefined
  const { text } = part
  return typeof text === 'string' && text !== '' ? { key: 'text', text } : undefined
}

/** What a candidate may tell beside its content. */
const speaking = ['citationMetadata', 'groundingMetadata', 'logprobsResult', 'finishMessage']
