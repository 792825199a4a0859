/** A gateway's routing at a given size: its accounts, the pipeline as served, bindings in a store. */

import pipeline from '../../../config/gateway.config.ts'
import { noLines } from '../../../src/lib/log.ts'
import { compileSnapshot } from '../../../src/accounts/compile.ts'
import type { Snapshot } from '../../../src/contract/candidate.ts'
import { type Hooks, composeHooks } from '../../../src/hooks/compose.ts'
import { resolveSettings } from '../../../src/configuration/resolve.ts'
import type { Dialect } from '../../../src/contract/dialect.ts'
import { type Binding, createBindings, ownedMs } from '../../../src/stores/bindings.ts'
import { type KeyRing, createKeyRing } from '../../../src/stores/key-ring.ts'
import { openStore } from '../../../src/stores/open.ts'
import type { Store } from '../../../src/stores/store.ts'
import { clientKey } from '../subjects/subject.ts'
import { resourceId } from './ids.ts'

export interface Size {
  readonly accounts: number
  readonly pools: number
  readonly bindings: number
}

export interface World extends Size {
  readonly hooks: Hooks
  readonly snapshot: Snapshot
  readonly dialect: Dialect
  close(): Promise<void>
}

const keyId = 'bench'

/** As many bindings are written at once. */
const batch = 500

export async function openWorld(directory: string, size: Size): Promise<World> {
  const settings = resolveSettings(
    {
      store: `file:${directory}`,
      keys: [{ id: keyId, secret: clientKey }],
      accounts: Array.from({ length: size.accounts }, (_, index) => ({
        id: accountOf(index),
        provider: 'openai',
        apiKey: `sk-${index}`,
        models: [modelOf(size, index)],
      })),
    },
    { env: {} },
  )
  const store = await openStore(settings.store, { cwd: '/' })
  const keys = await createKeyRing({ configured: settings.keys, store, onError: console.error })
  const plugins = pipeline({
    store,
    keys,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    lines: noLines,
    health: { draining: false, inflight: () => 0, accounts: () => size.accounts },
  })
  const dialects = plugins.flatMap((plugin) => plugin.dialects ?? [])
  await bind(store, size)
  return {
    ...size,
    hooks: composeHooks(plugins, {
      outcomeMs: 1_000,
      pluginMs: 1_000,
      onHookError: console.error,
    }),
    snapshot: compileSnapshot(settings.accounts, settings.aliases, dialects).snapshot,
    dialect: dialects.find(({ id }) => id === 'responses') as Dialect,
    close: () => closeAll(keys, store),
  }
}

/** Names are as long in a small world as in a large one: short texts are read faster. */
function accountOf(index: number): string {
  return `account-${String(index).padStart(4, '0')}`
}

/** The model that the nth account serves, and that the nth response is of. */
export function modelOf({ pools }: Size, count: number): string {
  return `model-${String(count % pools).padStart(2, '0')}`
}

async function bind(store: Store, size: Size): Promise<void> {
  const bindings = createBindings(store.records<Binding>('bindings'))
  for (let from = 0; from < size.bindings; from += batch) {
    const length = Math.min(batch, size.bindings - from)
    await Promise.all(Array.from({ length }, (_, offset) => bindOne(bindings, size, from + offset)))
  }
}

function bindOne(
  bindings: ReturnType<typeof createBindings>,
  size: Size,
  count: number,
): Promise<void> {
  const id = resourceId('resp', count)
  const time = Date.now()
  return bindings.save(
    { kind: 'response', keyId, id },
    {
      account: accountOf(count % size.accounts),
      model: modelOf(size, count),
      chainUntil: time + ownedMs,
      expiresAt: time + ownedMs,
    },
  )
}

async function closeAll(keys: KeyRing, store: Store): Promise<void> {
  keys.close()
  await store.close()
}
