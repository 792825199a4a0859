import { randomUUID } from 'node:crypto'
import { link, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { incomingDirectory } from './disk.ts'
import { makeDirectory } from './make-directory.ts'

/** The names of owners and files on disk. */
const owner = /^[\da-f]{32}$/
const file = /^[\da-f]{64}$/

/**
 * Deletes the uploads of a local storage from before a time (milliseconds since 1970). Other files
 * stay, and readers that have opened a deleted file can finish.
 */
export async function sweepOld(directory: string, before: number): Promise<void> {
  for await (const one of namesIn(directory, owner)) {
    for await (const name of namesIn(join(directory, one), file)) {
      const place = join(directory, one, name)
      if (await isOlder(place, before)) await removeOld(place, before, incomingDirectory(directory))
    }
  }
}

/**
 * Deletes a file that is older than `before`. It checks the age again as late as possible, since
 * clients cannot see a newer file while `moveAndDelete` has moved it.
 */
export async function removeOld(place: string, before: number, incoming: string): Promise<void> {
  await makeDirectory(incoming)
  if (await isOlder(place, before)) await moveAndDelete(place, before, incoming)
}

/**
 * Moves a file aside, where no upload can replace it, and deletes it; puts it back if it turns out to
 * be newer than `before`.
 */
export async function moveAndDelete(
  place: string,
  before: number,
  incoming: string,
): Promise<void> {
  const aside = join(incoming, randomUUID())
  await rename(place, aside).catch(ignoreConflict)
  if (!(await isOlder(aside, before))) await link(aside, place).catch(ignoreConflict)
  await rm(aside, { force: true })
}

async function isOlder(place: string, before: number): Promise<boolean> {
  const found = await stat(place).catch(ignoreConflict)
  return found !== undefined && found.mtimeMs < before
}

async function* namesIn(directory: string, pattern: RegExp): AsyncGenerator<string> {
  const entries = await opendir(directory).catch(ignoreConflict)
  if (!entries) return
  for await (const { name } of entries) if (pattern.test(name)) yield name
}

/** Ignores conflicts with sweeps of other processes and with newer uploads. */
function ignoreConflict(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'EEXIST') return undefined
  throw error
}
