import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { databaseFile } from './file/database.ts'
import { openFileStore } from './file/store.ts'
import { openMemoryStore } from './memory.ts'
import { parseRedisUrl } from './redis/url.ts'
import type { Store } from './store.ts'

/** The options of `openStore`. */
interface OpenStoreOptions {
  /** The base of relative directories. */
  readonly cwd: string
  /** Called for errors between calls, such as a lost connection. They contain no secret. */
  readonly onError?: (error: unknown) => void
}

/**
 * Opens a store by its URL: `file:DIR`, `memory:` or one of Redis (see `parseRedisUrl`). Rejects
 * with `StoreUnavailable` when a directory cannot be used, with a `TypeError` for another URL. An
 * unreachable Redis is no error: its store connects later.
 */
export async function openStore(url: string, { cwd, onError }: OpenStoreOptions): Promise<Store> {
  if (url === 'memory:') return openMemoryStore()
  const directory = directoryOf(url, cwd)
  if (directory !== undefined) return openFileStore(directory)
  const address = parseRedisUrl(url)
  if (address) {
    // Loaded here: the client of Redis has hundreds of modules, which other stores start without.
    const { openRedisStore } = await import('./redis/store.ts')
    return await openRedisStore(address, onError ?? (() => {}))
  }
  // Without the URL, which may contain a password.
  throw new TypeError(
    'Unsupported store URL. Use file:DIR, memory: or redis://HOST:PORT (write % in credentials as %25).',
  )
}

/** Whether a file store exists, so that it may contain records. */
export function storeExists(url: string, { cwd }: { cwd: string }): boolean {
  const directory = directoryOf(url, cwd)
  return directory !== undefined && existsSync(databaseFile(directory))
}

function directoryOf(url: string, cwd: string): string | undefined {
  const path = /^file:(.+)$/s.exec(url)?.[1]
  return path && resolve(cwd, path)
}

/** The kinds of stores. */
export const storeKinds = ['file', 'memory', 'redis'] as const

/** The kind of a store, by its URL. */
export function storeKind(url: string): (typeof storeKinds)[number] {
  return storeKinds.find((kind) => url.startsWith(kind)) ?? 'file'
}
