import type { ReasoningPart, Signature } from '../../../../src/generate/content.ts'
import { readSignature } from '../../../../src/generate/signatures.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, stringAt } from '../../../../src/lib/json/read.ts'
import { TextMap } from '../../../../src/lib/text-map.ts'

/** The dialect's id in signatures. */
export const responsesId = 'responses'

/** Separates the summary parts of an item, and its reasoning texts. */
export const partSeparator = '\n\n'

/**
 * Returns the parts of a reasoning item: its summary, then its raw reasoning. The last part carries
 * the signature. An item with nothing but an id has no parts.
 */
export function reasoningParts(item: JsonObject): ReasoningPart[] {
  const parts: ReasoningPart[] = []
  const summary = joinReasoningTexts(item.summary)
  const raw = joinReasoningTexts(item.content)
  if (summary !== '') parts.push({ type: 'reasoning', form: 'summary', text: summary })
  if (raw !== '') parts.push({ type: 'reasoning', form: 'raw', text: raw })
  const signature = signatureOf(item)
  if (!signature) return parts
  const last = parts.pop() ?? { type: 'reasoning', form: 'redacted', text: '' }
  return [...parts, { ...last, signature }]
}

/** Returns the signature of a reasoning item, of any dialect. */
export function signatureOf(item: JsonObject): Signature | undefined {
  const token = stringAt(item, 'encrypted_content')
  return token ? readSignature(token, responsesId, stringAt(item, 'id')) : undefined
}

/** The types of content parts with reasoning, which some servers put into messages. */
const forms = new TextMap<'raw' | 'summary', unknown>([
  ['reasoning_text', 'raw'],
  ['summary_text', 'summary'],
])

/** The form of the reasoning in a content part; `undefined` for other parts. */
export function reasoningFormOf({ type }: JsonObject): 'raw' | 'summary' | undefined {
  return forms.get(type)
}

/** Joins the non-empty texts of content parts. Some servers send one text instead. */
export function joinReasoningTexts(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsIn(content)
    .map((part) => stringAt(part, 'text') ?? '')
    .filter((part) => part !== '')
    .join(partSeparator)
}
