import type { ReasoningPart, Signature } from '../../../../src/generate/content.ts'
import { readSignature } from '../../../../src/generate/signatures.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, stringAt } from '../../../../src/lib/json/read.ts'

/** The dialect's name, as it stands in signatures. */
export const responsesId = 'responses'

/** Between the summaries of one item, and between its pieces of plain reasoning. */
export const betweenPieces = '\n\n'

/**
 * The parts of a reasoning item: its summary, then what was thought; the signature belongs to the
 * last. None where there is nothing but an id.
 */
export function reasoningParts(item: JsonObject): ReasoningPart[] {
  const parts: ReasoningPart[] = []
  const summary = textsOf(item.summary)
  const raw = textsOf(item.content)
  if (summary !== '') parts.push({ type: 'reasoning', form: 'summary', text: summary })
  if (raw !== '') parts.push({ type: 'reasoning', form: 'raw', text: raw })
  const signature = signatureOf(item)
  if (!signature) return parts
  const last = parts.pop() ?? { type: 'reasoning', form: 'redacted', text: '' }
  return [...parts, { ...last, signature }]
}

/** The signature of a reasoning item, whoever's it is. */
export function signatureOf(item: JsonObject): Signature | undefined {
  const sealed = stringAt(item, 'encrypted_content')
  return sealed ? readSignature(sealed, responsesId, stringAt(item, 'id')) : undefined
}

export function textsOf(pieces: unknown): string {
  return objectsIn(pieces)
    .map((piece) => stringAt(piece, 'text') ?? '')
    .filter((piece) => piece !== '')
    .join(betweenPieces)
}
