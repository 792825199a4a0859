import { newId, nowInSeconds } from '../../ids.ts'
import { type JsonObject, objectOf } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { list, nullable, object } from '../../shape.ts'
import type { Conversation } from '../../stored.ts'
import { metadata } from '../fields.ts'
import { openai } from '../provider.ts'
import { readItems } from '../responses/history.ts'
import { inputItem } from '../responses/item-shapes.ts'
import { addItems, findConversation, storeConversation, assertCanAddItems } from './store.ts'

const all = /^\/v1\/conversations$/
const one = /^\/v1\/conversations\/(?<id>[^/]+)$/

/** What can be done with a conversation as a whole, by the account that opened it. */
export const conversations: Endpoint[] = [
  { provider: openai, method: 'POST', path: all, hasBody: true, answer: create },
  { provider: openai, method: 'GET', path: one, hasBody: false, answer: retrieve },
  { provider: openai, method: 'POST', path: one, hasBody: true, answer: update },
  { provider: openai, method: 'DELETE', path: one, hasBody: false, answer: remove },
]

/** Items as they are added to a conversation: at most 20 at a time. */
export const itemsToAdd = list(inputItem, { max: 20 })

const createShape = object({ optional: { items: nullable(itemsToAdd), metadata } })
const updateShape = object({ required: { metadata } })

function create({ account, body }: Call): Reply {
  createShape(body, [])
  const conversation: Conversation = {
    id: newId(`conv_${account.id}_`),
    createdAt: nowInSeconds(),
    metadata: objectOf(body['metadata']),
    items: [],
  }
  const items = readItems(body['items'], account)
  assertCanAddItems(conversation, items)
  addItems(account, conversation, items)
  return { json: render(conversation) }
}

function retrieve({ account, params }: Call): Reply {
  return { json: render(findConversation(account, params['id']!)) }
}

function update({ account, params, body }: Call): Reply {
  updateShape(body, [])
  const conversation = findConversation(account, params['id']!)
  conversation.metadata = objectOf(body['metadata'])
  storeConversation(account, conversation)
  return { json: render(conversation) }
}

// Its items stay known to the responses that have them.
function remove({ account, params }: Call): Reply {
  const { id } = findConversation(account, params['id']!)
  account.conversations.delete(id)
  return { json: { id, object: 'conversation.deleted', deleted: true } }
}

/** The conversation as OpenAI shows it: without its items. */
export function render({ id, createdAt, metadata: given }: Conversation): JsonObject {
  return { id, object: 'conversation', created_at: createdAt, metadata: given }
}
