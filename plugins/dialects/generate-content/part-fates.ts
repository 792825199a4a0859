import type { JsonObject } from '../../../src/codec.ts'
import { part as objectAt, text } from '../../../src/usage.ts'
import { dialect } from './codec/dialect.ts'
import { isToken, lostSignature, readPartSignature } from './codec/signatures.ts'

/**
 * What becomes of a part of the history at an account of this dialect: it stays, it goes, or its
 * signature is replaced, or taken out where there is no `value`.
 */
export type PartFate = 'stays' | 'goes' | { readonly field: string; readonly value?: string }

/** Both are the provider's own. */
const spellings = ['thoughtSignature', 'thought_signature']

/** The fates of all parts, content by content. */
export function fatesOfParts(contents: readonly JsonObject[]): PartFate[][] {
  const fates = contents.map((content) => partsOf(content).map(fateOf))
  // An answer may stand in several contents, as chats of the official SDK keep what was streamed.
  for (let first = 0; first < contents.length; first++) {
    let next = first + 1
    if (!isModels(contents[first])) continue
    while (isModels(contents[next])) next++
    excuse(contents.slice(first, next), fates.slice(first, next))
    first = next - 1
  }
  return fates
}

function fateOf(part: JsonObject): PartFate {
  const field = spellings.find((name) => isToken(text(part, name)))
  if (field === undefined) return 'stays'
  const own = readPartSignature(text(part, field))?.signature
  if (own?.dialect === dialect) return { field, value: own.value }
  if (part.thought === true || part.text === '') return 'goes'
  return { field }
}

/** New models refuse answers whose first call is not signed, unless they are told to let it pass. */
function excuse(contents: readonly JsonObject[], fates: readonly PartFate[][]): void {
  if (fates.every((some) => some.every((fate) => fate === 'stays'))) return
  for (const [index, content] of contents.entries()) {
    const parts = partsOf(content)
    const at = parts.findIndex(isCall)
    const call = parts[at]
    const some = fates[index]
    if (!call || !some) continue
    const fate = some[at] ?? 'stays'
    const field = typeof fate === 'object' ? fate.field : fieldOf(call)
    const isSigned =
      typeof fate === 'object' ? fate.value !== undefined : text(call, field) !== undefined
    if (!isSigned) some[at] = { field, value: lostSignature }
    return
  }
}

function isCall(part: JsonObject): boolean {
  return (
    objectAt(part, 'functionCall') !== undefined || objectAt(part, 'function_call') !== undefined
  )
}

function fieldOf(call: JsonObject): string {
  const [camel = '', snake = ''] = spellings
  return call[snake] !== undefined || call.function_call !== undefined ? snake : camel
}

function isModels(content: JsonObject | undefined): boolean {
  return content?.role === 'model'
}

function partsOf(content: JsonObject | null): JsonObject[] {
  const parts: unknown = content?.parts
  return Array.isArray(parts) ? (parts as JsonObject[]) : []
}
