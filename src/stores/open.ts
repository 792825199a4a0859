import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { databaseFile } from './file/database.ts'
import { openFileStore } from './file/store.ts'
import { openMemoryStore } from './memory.ts'
import { openRedisStore } from './redis/store.ts'
import { parseRedisUrl } from './redis/url.ts'
import type { Store } from './store.ts'

export interface OpenOptions {
  /** Relative directories are taken from here. */
  readonly cwd: string
  /** Told of what goes wrong between calls, such as a lost connection. No secret is in it. */
  readonly onError?: (error: unknown) => void
}

/**
 * Opens a store by its URL: `file:DIR`, `memory:` or one of Redis (see `parseRedisUrl`). Rejects
 * with `StoreUnavailable` when a directory cannot be used, with a `TypeError` for another URL. A
 * Redis that is away is waited for, since it may come back.
 */
export async function openStore(url: string, { cwd, onError }: OpenOptions): Promise<Store> {
  if (url === 'memory:') return openMemoryStore()
  const directory = directoryOf(url, cwd)
  if (directory !== undefined) return openFileStore(directory)
  const place = parseRedisUrl(url)
  if (place) return await openRedisStore(place, onError ?? (() => {}))
  // The URL itself may hold a password.
  throw new TypeError(
    'This is no store. Use file:DIR, memory: or redis://HOST:PORT (in credentials % is written %25).',
  )
}

/** Whether a store has been opened before, so that there may be something in it. */
export function storeExists(url: string, { cwd }: { cwd: string }): boolean {
  const directory = directoryOf(url, cwd)
  return directory !== undefined && existsSync(databaseFile(directory))
}

function directoryOf(url: string, cwd: string): string | undefined {
  const path = /^file:(.+)$/s.exec(url)?.[1]
  return path && resolve(cwd, path)
}
