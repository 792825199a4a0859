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

/**
 * `/v1/conversations` and `/v1/conversations/{id}`, for the account that created the conversation.
 */
export const conversations: Endpoint[] = [
  { provider: openai, method: 'POST', path: all, hasBody: true, answer: create },
  { provider: openai, method: 'GET', path: one, hasBody: false, answer: retrieve },
  { provider: openai, method: 'POST', path: one, hasBody: true, answer: update },
  { provider: openai, method: 'DELETE', path: one, hasBody: false, answer: remove },
]

/** The items that a request adds to a conversation: at most 20. */
export const itemsToAdd = list(inputItem, { max: 20 })

const createShape = object({ optional: { items: itemsToAdd, metadata } })
const updateShape = object({ required: { metadata: nullable(metadata) } })

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
  return { json: renderConversation(conversation) }
}

function retrieve({ account, params }: Call): Reply {
  return { json: renderConversation(findConversation(account, params['id']!)) }
}

function update({ account, params, body }: Call): Reply {
  updateShape(body, [])
  const conversation = findConversation(account, params['id']!)
  conversation.metadata = objectOf(body['metadata'])
  storeConversation(account, conversation)
  return { json: renderConversation(conversation) }
}

// Responses that contain its items keep them.
function remove({ account, params }: Call): Reply {
  const { id } = findConversation(account, params['id']!)
  account.conversations.delete(id)
  return { json: { id, object: 'conversation.deleted', deleted: true } }
}

/** Renders a conversation without its items, as OpenAI does. */
export function renderConversation({ id, createdAt, metadata: pairs }: Conversation): JsonObject {
  return { id, object: 'conversation', created_at: createdAt, metadata: pairs }
}
