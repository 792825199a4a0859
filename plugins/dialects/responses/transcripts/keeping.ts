import { wrong } from '../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { Conversation, TranscriptStore } from '../../../../src/contract/stored.ts'
import { newId } from '../../../../src/lib/ids.ts'
import { objectsIn, objectAt } from '../../../../src/lib/json/read.ts'
import { inputItemsOf, replayItemsOf } from '../codec/transcript.ts'

/**
 * What is kept of a response whose account keeps nothing: all that was said before it, and the
 * response itself. Instructions are not kept: they hold for one request (spec, Responses).
 */
export interface KeptResponse {
  readonly input: readonly JsonObject[]
  readonly response: JsonObject
  /** How many events the client was told it by; absent where it was told in one piece. */
  readonly events?: number
}

/** What is kept of a conversation. */
export interface KeptConversation {
  readonly conversation: JsonObject
  readonly items: readonly JsonObject[]
}

export const responsesKeeping: TranscriptStore = {
  transcriptOf(asked, response, events) {
    if (asked.body.store === false) return undefined
    const input = itemsOf(asked.resumed)
    return { input, response, ...(events !== undefined && { events }) } satisfies KeptResponse
  },
  isComplete: ({ status }) => status === 'completed',
  items: allIn,
  producedItems: ({ response }) => objectsIn(objectAt({ response }, 'response')?.output),
  withReferenced: (kept, named) => ({ ...kept, named }),
  resume(body, kept) {
    const before = saidBefore(kept)
    const said = told(itemsOf(body), before, objectsIn(kept.named))
    return { resumed: { ...body, input: [...before, ...said] }, before: before.length }
  },
  append(kept, asked, response) {
    const items = objectsIn(kept.items)
    const known = new Set(items.map(({ id }) => id))
    const more = [...saidNow(asked), ...objectsIn(response.output)]
    return { ...kept, items: [...items, ...more.filter(({ id }) => !known.has(id))] }
  },
}

/** A request's input as items, each with its type and an id. */
function itemsOf({ input }: JsonObject): JsonObject[] {
  const odd = Array.isArray(input) ? input.findIndex((item) => !isObject(item)) : -1
  if (odd >= 0) throw wrong(`input[${odd}]`, 'an object')
  return inputItemsOf(input, newId)
}

function saidBefore(kept: JsonObject): JsonObject[] {
  const response = objectAt(kept, 'response')
  if (!response) return replayItemsOf(kept.items)
  return [...objectsIn(kept.input), ...replayItemsOf(response.output)]
}

function allIn(kept: JsonObject): JsonObject[] {
  const made = objectsIn(objectAt(kept, 'response')?.output)
  return [...objectsIn(kept.input), ...made, ...objectsIn(kept.items)]
}

/** Items that are named are told, unless they have been told before. */
function told(
  items: readonly JsonObject[],
  before: readonly JsonObject[],
  named: readonly JsonObject[],
): JsonObject[] {
  const isBefore = new Set(before.map(({ id }) => id))
  return items.flatMap((item) => {
    if (item.type !== 'item_reference') return [item]
    if (isBefore.has(item.id)) return []
    const found = named.find(({ id }) => id === item.id)
    return found ? replayItemsOf([found]) : [item]
  })
}

/** What the client said itself, with the ids that it was given when the request was put together. */
function saidNow({ before, resumed }: Conversation): JsonObject[] {
  return objectsIn(resumed.input).slice(before)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
