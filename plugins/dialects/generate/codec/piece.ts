import type { Piece } from '../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, part } from '../../../../src/lib/json/read.ts'

/** The one text of a chunk of one candidate that goes on and says nothing else. */
export function pieceOf({ candidates, error, promptFeedback }: JsonObject): Piece | undefined {
  const [candidate, ...others] = objectsIn(candidates)
  if (!candidate || others.length > 0 || error || promptFeedback) return undefined
  if (candidate.finishReason || speaking.some((name) => candidate[name])) return undefined
  const [said, ...more] = objectsIn(part(candidate, 'content')?.parts)
  if (!said || more.length > 0 || said.thoughtSignature !== undefined) return undefined
  const { text } = said
  return typeof text === 'string' && text !== '' ? { key: 'text', text } : undefined
}

/** What a candidate may tell beside its content. */
const speaking = ['citationMetadata', 'groundingMetadata', 'logprobsResult', 'finishMessage']
