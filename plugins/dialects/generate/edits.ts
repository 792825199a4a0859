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
  skipValidator,
  mayContainTokens,
  readPartSignature,
} from './codec/signatures.ts'

/**
 * The edit of a part of the history: keep it, remove it, replace the signature in `field` by `value`, or
 * remove the signature if there is no `value`.
 */
type PartEdit = 'keep' | 'remove' | { readonly field: string; readonly value?: string }

/** The two spellings that the provider accepts. */
const spellings = ['thoughtSignature', 'thought_signature']

/** Returns the edits of all parts, content by content. */
function planParts(contents: readonly JsonObject[]): PartEdit[][] {
  const plans = contents.map((content) => partsOf(content).map(planPart))
  // An answer may span several contents: chats of the official SDK store its chunks.
  for (let first = 0; first < contents.length; first++) {
    let next = first + 1
    if (!isAnswer(contents[first])) continue
    while (isAnswer(contents[next])) next++
    signFirstCall(contents.slice(first, next), plans.slice(first, next))
    first = next - 1
  }
  return plans
}

function planPart(part: JsonObject): PartEdit {
  const field = spellings.find((name) => isToken(stringAt(part, name)))
  if (field === undefined) return 'keep'
  const own = readPartSignature(stringAt(part, field))?.signature
  if (own?.dialect === generateId) return { field, value: own.value }
  if (part.thought === true || part.text === '') return 'remove'
  return { field }
}

/** Adds the skip value to an unsigned first call, because new models refuse an answer without either. */
function signFirstCall(contents: readonly JsonObject[], plans: readonly PartEdit[][]): void {
  if (plans.every((plan) => plan.every((edit) => edit === 'keep'))) return
  for (const [index, content] of contents.entries()) {
    const parts = partsOf(content)
    const at = parts.findIndex(isCall)
    const call = parts[at]
    const plan = plans[index]
    if (!call || !plan) continue
    const edit = plan[at] ?? 'keep'
    const field = typeof edit === 'object' ? edit.field : fieldOf(call)
    const isSigned =
      typeof edit === 'object' ? edit.value !== undefined : stringAt(call, field) !== undefined
    if (!isSigned) plan[at] = { field, value: skipValidator }
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

function isAnswer(content: JsonObject | undefined): boolean {
  return content?.role === 'model'
}

function partsOf(content: JsonObject | null): JsonObject[] {
  const parts: unknown = content?.parts
  return Array.isArray(parts) ? (parts as JsonObject[]) : []
}

/** The only content where no other is left. */
const blankContent = '{"role":"user","parts":[{"text":" "}]}'

/**
 * Returns the edits of a native request whose history has answers of other dialects' accounts. They
 * remove the signatures of those accounts, and add the skip value to calls that need a signature. The
 * contents are examined only where a byte search finds a token. `wrapper` is the member that contains the
 * request, if the body is not the request itself.
 */
export function generateEdits(body: RequestBody, wrapper?: string): ByteEdit[] {
  const { bytes, json, members } = body
  if (!mayContainTokens(body)) return []
  const wrapped = wrapper === undefined ? undefined : members.get(wrapper)
  const request = wrapper === undefined ? json : (json[wrapper] as JsonObject)
  const list = wrapped ? findMember(bytes, wrapped.start, 'contents') : members.get('contents')
  const contents: unknown = request.contents
  if (!list || !Array.isArray(contents)) return []
  const plans = planParts(contents as readonly JsonObject[])
  return editElements(
    bytes,
    list,
    (content, index) => editContent(bytes, content, plans[index] ?? []),
    blankContent,
  )
}

function editContent(bytes: Buffer, content: ByteRange, plan: readonly PartEdit[]): ElementEdit {
  if (plan.every((edit) => edit === 'keep')) return []
  if (plan.every((edit) => edit === 'remove')) return 'remove'
  const parts = findMember(bytes, content.start, 'parts')
  if (!parts) return []
  return editElements(bytes, parts, (part, index) => editPart(bytes, part, plan[index]))
}

function editPart(bytes: Buffer, part: ByteRange, edit: PartEdit = 'keep'): ElementEdit {
  if (edit === 'remove') return 'remove'
  if (edit === 'keep') return []
  const { field, value } = edit
  if (value === undefined) return removeMember(bytes, part, field)
  const token = findMember(bytes, part.start, field)
  if (token) return [{ ...token, text: JSON.stringify(value) }]
  return [insertFirst(part, field, value)]
}

/** Inserts a member before the others. A part always has another member. */
function insertFirst({ start }: ByteRange, field: string, value: string): ByteEdit {
  return {
    start: start + 1,
    end: start + 1,
    text: `${JSON.stringify(field)}:${JSON.stringify(value)},`,
  }
}
