import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory, private to its user, and its missing parents. Resolves with the created
 * directories, the outermost first. It does not use `recursive` of Node, which loops forever on a file
 * system that refuses new directories (`/proc`).
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
