import type { AssistantPart, ReasoningPart, Signature } from '../../../../src/generate/content.ts'
import { wrapSignature } from '../../../../src/generate/signatures.ts'

/**
 * In this dialect only reasoning can be signed. The signature of a call or of a text becomes an item
 * of reasoning of its own, behind it, in a token that names what it belongs to.
 */
const ofText = 'text'

/** The token of a signed call, or of a signed text where no call is named. */
export function signatureToken(signature: Signature, callId: string = ofText): string {
  return wrapSignature({ ...signature, id: callId })
}

/** Gives the signatures of calls and texts, which came as reasoning, back to what they belong to. */
export function attachSignatures(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  if (!parts.some(isAttachable)) return parts
  const attached: AssistantPart[] = []
  const calls = new Map<string, Signature>()
  for (const part of parts) {
    const signature = isAttachable(part) ? part.signature : undefined
    if (!signature) attached.push(part)
    else if (signature.id === ofText) signText(attached, plain(signature))
    else calls.set(signature.id ?? '', plain(signature))
  }
  return attached.map((part) => {
    const signature = part.type === 'tool_call' ? calls.get(part.id) : undefined
    return signature ? { ...part, signature } : part
  })

  function isAttachable(part: AssistantPart): part is ReasoningPart {
    if (part.type !== 'reasoning' || part.form !== 'redacted' || !part.signature) return false
    const { id } = part.signature
    return id === ofText || parts.some((other) => other.type === 'tool_call' && other.id === id)
  }
}

/** The text that was signed stands before its signature; one that was empty was not written. */
function signText(parts: AssistantPart[], signature: Signature): void {
  const last = parts.at(-1)
  if (last?.type === 'text') parts[parts.length - 1] = { ...last, signature }
  else parts.push({ type: 'text', text: '', signature })
}

function plain(signature: Signature): Signature {
  const { id: _, ...withoutId } = signature
  return withoutId
}
