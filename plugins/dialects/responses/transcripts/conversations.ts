import { GatewayError } from '../../../../src/contract/errors.ts'
import type { Understood } from '../../../../src/contract/exchange.ts'
import type { ServeStored } from '../../../../src/contract/operation.ts'
import type { CreatedResource, StoredResource } from '../../../../src/contract/stored.ts'
import { wrong } from '../../../../src/kit/checks.ts'
import { maxUpdatedBytes, storedSizeOf } from '../../../../src/kit/stored-size.ts'
import { newId } from '../../../../src/lib/ids.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, objectAt } from '../../../../src/lib/json/read.ts'
import { responsesCodec } from '../codec/index.ts'
import { inputItemsOf } from '../codec/transcript.ts'
import { cursorUnknown, jsonReply, pageOf, placeOf } from './replies.ts'

/**
 * The `items` of a request as they are kept, after these. What no account could be told is refused
 * at once: it would be in the way of every later response.
 */
export function newItems(items: unknown, before: readonly JsonObject[]): JsonObject[] {
  refuseUnreadable(items)
  const added = inputItemsOf(items, newId)
  if (storedSizeOf(before) + storedSizeOf(added) > maxUpdatedBytes) {
    throw wrong('items', `no more than ${maxUpdatedBytes / 1024 / 1024} MiB with those before`)
  }
  return added
}

function refuseUnreadable(items: unknown): void {
  const body = { input: items ?? [] }
  try {
    const { extras } = responsesCodec.decodeRequest({ body, stream: false, query: '', headers: {} })
    const missing = extras.find(({ treatment }) => treatment === 'native')
    if (missing) throw new GatewayError('invalid_value', missing.reason, { param: missing.field })
  } catch (error) {
    throw GatewayError.isInstance(error) ? aboutItems(error) : error
  }
}

/** They were read as the input that they will be. */
function aboutItems({ code, message, param = '' }: GatewayError): GatewayError {
  const field = param.replace(/^input/, 'items')
  return new GatewayError(code, message.replace(param, field), { param: field })
}

/** Where no account keeps conversations the gateway does. */
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
    value: { conversation, items },
    reply: jsonReply(conversation),
  }
}

export const retrieveConversation: ServeStored = (_exchange, { value }) =>
  jsonReply(conversationOf(value))

export const updateConversation: ServeStored = async ({ body, params }, kept) => {
  const changed = await change(kept, params.id, (value) => ({
    ...value,
    conversation: { ...conversationOf(value), metadata: body.json.metadata ?? {} },
  }))
  return jsonReply(conversationOf(changed))
}

/** Its items go with it. */
export const removeConversation: ServeStored = async (_exchange, kept) => {
  const { id } = conversationOf(kept.value)
  await kept.delete().catch(cursorUnknown('conversation'))
  return jsonReply({ id, object: 'conversation.deleted', deleted: true })
}

export const addConversationItems: ServeStored = async ({ body, params }, kept) => {
  const added = newItems(body.json.items, itemsOf(kept.value))
  await change(kept, params.id, (value) => ({ ...value, items: [...itemsOf(value), ...added] }))
  return jsonReply({
    object: 'list',
    data: added,
    first_id: added[0]?.id ?? null,
    last_id: added.at(-1)?.id ?? null,
    has_more: false,
  })
}

export const listConversationItems: ServeStored = ({ request }, { value }) =>
  jsonReply(pageOf(itemsOf(value), request.query))

export const retrieveConversationItem: ServeStored = ({ params }, { value }) => {
  const items = itemsOf(value)
  return jsonReply(items[placeOf(items, params.item ?? '')] ?? {})
}

/** The answer is the conversation (SDK method `conversations.items.delete`). */
export const removeConversationItem: ServeStored = async ({ params }, kept) => {
  placeOf(itemsOf(kept.value), params.item ?? '')
  const changed = await change(kept, params.id, (value) => ({
    ...value,
    items: itemsOf(value).filter(({ id }) => id !== params.item),
  }))
  return jsonReply(conversationOf(changed))
}

async function change(
  kept: StoredResource,
  id: string | undefined,
  next: (value: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const changed = await kept.update(next).catch(cursorUnknown('conversation'))
  if (changed) return changed
  throw new GatewayError('not_found', `Conversation with id '${id ?? ''}' not found.`)
}

function conversationOf(value: JsonObject): JsonObject {
  return objectAt(value, 'conversation') ?? {}
}

function itemsOf(value: JsonObject): JsonObject[] {
  return objectsIn(value.items)
}
