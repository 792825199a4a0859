import { hash } from 'node:crypto'
import {
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

// `node scripts/console/build.ts`: builds the console into `dist/console`, unless the build there is of these sources.
// `npm run build` does it, `npm start` beside the start, and the first test that opens a page.

const root = join(import.meta.dirname, '../..')
const built = join(root, 'dist/console')
const lock = join(root, 'dist/.console-lock')

/** A build takes some seconds: an older lock is of a process that was killed. In milliseconds. */
const longestMs = 60_000

try {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const sources = digestOf(['console/**', 'scripts/console/**', 'package-lock.json'])
  if (stamp() !== sources) await alone(() => build(sources))
} catch (error) {
  const message = stripVTControlCharacters((error as Error).message).replaceAll(/\s+/g, ' ')
  process.stderr.write(`The console could not be built: ${message.slice(0, 400)}\n`)
  process.exitCode = 1
}

function digestOf(patterns: readonly string[]): string {
  const files = globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  const texts = files.map((file) => `${relative(root, file)}\n${readFileSync(file, 'utf8')}`)
  return hash('sha256', texts.join('\n'))
}

/** The digest of the sources of which the build is. */
function stamp(): string {
  try {
    return readFileSync(join(built, '.stamp'), 'utf8')
  } catch {
    return ''
  }
}

/** Works while no other process does. */
async function alone(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      writeFileSync(lock, '', { flag: 'wx' })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (Date.now() - since > longestMs) rmSync(lock, { force: true })
      else await pause(100)
    }
  }
  try {
    await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

async function build(sources: string): Promise<void> {
  // Another process has built them meanwhile.
  if (stamp() === sources) return
  process.stderr.write('The console is being built.\n')
  // Where tests start it, it is `test`, and React would be its development version of twice the size.
  process.env['NODE_ENV'] = 'production'
  const { build: bundle } = await import('vite')
  const next = `${built}.next`
  await bundle({
    configFile: join(root, 'console/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: next },
  })
  writeFileSync(join(next, '.stamp'), sources)
  // A gateway that serves the former build lacks no file meanwhile.
  rmSync(built, { recursive: true, force: true })
  renameSync(next, built)
}
