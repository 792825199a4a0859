import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { databaseFile } from './file-database.ts'
import { openFileStore } from './file.ts'
import { openMemoryStore } from './memory.ts'
import type { Store } from './store.ts'

/**
 * Opens a store by its URL: `file:DIR` or `memory:`. A relative directory is taken from `cwd`.
 * Rejects with `StoreUnavailable` when the store cannot be used, with a `TypeError` for another URL.
 */
export async function openStore(url: string, { cwd }: { cwd: string }): Promise<Store> {
  if (url === 'memory:') return openMemoryStore()
  const directory = directoryOf(url, cwd)
  if (directory !== undefined) return openFileStore(directory)
  throw new TypeError(`"${url}" is no store. Use file:DIR or memory:.`)
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
