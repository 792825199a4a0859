import {
  type ListedBinding,
  bindingsNamespace,
  listedBindingOf,
  ownedMs,
} from '../stores/bindings.ts'
import { recordPrefixOf } from '../stores/record-id.ts'
import type { ScanOptions, Store } from '../stores/store.ts'
import type { ScannedPart } from './scan-page.ts'

/** Which bindings a list has. Times are milliseconds since 1970. */
export interface BindingFilter {
  readonly keyId?: string | undefined
  readonly accountId?: string | undefined
  readonly kind?: string | undefined
  readonly createdAfter?: number | undefined
  readonly createdBefore?: number | undefined
}

/** The number of records in one read of a list with a filter. */
const perRead = 250

/** How many records to read at once; `undefined` for a filter that skips none. */
export function readsOf(filter: BindingFilter): number | undefined {
  return Object.values(filter).some((one) => one !== undefined) ? perRead : undefined
}

/** When the resource was recorded: all bindings live equally long. */
export function createdAtOf({ binding }: Pick<ListedBinding, 'binding'>): number {
  return binding.expiresAt - ownedMs
}

/** A part of the store's bindings that pass a filter and have not expired. Rejects as `Records.scan` does. */
export async function scanBindings(
  store: Pick<Store, 'records'>,
  filter: BindingFilter,
  { cursor, limit, now }: { cursor: string | undefined; limit: number; now: number },
): Promise<ScannedPart<ListedBinding>> {
  const records = store.records(bindingsNamespace, { isPlain: true })
  const page = await records.scan({ cursor, limit, ...recordsOf(filter) })
  const nodes = page.records.flatMap(({ id, value, cursor: at }) => {
    const node = listedBindingOf(id, value)
    return node && node.binding.expiresAt > now && passes(node, filter)
      ? [{ node, cursor: at }]
      : []
  })
  return { ...page, nodes }
}

/** The records whose ids a filter permits: their values alone are read. */
function recordsOf({ kind, keyId }: BindingFilter): Pick<ScanOptions, 'prefix' | 'wants'> {
  if (kind !== undefined) {
    return { prefix: recordPrefixOf(keyId === undefined ? [kind] : [kind, keyId]) }
  }
  if (keyId === undefined) return {}
  const owner = recordPrefixOf([keyId])
  return { wants: (id) => id.startsWith(owner, id.indexOf(' ') + 1) }
}

function passes(node: ListedBinding, filter: BindingFilter): boolean {
  const { accountId, createdAfter = -Infinity, createdBefore = Infinity } = filter
  const createdAt = createdAtOf(node)
  return (
    (accountId === undefined || node.binding.account === accountId) &&
    createdAt >= createdAfter &&
    createdAt < createdBefore
  )
}
