import { GatewayError } from '../../../../src/contract/errors.ts'
import type { Understood } from '../../../../src/contract/exchange.ts'
import type { ServeStored } from '../../../../src/contract/operation.ts'
import type { CreatedResource, StoredResource } from '../../../../src/contract/stored.ts'
import { wrong } from '../../../../src/kit/checks.ts'
import { maxUpdatedBytes, storedSizeOf } from '../../../../src/kit/stored-size.ts'
import { newId } from '../../../../src/lib/ids.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, objectAt } from '../../../../src/lib/json/read.ts'
import { inputItemsOf } from '../codec/transcript.ts'
import { decodeConversationItems } from '../conversation-turns.ts'
import { storeUnavailable, jsonReply, listedItem, pageOf, indexOfItem } from './replies.ts'

/**
 * Returns the `items` of a request as stored items that follow `before`. Throws for items that no
 * account accepts, because they would break every later response.
 */
function newItems(items: unknown, before: readonly JsonObject[]): JsonObject[] {
  rejectUnreadable(items)
  const added = inputItemsOf(items, newId)
  if (storedSizeOf(before) + storedSizeOf(added) > maxUpdatedBytes) throw tooLarge('items')
  return added
}

/** A conversation that a request has changed. Throws if it is too large: others may have changed it meanwhile. */
function checkedSize(value: JsonObject, field: 'items' | 'metadata'): JsonObject {
  if (storedSizeOf(value) > maxUpdatedBytes) throw tooLarge(field)
  return value
}

function tooLarge(field: 'items' | 'metadata'): GatewayError {
  const most = maxUpdatedBytes / 1024 / 1024
  return wrong(field, `at most ${most} MiB together with the stored conversation`)
}

function rejectUnreadable(items: unknown): void {
  const { extras } = decodeConversationItems(items)
  const missing = extras.find(({ treatment }) => treatment === 'native')
  if (missing) throw new GatewayError('invalid_value', missing.reason, { param: missing.field })
}

/** Creates a conversation in the gateway's store, for accounts without conversations. */
export function createStoredConversation({ body }: Understood): CreatedResource {
  const id = newId('conv_')
  const created_at = Math.floor(Date.now() / 1_000)
  const conversation = {
    id,
    object: 'conversation',
    created_at,
    metadata: body.json.metadata ?? {},
  }
  const items = newItems(body.json.items, [])
  return {
    kind: 'conversation',
    id,
    value: checkedSize({ conversation, items }, 'metadata'),
    reply: jsonReply(conversation),
  }
}

/** Serves a stored conversation. */
export const retrieveConversation: ServeStored = (_exchange, { value }) =>
  jsonReply(conversationOf(value))

/** Replaces the metadata of a stored conversation. */
export const updateConversation: ServeStored = async ({ body, params }, stored) => {
  const metadata = body.json.metadata ?? {}
  const updated = await updateOrThrow(stored, params.id, (value) =>
    checkedSize({ ...value, conversation: { ...conversationOf(value), metadata } }, 'metadata'),
  )
  return jsonReply(conversationOf(updated))
}

/** Deletes a stored conversation together with its items. */
export const removeConversation: ServeStored = async (_exchange, stored) => {
  const { id } = conversationOf(stored.value)
  await stored.delete().catch(storeUnavailable('conversation'))
  return jsonReply({ id, object: 'conversation.deleted', deleted: true })
}

/** Appends items to a stored conversation and returns them. */
export const addConversationItems: ServeStored = async ({ body, params }, stored) => {
  const added = newItems(body.json.items, itemsOf(stored.value))
  await updateOrThrow(stored, params.id, (value) =>
    checkedSize({ ...value, items: [...itemsOf(value), ...added] }, 'items'),
  )
  return jsonReply({
    object: 'list',
    data: added.map(listedItem),
    first_id: added[0]?.id ?? null,
    last_id: added.at(-1)?.id ?? null,
    has_more: false,
  })
}

/** Lists the items of a stored conversation. */
export const listConversationItems: ServeStored = ({ request }, { value }) =>
  jsonReply(pageOf(itemsOf(value), request.query))

/** Serves one item of a stored conversation. */
export const retrieveConversationItem: ServeStored = ({ params }, { value }) => {
  const items = itemsOf(value)
  return jsonReply(listedItem(items[indexOfItem(items, params.item ?? '')] ?? {}))
}

/** Deletes an item; the reply is the conversation (SDK method `conversations.items.delete`). */
export const removeConversationItem: ServeStored = async ({ params }, stored) => {
  indexOfItem(itemsOf(stored.value), params.item ?? '')
  const updated = await updateOrThrow(stored, params.id, (value) => ({
    ...value,
    items: itemsOf(value).filter(({ id }) => id !== params.item),
  }))
  return jsonReply(conversationOf(updated))
}

async function updateOrThrow(
  stored: StoredResource,
  id: string | undefined,
  next: (value: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const updated = await stored.update(next).catch(storeUnavailable('conversation'))
  if (updated) return updated
  throw new GatewayError('not_found', `Conversation with id '${id ?? ''}' not found.`)
}

function conversationOf(value: JsonObject): JsonObject {
  return objectAt(value, 'conversation') ?? {}
}

function itemsOf(value: JsonObject): JsonObject[] {
  return objectsIn(value.items)
}
