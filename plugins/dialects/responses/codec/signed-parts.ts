import type { AssistantPart, ReasoningPart, Signature } from '../../../../src/generate/content.ts'
import { wrapSignature } from '../../../../src/generate/signatures.ts'
import { TextMap, TextSet } from '../../../../src/lib/text-map.ts'

/**
 * The id in the token of a signed text. Only reasoning items can carry signatures in this dialect, so
 * the signature of a call or a text becomes a reasoning item that follows it.
 */
const textMarker = 'text'

/** Wraps the signature of a call, or of a text if `callId` is absent, into a token. */
export function signatureToken(signature: Signature, callId: string = textMarker): string {
  return wrapSignature({ ...signature, id: callId })
}

/**
 * Moves the signatures of calls and texts from their reasoning parts back to those calls and texts.
 */
export function attachSignatures(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  let callIds: ReadonlySet<string> | undefined
  if (!parts.some(isAttachable)) return parts
  const attached: AssistantPart[] = []
  const calls = new TextMap<Signature>()
  for (const part of parts) {
    const signature = isAttachable(part) ? part.signature : undefined
    if (!signature) attached.push(part)
    else if (signature.id === textMarker) signText(attached, withoutId(signature))
    else calls.set(signature.id ?? '', withoutId(signature))
  }
  return attached.map((part) => {
    const signature = part.type === 'tool_call' ? calls.get(part.id) : undefined
    return signature ? { ...part, signature } : part
  })

  function isAttachable(part: AssistantPart): part is ReasoningPart {
    if (part.type !== 'reasoning' || part.form !== 'redacted' || !part.signature) return false
    const { id } = part.signature
    if (id === undefined || id === textMarker) return id === textMarker
    callIds ??= idsOfCalls(parts)
    return callIds.has(id)
  }
}

function idsOfCalls(parts: readonly AssistantPart[]): ReadonlySet<string> {
  return new TextSet(parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])))
}

/** Signs the preceding text, or an empty text if none precedes, since empty texts are not written. */
function signText(parts: AssistantPart[], signature: Signature): void {
  const last = parts.at(-1)
  if (last?.type === 'text') parts[parts.length - 1] = { ...last, signature }
  else parts.push({ type: 'text', text: '', signature })
}

function withoutId(signature: Signature): Signature {
  const { id: _, ...rest } = signature
  return rest
}
