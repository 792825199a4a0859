import type { JsonObject } from '../../../../src/codec.ts'
import { GatewayError } from '../../../../src/errors.ts'
import type { Understood } from '../../../../src/exchange.ts'
import type { AnswerKept, Established, Kept } from '../../../../src/kept.ts'
import { newId } from '../../../../src/translate/ids.ts'
import { objectsIn, part } from '../../../../src/usage.ts'
import { newItems } from './items.ts'
import { pageOf, placeOf } from './paging.ts'
import { cannotTell, jsonReply } from './replies.ts'

/** Where no account keeps conversations the gateway does. */
export function establishConversation({ body }: Understood): Established {
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

export const retrieveConversation: AnswerKept = (_exchange, { value }) =>
  jsonReply(conversationOf(value))

export const updateConversation: AnswerKept = async ({ body, params }, kept) => {
  const changed = await change(kept, params.id, (value) => ({
    ...value,
    conversation: { ...conversationOf(value), metadata: body.json.metadata ?? {} },
  }))
  return jsonReply(conversationOf(changed))
}

/** Its items go with it. */
export const removeConversation: AnswerKept = async (_exchange, kept) => {
  const { id } = conversationOf(kept.value)
  await kept.forget().catch(cannotTell('conversation'))
  return jsonReply({ id, object: 'conversation.deleted', deleted: true })
}

export const addConversationItems: AnswerKept = async ({ body, params }, kept) => {
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

export const listConversationItems: AnswerKept = ({ request }, { value }) =>
  jsonReply(pageOf(itemsOf(value), request.query))

export const retrieveConversationItem: AnswerKept = ({ params }, { value }) => {
  const items = itemsOf(value)
  return jsonReply(items[placeOf(items, params.item ?? '')] ?? {})
}

/** The answer is the conversation (SDK method `conversations.items.delete`). */
export const removeConversationItem: AnswerKept = async ({ params }, kept) => {
  placeOf(itemsOf(kept.value), params.item ?? '')
  const changed = await change(kept, params.id, (value) => ({
    ...value,
    items: itemsOf(value).filter(({ id }) => id !== params.item),
  }))
  return jsonReply(conversationOf(changed))
}

async function change(
  kept: Kept,
  id: string | undefined,
  next: (value: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const changed = await kept.change(next).catch(cannotTell('conversation'))
  if (changed) return changed
  throw new GatewayError('not_found', `Conversation with id '${id ?? ''}' not found.`)
}

function conversationOf(value: JsonObject): JsonObject {
  return part(value, 'conversation') ?? {}
}

function itemsOf(value: JsonObject): JsonObject[] {
  return objectsIn(value.items)
}
