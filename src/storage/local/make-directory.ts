import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a directory that nobody else on the machine looks into, and those above it that are missing.
 * Resolves with the ones that were made, the outermost first. Not by the `recursive` of Node, which
 * goes round for ever where a file system has no place for new ones (`/proc`).
 */
export async function makeDirectory(path: string): Promise<readonly string[]> {
  const failure = await makeOne(path)
  if (!failure) return [path]
  if (await isDirectory(path)) return []
  const above = dirname(path)
  if (failure.code !== 'ENOENT' || above === path) throw failure
  const made = await makeDirectory(above)
  const again = await makeOne(path)
  if (!again) return [...made, path]
  if (await isDirectory(path)) return made
  throw again
}

async function makeOne(path: string): Promise<NodeJS.ErrnoException | undefined> {
  return mkdir(path, { mode: 0o700 }).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  )
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
