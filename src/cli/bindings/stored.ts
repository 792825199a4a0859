import { createdAtOf, readsOf, scanBindings } from '../../admin/bindings.ts'
import type { ListedBinding } from '../../stores/bindings.ts'
import { openStore } from '../../stores/open.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import type { ListPage } from '../print-list.ts'
import type { BindingNode } from '../remote/nodes.ts'
import { mayContainRecords, namingStore } from '../use-store.ts'

/** Records that are read at once. */
const perRead = 250

/** The bindings of a store, in its own order. Rejects with `StoreUnavailable`. */
export async function* storedBindings(
  configuration: CommandConfiguration,
  filter: Parameters<typeof scanBindings>[1],
): AsyncGenerator<ListPage<BindingNode>> {
  if (!mayContainRecords(configuration)) return
  const store = await openStore(configuration.settings.store, { cwd: configuration.storeBase })
  try {
    let cursor: string | undefined
    do {
      const part = { cursor, limit: readsOf(filter) ?? perRead, now: Date.now() }
      const { nodes, next } = await scanBindings(store, filter, part)
      yield { nodes: nodes.map(({ node }) => bindingNode(node)), isLast: next === undefined }
      cursor = next
    } while (cursor !== undefined)
  } catch (error) {
    throw namingStore(error, configuration.settings.store)
  } finally {
    await store.close()
  }
}

/** A binding as the admin API shows it. */
export function bindingNode(listed: Omit<ListedBinding, 'recordId'>): BindingNode {
  const { account, upstreamId, model, kept, chainUntil, expiresAt } = listed.binding
  return {
    id: listed.id ?? null,
    kind: listed.kind ?? null,
    keyId: listed.keyId ?? null,
    accountId: account || null,
    upstreamId: upstreamId ?? null,
    model: model || null,
    isStored: kept !== undefined,
    chainUntil: chainUntil === undefined ? null : isoTime(chainUntil),
    createdAt: isoTime(createdAtOf(listed)),
    expiresAt: isoTime(expiresAt),
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
