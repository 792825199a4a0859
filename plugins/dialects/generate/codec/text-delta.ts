import type { TextDelta } from '../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, objectAt } from '../../../../src/lib/json/read.ts'

/** Returns the text of a chunk that has one unfinished candidate with one text and nothing else. */
export function generateTextDelta({
  candidates,
  error,
  promptFeedback,
}: JsonObject): TextDelta | undefined {
  const [candidate, ...others] = objectsIn(candidates)
  if (!candidate || others.length > 0 || error || promptFeedback) return undefined
  if (candidate.finishReason || metadataMembers.some((name) => candidate[name])) return undefined
  const [part, ...more] = objectsIn(objectAt(candidate, 'content')?.parts)
  if (!part || more.length > 0 || part.thoughtSignature !== undefined) return undefined
  const { text } = part
  return typeof text === 'string' && text !== '' ? { key: 'text', text } : undefined
}

/** Members of a candidate with information besides its content. */
const metadataMembers = ['citationMetadata', 'groundingMetadata', 'logprobsResult', 'finishMessage']
