import type { JsonObject } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { object } from '../../shape.ts'
import { itemNotFound } from '../not-found.ts'
import { pageOf, renderList } from '../paging.ts'
import { openai } from '../provider.ts'
import { readItems } from '../responses/history.ts'
import { itemsToAdd, renderConversation } from './conversations.ts'
import { addItems, findConversation, storeConversation, assertCanAddItems } from './store.ts'

const all = /^\/v1\/conversations\/(?<id>[^/]+)\/items$/
const one = /^\/v1\/conversations\/(?<id>[^/]+)\/items\/(?<item>[^/]+)$/

/** `/v1/conversations/{id}/items` and `/v1/conversations/{id}/items/{item}`. */
export const conversationItems: Endpoint[] = [
  { provider: openai, method: 'POST', path: all, hasBody: true, answer: add },
  { provider: openai, method: 'GET', path: all, hasBody: false, answer: listItems },
  { provider: openai, method: 'GET', path: one, hasBody: false, answer: retrieve },
  { provider: openai, method: 'DELETE', path: one, hasBody: false, answer: remove },
]

const addShape = object({ required: { items: itemsToAdd } })

function add({ account, params, body }: Call): Reply {
  addShape(body, [])
  const conversation = findConversation(account, params['id']!)
  const items = readItems(body['items'], account)
  assertCanAddItems(conversation, items)
  return { json: renderList(addItems(account, conversation, items)) }
}

function listItems({ account, params, query }: Call): Reply {
  return { json: pageOf(findConversation(account, params['id']!).items, query) }
}

function retrieve(call: Call): Reply {
  return { json: findItem(call) }
}

function remove(call: Call): Reply {
  const item = findItem(call)
  const conversation = findConversation(call.account, call.params['id']!)
  conversation.items = conversation.items.filter((other) => other !== item)
  storeConversation(call.account, conversation)
  return { json: renderConversation(conversation) }
}

function findItem({ account, params }: Call): JsonObject {
  const { items } = findConversation(account, params['id']!)
  const item = items.find(({ id }) => id === params['item'])
  if (!item) throw itemNotFound(params['item']!)
  return item
}
