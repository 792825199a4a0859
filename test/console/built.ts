import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Where the build of the console is. */
export const builtAt = join(root, 'dist/console')

let building: Promise<unknown> | undefined

/** Builds the console if its sources have changed, as `npm start` does; a run of tests builds it once. */
export async function buildConsole(): Promise<void> {
  building ??= promisify(execFile)(process.execPath, [join(root, 'scripts/console/build.ts')])
  await building
}

/** The sizes of the files of the build by their paths, in bytes. */
export async function builtFiles(): Promise<ReadonlyMap<string, number>> {
  await buildConsole()
  const entries = await readdir(builtAt, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const sizes = files.map(
    async (path) => [relative(builtAt, path), (await stat(path)).size] as const,
  )
  return new Map(await Promise.all(sizes))
}
