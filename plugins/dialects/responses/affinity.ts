import type { IncomingHttpHeaders } from 'node:http'

import { sessionAffinity, withAffinity } from '../../../src/kit/affinity-keys.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

/** The last items say most of where a conversation has been lately. */
const mostItems = 8

/** What may lead to the account that served the like before, most telling first. */
export function readAffinity(
  json: Readonly<Record<string, unknown>>,
  headers: IncomingHttpHeaders,
): readonly string[] {
  const items = itemAffinity(json.input)
  return [...withAffinity(items, 'cache', json.prompt_cache_key), ...sessionAffinity(headers)]
}

/** The ids of items that are replayed or referred to, the last ones first. */
export function itemAffinity(items: unknown): readonly string[] {
  let keys: readonly string[] = []
  if (!Array.isArray(items)) return keys
  for (let index = items.length - 1; index >= 0 && keys.length < mostItems; index--) {
    const id = stringAt(items[index], 'id')
    if (id !== undefined) keys = withAffinity(keys, 'item', id)
  }
  return keys
}
