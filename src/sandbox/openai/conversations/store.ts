import type { Account } from '../../accounts.ts'
import { type JsonObject, textOf } from '../../json.ts'
import { Problem, badRequest } from '../../problem.ts'
import type { Conversation } from '../../stored.ts'
import { conversationNotFound } from '../not-found.ts'
import { canBeContinued } from '../responses/store.ts'
import { isUnfinished } from '../responses/background-work.ts'
import { weightOf } from '../../bounded-map.ts'

/** Finds a conversation. Throws a 404 for an id that this account does not have. */
export function findConversation(account: Account, id: string): Conversation {
  const conversation = account.conversations.get(id)
  if (!conversation) throw conversationNotFound(id)
  addPendingItems(account, conversation)
  return conversation
}

/** Stores the present state of a conversation. The store evicts the oldest ones when it is full. */
export function storeConversation(account: Account, conversation: Conversation): void {
  const { id, items, metadata, pending } = conversation
  const weight = weightOf(items) + weightOf(metadata) + weightOf(pending?.stored.transcript)
  account.conversations.put(id, conversation, weight)
}

/**
 * Adds items at the end, in the form in which OpenAI lists them, and returns them in that form.
 * `assertCanAddItems` checks before whether they may be added.
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

/** Throws OpenAI's error if these items cannot be added to a conversation now. */
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

// Input and output are added together, once the response is finished.
function addPendingItems(account: Account, conversation: Conversation): void {
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
