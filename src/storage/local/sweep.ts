import { randomUUID } from 'node:crypto'
import { link, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { incomingIn } from './disk.ts'
import { makeDirectory } from './make-directory.ts'

/** Owners and files, as a local storage calls them on the disk. */
const owner = /^[\da-f]{32}$/
const file = /^[\da-f]{64}$/

/**
 * Deletes the uploads of a local storage that came before this time (milliseconds since 1970). What
 * else is there is left alone, and so are readers of a file that have opened it.
 */
export async function sweepOld(directory: string, before: number): Promise<void> {
  for await (const one of namesIn(directory, owner)) {
    for await (const name of namesIn(join(directory, one), file)) {
      const place = join(directory, one, name)
      if (await isOlder(place, before)) await removeOld(place, before, incomingIn(directory))
    }
  }
}

/**
 * Deletes a file that was seen to be older, unless a new one has taken its place by now. It is looked
 * at again as late as can be: clients miss a newer one while it is aside.
 */
export async function removeOld(place: string, before: number, incoming: string): Promise<void> {
  await makeDirectory(incoming)
  if (await isOlder(place, before)) await takeAway(place, before, incoming)
}

/**
 * Deletes a file that was older a moment ago. It is looked at once more where nobody can replace it,
 * and put back if it is newer.
 */
export async function takeAway(place: string, before: number, incoming: string): Promise<void> {
  const aside = join(incoming, randomUUID())
  await rename(place, aside).catch(unlessGone)
  if (!(await isOlder(aside, before))) await link(aside, place).catch(unlessGone)
  await rm(aside, { force: true })
}

async function isOlder(place: string, before: number): Promise<boolean> {
  const found = await stat(place).catch(unlessGone)
  return found !== undefined && found.mtimeMs < before
}

async function* namesIn(directory: string, pattern: RegExp): AsyncGenerator<string> {
  const entries = await opendir(directory).catch(unlessGone)
  if (!entries) return
  for await (const { name } of entries) if (pattern.test(name)) yield name
}

/** Another process may sweep as well, and a newer upload may be there already. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'EEXIST') return undefined
  throw error
}
