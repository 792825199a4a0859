import type { IncomingHttpHeaders } from 'node:http'

import { sessionAffinity, withAffinity } from '../../../src/kit/affinity-keys.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

/** Maximum number of item ids used: the last items name the most recent account. */
const maxItems = 8

/** Returns the affinity keys of a request, the strongest first. */
export function readAffinity(
  json: Readonly<Record<string, unknown>>,
  headers: IncomingHttpHeaders,
): readonly string[] {
  const items = itemAffinity(json.input)
  return [...withAffinity(items, 'cache', json.prompt_cache_key), ...sessionAffinity(headers)]
}

/** Returns affinity keys for the ids of replayed or referenced items, the last items first. */
export function itemAffinity(items: unknown): readonly string[] {
  let keys: readonly string[] = []
  if (!Array.isArray(items)) return keys
  for (let index = items.length - 1; index >= 0 && keys.length < maxItems; index--) {
    const id = stringAt(items[index], 'id')
    if (id !== undefined) keys = withAffinity(keys, 'item', id)
  }
  return keys
}
