import type { RequestBody } from '../../../src/contract/body.ts'
import {
  type ByteEdit,
  type ElementEdit,
  editElements,
  removeMember,
} from '../../../src/lib/json/edit.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { type ByteRange, findMember } from '../../../src/lib/json/scan.ts'
import {
  generateId,
  isToken,
  lostSignature,
  mayHoldTokens,
  readPartSignature,
} from './codec/signatures.ts'

/**
 * What becomes of a part of the history at an account of this dialect: it stays, it goes, or its
 * signature is replaced, or taken out where there is no `value`.
 */
export type PartEdit = 'stays' | 'goes' | { readonly field: string; readonly value?: string }

/** Both are the provider's own. */
const spellings = ['thoughtSignature', 'thought_signature']

/** The fates of all parts, content by content. */
export function editsOfParts(contents: readonly JsonObject[]): PartEdit[][] {
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

function fateOf(part: JsonObject): PartEdit {
  const field = spellings.find((name) => isToken(stringAt(part, name)))
  if (field === undefined) return 'stays'
  const own = readPartSignature(stringAt(part, field))?.signature
  if (own?.dialect === generateId) return { field, value: own.value }
  if (part.thought === true || part.text === '') return 'goes'
  return { field }
}

/** New models refuse answers whose first call is not signed, unless they are told to let it pass. */
function excuse(contents: readonly JsonObject[], fates: readonly PartEdit[][]): void {
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
      typeof fate === 'object' ? fate.value !== undefined : stringAt(call, field) !== undefined
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

/** What stands where nothing else would be left. */
const silence = '{"role":"user","parts":[{"text":" "}]}'

/**
 * What a native request gets whose history was made by accounts of other dialects: signatures of
 * those are taken out, and the calls that need one are told to be let pass. The contents are walked
 * only where a plain byte search says that there may be some. `wrapper`: the member in which the
 * request stands, where it is not the body itself.
 */
export function generateEdits({ bytes, json, members }: RequestBody, wrapper?: string): ByteEdit[] {
  if (!mayHoldTokens(bytes)) return []
  const inside = wrapper === undefined ? undefined : members.get(wrapper)
  const request = wrapper === undefined ? json : (json[wrapper] as JsonObject)
  const list = inside ? findMember(bytes, inside.start, 'contents') : members.get('contents')
  const contents: unknown = request.contents
  if (!list || !Array.isArray(contents)) return []
  const fates = editsOfParts(contents as readonly JsonObject[])
  return editElements(
    bytes,
    list,
    (content, index) => judgeContent(bytes, content, fates[index] ?? []),
    silence,
  )
}

function judgeContent(bytes: Buffer, content: ByteRange, fates: readonly PartEdit[]): ElementEdit {
  if (fates.every((fate) => fate === 'stays')) return []
  if (fates.every((fate) => fate === 'goes')) return 'remove'
  const parts = findMember(bytes, content.start, 'parts')
  if (!parts) return []
  return editElements(bytes, parts, (part, index) => judgePart(bytes, part, fates[index]))
}

function judgePart(bytes: Buffer, part: ByteRange, fate: PartEdit = 'stays'): ElementEdit {
  if (fate === 'goes') return 'remove'
  if (fate === 'stays') return []
  const { field, value } = fate
  if (value === undefined) return removeMember(bytes, part, field)
  const token = findMember(bytes, part.start, field)
  if (token) return [{ ...token, text: JSON.stringify(value) }]
  return [insertFirst(part, field, value)]
}

/** The part has a member already, or it would not be one. */
function insertFirst({ start }: ByteRange, field: string, value: string): ByteEdit {
  return {
    start: start + 1,
    end: start + 1,
    text: `${JSON.stringify(field)}:${JSON.stringify(value)},`,
  }
}
