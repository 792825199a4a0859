import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const parts = [
  'src',
  'plugins',
  'config',
  'examples',
  'test',
  'docs',
  'schema',
  'deploy',
  'package.json',
  'tsconfig.json',
]

/** A copy of the source in which anything may be broken. */
export interface Workshop extends AsyncDisposable {
  readonly folder: string
  /** Runs something while a file of the copy says something else. */
  withFile<R>(file: string, text: string, run: () => Promise<R>): Promise<R>
}

export async function createWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-checks-'))
  for (const part of [...parts, 'vitest.config.ts']) {
    await cp(join(root, part), join(folder, part), { recursive: true, filter: isSource })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return {
    folder,
    async withFile(file, text, run) {
      const path = join(folder, file)
      const original = await readFile(path, 'utf8')
      await writeFile(path, text)
      try {
        return await run()
      } finally {
        await writeFile(path, original)
      }
    },
    // Processes of a test that was given up may still write into it.
    [Symbol.asyncDispose]: () =>
      rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  }
}

function isSource(path: string): boolean {
  return basename(path) !== 'node_modules'
}
