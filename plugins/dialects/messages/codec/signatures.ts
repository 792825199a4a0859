import type { ReplyContext } from '../../../../src/contract/codec.ts'
import type { AssistantPart, Signature } from '../../../../src/generate/content.ts'
import { readSignature, wrapSignature } from '../../../../src/generate/signatures.ts'
import { objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** The dialect as accounts list it. */
export const messagesId = 'messages'

/** What stands for the id of a call where a text is signed. */
const textMark = 'text'

/**
 * Whether accounts of this dialect want answers with calls to begin with thoughts. One that has none
 * is marked, so that later turns know that another dialect's account gave it.
 */
export function wantsThoughts({ rawRequest: asked }: ReplyContext): boolean {
  return stringAt(objectAt(asked.body, 'thinking'), 'type') === 'enabled'
}

/** A signature of a client: its own, or one that was wrapped for it. Empty is none. */
export function readOwn(text: string): Signature | undefined {
  return text === '' ? undefined : readSignature(text, messagesId)
}

/**
 * Texts and calls have no signature in this dialect. One of another dialect travels in a thinking
 * block without text that stands before the call, or after the text, and names what it belongs to.
 */
export function wrapForCall(signature: Signature, callId: string): string | undefined {
  return wrapFor(signature, callId)
}

export function wrapForText(signature: Signature): string | undefined {
  return wrapFor(signature, textMark)
}

function wrapFor(signature: Signature, id: string): string | undefined {
  return signature.dialect === messagesId ? undefined : wrapSignature({ ...signature, id })
}

/** Gives texts and calls back the signatures that travelled in blocks of their own. */
export function reattach(parts: readonly AssistantPart[]): AssistantPart[] {
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
