import type { RequestBody } from '../../../src/contract/body.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { Loss } from '../../../src/contract/call.ts'
import { type ByteEdit, type ElementEdit, editElements } from '../../../src/lib/json/edit.ts'
import { type ByteRange, findMember } from '../../../src/lib/json/scan.ts'
import { containsWrapped, isWrapped, readSignature } from '../../../src/generate/signatures.ts'
import { objectsIn, objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { messagesId } from './codec/signatures.ts'

export interface MessagesEdits {
  readonly edits: readonly ByteEdit[]
  readonly losses: readonly Loss[]
}

/** What becomes of a block: it stays, goes, or has its token replaced by the signature inside. */
type Fate = 'stays' | 'goes' | { readonly field: string; readonly value: string }

const none: MessagesEdits = { edits: [], losses: [] }

/** What a user says where nothing else would be left. */
const goOn = '{"role":"user","content":"Continue."}'

/** Where a thought keeps its signature. */
const signatureFields = new Map([
  ['thinking', 'signature'],
  ['redacted_thinking', 'data'],
])

/**
 * What a native request gets whose history was made by accounts of other dialects: the thoughts of
 * those are taken out, since no account takes what it did not sign. The messages are walked only
 * where a plain byte search says that there may be some.
 */
export function messagesEdits({ bytes, json, members }: RequestBody): MessagesEdits {
  const list = members.get('messages')
  if (!list || !containsWrapped(bytes)) return none
  const messages = json.messages as readonly JsonObject[]
  const fates = messages.map(fatesOf)
  const edits = editElements(
    bytes,
    list,
    (message, index) => judgeMessage(bytes, message, fates[index] ?? []),
    goOn,
  )
  const thinking = members.get('thinking')
  const isBudgeted = stringAt(objectAt(json, 'thinking'), 'type') === 'enabled'
  if (edits.length === 0 || !thinking || !isBudgeted || !goesOnThoughtless(messages, fates)) {
    return { edits, losses: [] }
  }
  const reason = 'the answer that is going on was begun by an account of another dialect'
  return {
    edits: [...edits, { ...thinking, text: '{"type":"disabled"}' }],
    losses: [{ field: 'thinking', reason }],
  }
}

function fatesOf(message: JsonObject | null): Fate[] {
  const content = message?.content
  if (!Array.isArray(content)) return []
  const fates = content.map(fateOf)
  // Accounts refuse answers that end with thoughts, their own too.
  if (fates.includes('goes')) {
    for (let last = content.length - 1; last >= 0 && isThought(content[last]); last--) {
      fates[last] = 'goes'
    }
  }
  return fates
}

function fateOf(block: unknown): Fate {
  const field = signatureFields.get(stringAt(block, 'type') ?? '')
  const token = field && stringAt(block, field)
  if (!token || !isWrapped(token)) return 'stays'
  const signature = readSignature(token, messagesId)
  return signature?.dialect === messagesId ? { field, value: signature.value } : 'goes'
}

function isThought(block: unknown): boolean {
  return signatureFields.has(stringAt(block, 'type') ?? '')
}

function judgeMessage(bytes: Buffer, message: ByteRange, fates: readonly Fate[]): ElementEdit {
  if (fates.every((fate) => fate === 'stays')) return []
  if (fates.every((fate) => fate === 'goes')) return 'remove'
  const content = findMember(bytes, message.start, 'content')
  if (!content) return []
  return editElements(bytes, content, (block, index) => judgeBlock(bytes, block, fates[index]))
}

function judgeBlock(bytes: Buffer, block: ByteRange, fate: Fate = 'stays'): ElementEdit {
  if (fate === 'goes') return 'remove'
  const token = fate === 'stays' ? undefined : findMember(bytes, block.start, fate.field)
  if (fate === 'stays' || !token) return []
  return [{ ...token, text: JSON.stringify(fate.value) }]
}

/** Whether tools answer an answer that begins without thoughts, which a budget for them forbids. */
function goesOnThoughtless(
  messages: readonly JsonObject[],
  fates: readonly (readonly Fate[])[],
): boolean {
  const end = messages.findLastIndex((message) => stringAt(message, 'role') === 'assistant')
  const results = messages.slice(end + 1).flatMap((message) => objectsIn(message?.content))
  if (!results.some(({ type }) => type === 'tool_result')) return false
  let first = end
  while (stringAt(messages[first - 1], 'role') === 'assistant') first--
  const blocks = messages.slice(first, end + 1).flatMap(({ content }, index) => {
    const left = fates[first + index] ?? []
    return Array.isArray(content) ? content.filter((_, at) => left[at] !== 'goes') : [content]
  })
  return !isThought(blocks[0])
}
