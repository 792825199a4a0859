import type { RequestBody } from '../../../src/contract/body.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { Loss } from '../../../src/contract/call.ts'
import { type ByteEdit, type ElementEdit, editElements } from '../../../src/lib/json/edit.ts'
import { type ByteRange, findMember } from '../../../src/lib/json/scan.ts'
import { containsWrapped, isWrapped, readSignature } from '../../../src/generate/signatures.ts'
import { objectsIn, objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { messagesId } from './codec/signatures.ts'
import { TextMap } from '../../../src/lib/text-map.ts'

/** The edits of a native request, and the losses that they cause. */
interface MessagesEdits {
  readonly edits: readonly ByteEdit[]
  readonly losses: readonly Loss[]
}

/** The edit of a block: keep it, remove it, or replace the token in `field` by the signature in it. */
type BlockEdit = 'keep' | 'remove' | { readonly field: string; readonly value: string }

const none: MessagesEdits = { edits: [], losses: [] }

/** The only message where no other is left. */
const continueMessage = '{"role":"user","content":"Continue."}'

/** The field with the signature, by the type of the thinking block. */
const signatureFields = new TextMap([
  ['thinking', 'signature'],
  ['redacted_thinking', 'data'],
])

/**
 * Returns the edits of a native request whose history has answers of other dialects' accounts. They
 * remove the thinking of those accounts, because accounts refuse thinking that they did not sign. The
 * messages are examined only where a byte search finds a wrapped signature.
 */
export function messagesEdits(body: RequestBody): MessagesEdits {
  const { bytes, json, members } = body
  const list = members.get('messages')
  if (!list || !containsWrapped(body)) return none
  const messages = json.messages as readonly JsonObject[]
  const plans = messages.map(planMessage)
  const edits = editElements(
    bytes,
    list,
    (message, index) => editMessage(bytes, message, plans[index] ?? []),
    continueMessage,
  )
  const thinking = members.get('thinking')
  const isBudgeted = stringAt(objectAt(json, 'thinking'), 'type') === 'enabled'
  if (edits.length === 0 || !thinking || !isBudgeted || !lacksThinking(messages, plans)) {
    return { edits, losses: [] }
  }
  const reason = 'an account of another dialect began the answer that continues'
  return {
    edits: [...edits, { ...thinking, text: '{"type":"disabled"}' }],
    losses: [{ field: 'thinking', reason }],
  }
}

function planMessage(message: JsonObject | null): BlockEdit[] {
  const content = message?.content
  if (!Array.isArray(content)) return []
  const plan = content.map(planBlock)
  // Accounts refuse answers that end with thinking, even with their own.
  if (plan.includes('remove')) {
    for (let last = content.length - 1; last >= 0 && isThinking(content[last]); last--) {
      plan[last] = 'remove'
    }
  }
  return plan
}

function planBlock(block: unknown): BlockEdit {
  const field = signatureFields.get(stringAt(block, 'type') ?? '')
  const token = field && stringAt(block, field)
  if (!token || !isWrapped(token)) return 'keep'
  const signature = readSignature(token, messagesId)
  return signature?.dialect === messagesId ? { field, value: signature.value } : 'remove'
}

function isThinking(block: unknown): boolean {
  return signatureFields.has(stringAt(block, 'type') ?? '')
}

function editMessage(bytes: Buffer, message: ByteRange, plan: readonly BlockEdit[]): ElementEdit {
  if (plan.every((edit) => edit === 'keep')) return []
  if (plan.every((edit) => edit === 'remove')) return 'remove'
  const content = findMember(bytes, message.start, 'content')
  if (!content) return []
  return editElements(bytes, content, (block, index) => editBlock(bytes, block, plan[index]))
}

function editBlock(bytes: Buffer, block: ByteRange, edit: BlockEdit = 'keep'): ElementEdit {
  if (edit === 'remove') return 'remove'
  const token = edit === 'keep' ? undefined : findMember(bytes, block.start, edit.field)
  if (edit === 'keep' || !token) return []
  return [{ ...token, text: JSON.stringify(edit.value) }]
}

/**
 * Whether the messages end with results for an answer that does not begin with thinking. Accounts refuse
 * that together with a thinking budget.
 */
function lacksThinking(
  messages: readonly JsonObject[],
  plans: readonly (readonly BlockEdit[])[],
): boolean {
  const end = messages.findLastIndex((message) => stringAt(message, 'role') === 'assistant')
  const results = messages.slice(end + 1).flatMap((message) => objectsIn(message?.content))
  if (!results.some(({ type }) => type === 'tool_result')) return false
  let first = end
  while (stringAt(messages[first - 1], 'role') === 'assistant') first--
  const blocks = messages.slice(first, end + 1).flatMap(({ content }, index) => {
    const plan = plans[first + index] ?? []
    return Array.isArray(content) ? content.filter((_, at) => plan[at] !== 'remove') : [content]
  })
  return !isThinking(blocks[0])
}
