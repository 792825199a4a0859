import { GatewayError } from '../../../../src/contract/errors.ts'
import type { ServeStored } from '../../../../src/contract/operation.ts'
import type { Reply } from '../../../../src/contract/outcome.ts'
import { isPresent, wrong } from '../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'

export function jsonReply(body: JsonObject): Reply {
  const headers = { 'content-type': 'application/json' }
  return { status: 200, headers, body: JSON.stringify(body) }
}

/** The store fails while something that is kept is changed. */
export function cursorUnknown(kind: string): (cause: unknown) => never {
  return (cause) => {
    throw new GatewayError('lookup_unavailable', `The ${kind} cannot be changed at the moment.`, {
      headers: { 'retry-after-ms': '250' },
      cause,
    })
  }
}

const usualLimit = 20

const mostItems = 100

/** The page of a list that a query asks for; the newest first unless it says otherwise. */
export function pageOf(items: readonly JsonObject[], query: string): JsonObject {
  const asked = new URLSearchParams(query)
  const ordered = readOrder(asked) === 'asc' ? items : items.toReversed()
  const limit = readLimit(asked)
  const after = asked.get('after')
  const from = after === null ? 0 : placeOf(ordered, after) + 1
  const data = ordered.slice(from, from + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  }
}

function readOrder(asked: URLSearchParams): string {
  const order = asked.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw wrong('order', '`asc` or `desc`')
  return order
}

function readLimit(asked: URLSearchParams): number {
  const limit = Number(asked.get('limit') ?? usualLimit)
  if (Number.isInteger(limit) && limit >= 1 && limit <= mostItems) return limit
  throw wrong('limit', `an integer from 1 to ${mostItems}`)
}

/** Throws `not_found`. */
export function placeOf(items: readonly JsonObject[], id: string): number {
  const place = items.findIndex((item) => item.id === id)
  if (place < 0) throw new GatewayError('not_found', `Item with id '${id}' not found.`)
  return place
}

/** What an account does with a history of its own only, and not with one that the gateway keeps. */
export function onlyForAccounts(what: string): ServeStored {
  return ({ body }) => {
    const isChained = isPresent(body.json, 'previous_response_id')
    const param = isChained ? 'previous_response_id' : conversationOrInput(body.json)
    throw new GatewayError(
      'invalid_value',
      `\`${param}\`: the gateway keeps it itself, and ${what} only what the request tells in full.`,
      { param },
    )
  }
}

function conversationOrInput(json: JsonObject): string {
  return isPresent(json, 'conversation') ? 'conversation' : 'input'
}
