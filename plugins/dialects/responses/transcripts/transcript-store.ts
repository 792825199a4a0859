import { wrong } from '../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { Conversation, TranscriptStore } from '../../../../src/contract/stored.ts'
import { newId } from '../../../../src/lib/ids.ts'
import { objectsIn, objectAt } from '../../../../src/lib/json/read.ts'
import { inputItemsOf, replayItemsOf } from '../codec/transcript.ts'
import { TextMap, TextSet } from '../../../../src/lib/text-map.ts'

/**
 * The transcript of a response that no account stores: its full input and the response itself.
 * Instructions are left out, because they apply to one request only.
 */
interface StoredResponse {
  readonly input: readonly JsonObject[]
  readonly response: JsonObject
  /** Number of events of the original stream; absent for a JSON reply. */
  readonly events?: number
}

/** Transcripts of responses and conversations, for chaining and replay. */
export const responsesTranscripts: TranscriptStore = {
  transcriptOf(conversation, response, events) {
    if (conversation.body.store === false) return undefined
    const input = itemsOf(conversation.resumed)
    return { input, response, ...(events !== undefined && { events }) } satisfies StoredResponse
  },
  isComplete: ({ status }) => status === 'completed',
  items: allItems,
  producedItems: ({ response }) => objectsIn(objectAt({ response }, 'response')?.output),
  withReferenced: (stored, referenced) => ({ ...stored, named: referenced }),
  resume(body, stored) {
    const before = historyOf(stored)
    const input = resolveReferences(itemsOf(body), before, objectsIn(stored.named))
    return { resumed: { ...body, input: [...before, ...input] }, before: before.length }
  },
  append(stored, conversation, response) {
    const items = objectsIn(stored.items)
    const known = new TextSet<unknown>(items.map(({ id }) => id))
    const more = [...newInputItems(conversation), ...objectsIn(response.output)]
    return { ...stored, items: [...items, ...more.filter(({ id }) => !known.has(id))] }
  },
}

/**
 * Returns a request's input as items, each with its type and an id. Throws for an item that is no
 * object.
 */
function itemsOf({ input }: JsonObject): JsonObject[] {
  const odd = Array.isArray(input) ? input.findIndex((item) => !isObject(item)) : -1
  if (odd >= 0) throw wrong(`input[${odd}]`, 'an object')
  return inputItemsOf(input, newId)
}

/** Returns the items that the next request continues from. */
function historyOf(stored: JsonObject): JsonObject[] {
  const response = objectAt(stored, 'response')
  if (!response) return replayItemsOf(stored.items)
  return [...objectsIn(stored.input), ...replayItemsOf(response.output)]
}

function allItems(stored: JsonObject): JsonObject[] {
  const output = objectsIn(objectAt(stored, 'response')?.output)
  return [...objectsIn(stored.input), ...output, ...objectsIn(stored.items)]
}

/** Replaces item references by the referenced items, each of which stands once in the history and the input. */
function resolveReferences(
  items: readonly JsonObject[],
  before: readonly JsonObject[],
  referenced: readonly JsonObject[],
): JsonObject[] {
  const known = new TextSet<unknown>(before.map(({ id }) => id))
  let firstById: ReadonlyMap<unknown, JsonObject> | undefined
  return items.flatMap((item) => {
    if (item.type !== 'item_reference') return [item]
    if (known.has(item.id)) return []
    firstById ??= new TextMap<JsonObject, unknown>(
      referenced.toReversed().map((one) => [one.id, one]),
    )
    const found = firstById.get(item.id)
    if (!found) return [item]
    known.add(item.id)
    return replayItemsOf([found])
  })
}

/** Returns the items that the client's own request added, with the ids from `resume`. */
function newInputItems({ before, resumed }: Conversation): JsonObject[] {
  return objectsIn(resumed.input).slice(before)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
