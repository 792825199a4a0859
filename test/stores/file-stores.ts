import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { openStore } from '../../src/stores/open.ts'
import { type Store } from '../../src/stores/store.ts'

export async function openIn(directory: string): Promise<Store> {
  return await openStore(`file:${directory}`, { cwd: '/' })
}

export async function disposable(directory: string): Promise<{ store: Store } & AsyncDisposable> {
  const store = await openIn(directory)
  return { store, [Symbol.asyncDispose]: () => store.close() }
}

export function startWriter(directory: string, name: string, count: number) {
  const script = join(import.meta.dirname, 'writer.ts')
  return spawn(process.execPath, [script, directory, name, String(count)])
}
