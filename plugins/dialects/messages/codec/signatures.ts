import type { ReplyContext } from '../../../../src/contract/codec.ts'
import type { AssistantPart, Signature } from '../../../../src/generate/content.ts'
import { readSignature, wrapSignature } from '../../../../src/generate/signatures.ts'
import { objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** The id of the dialect. */
export const messagesId = 'messages'

/** Replaces the id of a call in the signature of a text. */
const textMark = 'text'

/**
 * Whether accounts of this dialect require answers with calls to begin with thinking. An answer without
 * any gets a mark, so that later turns recognise an answer of another dialect's account.
 */
export function requiresThinking({ rawRequest }: ReplyContext): boolean {
  return stringAt(objectAt(rawRequest.body, 'thinking'), 'type') === 'enabled'
}

/** Reads a signature of this dialect, or a wrapped one of another; an empty text is no signature. */
export function readSignatureText(text: string): Signature | undefined {
  return text === '' ? undefined : readSignature(text, messagesId)
}

/**
 * Wraps the signature of a call. Texts and calls have no signature in this dialect: a signature of another
 * dialect travels in an empty thinking block before the call, or after the text, with the id of the call
 * or a mark for a text. Returns `undefined` for a signature of this dialect.
 */
export function wrapForCall(signature: Signature, callId: string): string | undefined {
  return wrapFor(signature, callId)
}

/** Wraps the signature of a text. */
export function wrapForText(signature: Signature): string | undefined {
  return wrapFor(signature, textMark)
}

function wrapFor(signature: Signature, id: string): string | undefined {
  return signature.dialect === messagesId ? undefined : wrapSignature({ ...signature, id })
}

/** Moves signatures from the thinking blocks that carry them back to their texts and calls. */
export function reattachSignatures(parts: readonly AssistantPart[]): AssistantPart[] {
  const attached: AssistantPart[] = []
  for (let position = 0; position < parts.length; position++) {
    const part = parts[position]!
    const next = parts[position + 1]
    const carried = carriedBy(part)
    if (carried && next?.type === 'tool_call' && next.id === carried.id) {
      attached.push({ ...next, signature: withoutId(carried) })
      position++
    } else if (carried?.id === textMark) signLastText(attached, withoutId(carried))
    else attached.push(part)
  }
  return attached
}

function signLastText(parts: AssistantPart[], signature: Signature): void {
  const last = parts.at(-1)
  if (last?.type === 'text') parts[parts.length - 1] = { ...last, signature }
}

function carriedBy(part: AssistantPart): Signature | undefined {
  if (part.type !== 'reasoning' || part.text !== '') return undefined
  return part.signature?.dialect === messagesId ? undefined : part.signature
}

function withoutId(signature: Signature): Signature {
  const { id: _, ...plain } = signature
  return plain
}
