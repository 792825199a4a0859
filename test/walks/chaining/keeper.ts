import type { ServerResponse } from 'node:http'

import type { Answer } from '../../../src/testing/index.ts'

interface Conversation {
  readonly id: string
  metadata: object
  readonly items: Item[]
}

type Item = Record<string, unknown>

/**
 * An account that keeps conversations and says nothing in them. It knows only its own, and its name
 * is in their ids.
 */
export function keeper(name: string): Answer {
  const conversations = new Map<string, Conversation>()
  let made = 0
  const newId = (kind: string) => `${kind}_${name}_${++made}`
  const withIds = (items: Item[] = []) => items.map((item) => ({ id: newId('msg'), ...item }))

  function create({ items, metadata = {} }: Sent): object {
    const conversation = { id: newId('conv'), metadata, items: withIds(items) }
    conversations.set(conversation.id, conversation)
    return shown(conversation)
  }

  function respond({ conversation, previous_response_id }: Sent): object {
    const named = typeof conversation === 'object' ? conversation.id : conversation
    const id = named && (conversations.get(named)?.id ?? missing(named))
    const reply = { object: 'response', created_at: 1, status: 'completed', model: 'm', output: [] }
    return {
      id: newId('resp'),
      ...reply,
      previous_response_id: previous_response_id ?? null,
      conversation: id ? { id } : null,
    }
  }

  function onConversation(method: string, id: string, sent: Sent): object {
    const conversation = conversations.get(id) ?? missing(id)
    if (method === 'DELETE') {
      conversations.delete(id)
      return { id, object: 'conversation.deleted', deleted: true }
    }
    if (method === 'POST') conversation.metadata = sent.metadata ?? {}
    return shown(conversation)
  }

  function onItems(method: string, id: string, sent: Sent): object {
    const { items } = conversations.get(id) ?? missing(id)
    const added = withIds(sent.items)
    items.push(...added)
    return listOf(method === 'POST' ? added : items.toReversed())
  }

  function onItem(method: string, id: string, itemId: string): object {
    const conversation = conversations.get(id) ?? missing(id)
    const at = conversation.items.findIndex((item) => item.id === itemId)
    if (at < 0) missing(itemId)
    const [item = {}] = conversation.items.slice(at)
    if (method === 'GET') return item
    conversation.items.splice(at, 1)
    return shown(conversation)
  }

  return (response, { method, url, body }) => {
    const sent = (body.length > 0 ? JSON.parse(body.toString()) : {}) as Sent
    const [, , what, id, items, item] = new URL(url, 'http://keeper').pathname.split('/')
    serve(response, () => {
      if (what === 'responses') return respond(sent)
      if (id === undefined) return create(sent)
      if (items === undefined) return onConversation(method, id, sent)
      return item === undefined ? onItems(method, id, sent) : onItem(method, id, item)
    })
  }
}

interface Sent {
  readonly conversation?: string | { readonly id: string }
  readonly previous_response_id?: string
  readonly items?: Item[]
  readonly metadata?: object
}

class Missing extends Error {}

function missing(id: string): never {
  throw new Missing(`'${id}' is not kept here.`)
}

function serve(response: ServerResponse, make: () => object): void {
  try {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(make()))
  } catch (error) {
    if (!(error instanceof Missing)) throw error
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: error.message } }))
  }
}

function shown({ id, metadata }: Conversation): object {
  return { id, object: 'conversation', created_at: 1, metadata }
}

function listOf(data: Item[]): object {
  const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null]
  return { object: 'list', data, first_id: first, last_id: last, has_more: false }
}
