import type { Account } from '../../accounts.ts'
import { type JsonObject, textOf } from '../../json.ts'
import { Problem, badRequest } from '../../problem.ts'
import type { Conversation } from '../../stored.ts'
import { conversationNotFound } from '../not-found.ts'
import { canBeContinued } from '../responses/store.ts'
import { isUnfinished } from '../responses/background-work.ts'
import { weightOf } from '../../bounded-map.ts'

/** Throws a 404 for an id that this account does not have. */
export function findConversation(account: Account, id: string): Conversation {
  const conversation = account.conversations.get(id)
  if (!conversation) throw conversationNotFound(id)
  settle(account, conversation)
  return conversation
}

/** Keeps a conversation as it is now, and forgets the oldest ones when there are very many. */
export function storeConversation(account: Account, conversation: Conversation): void {
  const { id, items, metadata, pending } = conversation
  const weight = weightOf(items) + weightOf(metadata) + weightOf(pending?.stored.transcript)
  account.conversations.put(id, conversation, weight)
}

/**
 * Adds items at the end, in the form in which OpenAI gives them back, and returns them so.
 * Whether they may be said is up to `refuseToSpeak`.
 */
export function addItems(
  account: Account,
  conversation: Conversation,
  items: JsonObject[],
): JsonObject[] {
  const added = items.map(asListed)
  conversation.items = [...conversation.items, ...added]
  storeConversation(account, conversation)
  return added
}

/** Throws OpenAI's errors for a conversation in which these items cannot be said now. */
export function assertCanAddItems(conversation: Conversation, items: JsonObject[]): void {
  if (conversation.pending)
    throw new Problem(
      400,
      'Another process is currently operating on this conversation. Please retry in a few seconds.',
      { param: 'conversation', code: 'conversation_locked' },
    )
  refuseDuplicates(conversation, items)
}

function refuseDuplicates({ items: present }: Conversation, items: JsonObject[]): void {
  const known = new Set(present.map((item) => item['id']))
  for (const { id } of items) {
    if (known.has(id))
      throw badRequest(
        `Duplicate item found with id ${textOf(id)}. Remove duplicate items from your input and ` +
          'try again.',
        'input',
      )
    known.add(id)
  }
}

// What was asked and what was answered appear together, and only when the answer is whole.
function settle(account: Account, conversation: Conversation): void {
  const { pending } = conversation
  if (!pending || (pending.stored.work && isUnfinished(pending.stored.work))) return
  conversation.pending = undefined
  if (canBeContinued(pending.stored)) addItems(account, conversation, pending.items)
}

function asListed(item: JsonObject): JsonObject {
  if (item['type'] !== 'message') return item
  const { content, role } = item
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  const rest = type === 'output_text' ? { annotations: [], logprobs: [] } : {}
  const parts = typeof content === 'string' ? [{ type, text: content, ...rest }] : content
  return { ...item, status: item['status'] ?? 'completed', content: parts }
}
