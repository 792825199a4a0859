import type { RequestBody } from '../../../src/contract/body.ts'
import { checkArray, checkObject, requireField } from '../../../src/kit/checks.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { itemAffinity } from './request.ts'
import { conversationTurns } from './conversation-turns.ts'
import { type ByIdSettings, byId } from './by-id.ts'
import { itemEdits } from './edits.ts'
import {
  addConversationItems,
  createStoredConversation,
  listConversationItems,
  removeConversation,
  removeConversationItem,
  retrieveConversation,
  retrieveConversationItem,
  updateConversation,
} from './transcripts/conversations.ts'
import { namedByItems } from './named-data.ts'
import { ResponsesObserver } from './observer.ts'
import { deletedOutcome, itemOutcome, listOutcome, plainOutcome } from './outcome.ts'
import { seedOf } from './recreate.ts'
import { conversationSchemas } from './schema.ts'

const kind = 'conversation'

/**
 * `POST /v1/conversations`. The request names no model, so any account of the dialect can store it.
 */
const create = defineOperation({
  id: 'conversations.create',
  method: 'POST',
  paths: ['/v1/conversations'],
  auth: 'key',
  capability: 'stored-conversation',
  body: 'optional',
  summary: 'Create a conversation',
  schema: conversationSchemas,
  turns: conversationTurns,
  understand: (_exchange, body) => ({
    model: '',
    stream: false,
    refersTo: [],
    affinity: itemAffinity(body.json.items),
    losses: [],
    ...understandItems(body),
  }),
  forward: {
    target: ({ request }) => ({ path: '/v1/conversations', query: request.query }),
    observer: (exchange) => new ResponsesObserver(exchange),
    outcome: createdOutcome,
    createStored: createStoredConversation,
  },
})

function onConversation(settings: Omit<ByIdSettings, 'kind'>) {
  return byId({ kind, ...settings })
}

const retrieve = onConversation({
  id: 'conversations.retrieve',
  method: 'GET',
  path: '/v1/conversations/{id}',
  body: 'none',
  summary: 'Look up a conversation',
  schema: { reply: conversationSchemas.reply },
  outcome: plainOutcome,
  serveStored: retrieveConversation,
})

const update = onConversation({
  id: 'conversations.update',
  method: 'POST',
  path: '/v1/conversations/{id}',
  summary: "Change a conversation's metadata",
  schema: conversationSchemas,
  understand(_exchange, { json }) {
    checkObject(json, 'metadata')
    return {}
  },
  outcome: plainOutcome,
  serveStored: updateConversation,
})

const remove = onConversation({
  id: 'conversations.delete',
  method: 'DELETE',
  path: '/v1/conversations/{id}',
  body: 'none',
  summary: 'Delete a conversation',
  // The binding must be removed even if the client disconnects first.
  understand: () => ({ finishWithoutClient: true }),
  outcome: (json, { params }) => deletedOutcome(json, { kind, id: params.id ?? '' }),
  serveStored: removeConversation,
})

const addItems = onConversation({
  id: 'conversations.items.create',
  method: 'POST',
  path: '/v1/conversations/{id}/items',
  summary: 'Add items to a conversation',
  schema: { request: conversationSchemas.request },
  turns: conversationTurns,
  understand(_exchange, body) {
    requireField(body.json, 'items')
    return understandItems(body)
  },
  outcome: listOutcome,
  serveStored: addConversationItems,
})

const listItems = onConversation({
  id: 'conversations.items.list',
  method: 'GET',
  path: '/v1/conversations/{id}/items',
  body: 'none',
  summary: 'List the items of a conversation',
  outcome: listOutcome,
  serveStored: listConversationItems,
})

const retrieveItem = onConversation({
  id: 'conversations.items.retrieve',
  method: 'GET',
  path: '/v1/conversations/{id}/items/{item}',
  body: 'none',
  summary: 'Look up an item of a conversation',
  outcome: itemOutcome,
  serveStored: retrieveConversationItem,
})

const removeItem = onConversation({
  id: 'conversations.items.delete',
  method: 'DELETE',
  path: '/v1/conversations/{id}/items/{item}',
  body: 'none',
  summary: 'Delete an item of a conversation',
  outcome: plainOutcome,
  serveStored: removeConversationItem,
})

/** The operations on conversations and their items. */
export const conversations = [
  create,
  retrieve,
  update,
  remove,
  addItems,
  listItems,
  retrieveItem,
  removeItem,
]

function understandItems(body: RequestBody): Pick<Call, 'edits' | 'names'> {
  checkArray(body.json, 'items')
  checkObject(body.json, 'metadata')
  return { edits: itemEdits(body, 'items'), ...namedByItems(body.json) }
}

function createdOutcome(json: unknown, { body, call }: Routed): Outcome {
  const outcome = plainOutcome(json)
  const id = stringAt(json, 'id')
  if (outcome.error || id === undefined) return outcome
  const seed = seedOf(body, call)
  return { ...outcome, produced: { kind, id, model: undefined, binds: 'own', seed } }
}
