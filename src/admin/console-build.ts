import { hash } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

/** A file of the console, with its compressed forms as far as the build has them. */
export interface ConsoleFile {
  readonly type: string
  readonly bytes: Buffer
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

/** A build of the console, in memory: requests reach no other file. */
export interface ConsoleBuild {
  /** `index.html`. Its URLs of files begin with `./`. */
  readonly page: string
  /** By their paths in the build, such as `assets/index-abc123.js`. */
  readonly files: ReadonlyMap<string, ConsoleFile>
  /** The operations that the console sends, by the SHA-256 of their text in hex. */
  readonly operations: ReadonlyMap<string, string>
}

/** The present build; `undefined` before the first. */
export type ReadConsole = () => Promise<ConsoleBuild | undefined>

/** Where the build is, in a checkout and in the package. */
const builtAt = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/console' : './console', import.meta.url),
)

/** The least time between two looks at the files, in milliseconds. */
const lookMs = 500

/** The types of files that are served. */
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
}

const operationsSchema = z.record(z.string(), z.string())

/** Creates what reads the build with the first request, and again after each change of its files. */
export function createConsole(directory: string = builtAt): ReadConsole {
  let known: { state: string; build: ConsoleBuild | undefined } = { state: '', build: undefined }
  let lookedAt = -Infinity
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const names = await namesIn(directory)
    const state = await stateOf(directory, names)
    if (state !== known.state) known = { state, build: await load(directory, names) }
  }

  return async () => {
    if (!looking && performance.now() - lookedAt >= lookMs) {
      looking = look()
        // A build goes on: files come and go.
        .catch(() => void (known = { state: '', build: undefined }))
        .finally(() => {
          lookedAt = performance.now()
          looking = undefined
        })
    }
    await looking
    return known.build
  }
}

async function namesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)).replaceAll(sep, '/'))
}

async function stateOf(directory: string, names: readonly string[]): Promise<string> {
  const states = names.map(async (name) => {
    const { size, mtimeMs } = await stat(join(directory, name))
    return `${name} ${size} ${mtimeMs}`
  })
  return (await Promise.all(states)).join('\n')
}

async function load(directory: string, names: readonly string[]): Promise<ConsoleBuild> {
  const all = new Set(names)
  const read = (name: string) => readFile(join(directory, name))
  const readIfAny = async (name: string) => (all.has(name) ? read(name) : undefined)
  const files = new Map<string, ConsoleFile>()
  for (const name of names) {
    const type = typeOf(name)
    if (type === undefined) continue
    const [bytes, br, gzip] = await Promise.all([
      read(name),
      readIfAny(`${name}.br`),
      readIfAny(`${name}.gz`),
    ])
    files.set(name, { type, bytes, br, gzip })
  }
  const page = (await read('index.html')).toString()
  return { page, files, operations: operationsOf(await readIfAny('operations.json')) }
}

function typeOf(name: string): string | undefined {
  const extension = /^[\w-][\w./-]*\.(\w+)$/.exec(name)?.[1] ?? ''
  return Object.hasOwn(types, extension) ? types[extension] : undefined
}

/** Throws for an operation under another name than its SHA-256. */
function operationsOf(manifest: Buffer | undefined): ReadonlyMap<string, string> {
  const operations = Object.entries(operationsSchema.parse(JSON.parse(String(manifest ?? '{}'))))
  for (const [name, document] of operations)
    if (hash('sha256', document) !== name) throw new Error(`The operation ${name} is another one.`)
  return new Map(operations)
}
