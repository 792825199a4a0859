import type { JsonObject } from '../json.ts'
import { choice, integer } from '../shape.ts'
import { itemNotFound } from './not-found.ts'

const limitShape = integer({ min: 1, max: 100 })
const orderShape = choice('asc', 'desc')

/**
 * Renders the page of a list that the query selects. The items are given oldest first. `notFound`
 * makes the error for an unknown cursor.
 */
export function pageOf(
  items: JsonObject[],
  query: URLSearchParams,
  notFound = itemNotFound,
): JsonObject {
  const limit = Number(query.get('limit') ?? 20)
  const order = query.get('order') ?? 'desc'
  limitShape(limit, ['limit'])
  orderShape(order, ['order'])

  const ordered = order === 'asc' ? items : items.toReversed()
  const [after, before] = [query.get('after'), query.get('before')]
  const from = after === null ? 0 : placeOf(ordered, after, notFound) + 1
  const to = before === null ? ordered.length : placeOf(ordered, before, notFound)
  const between = ordered.slice(from, to)
  // Backwards, a page is the items right before the cursor.
  const isBackwards = before !== null && after === null
  const data = isBackwards ? between.slice(-limit) : between.slice(0, limit)
  return renderList(data, between.length > limit)
}

/** Renders a list object of OpenAI. */
export function renderList(data: JsonObject[], hasMore = false): JsonObject {
  const [first_id, last_id] = [data[0]?.['id'] ?? null, data.at(-1)?.['id'] ?? null]
  return { object: 'list', data, first_id, last_id, has_more: hasMore }
}

function placeOf(items: JsonObject[], id: string, notFound: typeof itemNotFound): number {
  const place = items.findIndex((item) => item['id'] === id)
  if (place < 0) throw notFound(id)
  return place
}
