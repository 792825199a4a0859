import { readFileSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import {
  fileError,
  findConfiguration,
  isDataFile,
  isYamlFile,
  locateConfiguration,
} from './discover.ts'
import { explainImportError } from './import-errors.ts'
import { locateFault } from '../lib/json/fault.ts'
import { within } from '../lib/deadline.ts'
import { provideOwnPackage } from './own-package.ts'

/** How long a module may take to load, in milliseconds: an `await` at its top level may wait for ever. */
const longestMs = 10_000

/**
 * Throws `ConfigurationError` for an ES module with the extension `.ts` or `.js` in a package of type
 * "commonjs": Node would read it as CommonJS and fail at its first `export` with an unclear message.
 */
function assertModuleType(file: string, source: string): void {
  const extension = extname(file)
  const followsPackage = extension === '.ts' || extension === '.js'
  if (!followsPackage || !/^\s*(export|import)\b/m.test(source)) return
  const owner = nearestPackage(dirname(file))
  if (owner?.type !== 'commonjs') return
  throw fileError(
    file,
    `is an ES module, but ${owner.path} says "type": "commonjs"`,
    `rename it to ${file.slice(0, -extension.length)}.m${extension.slice(1)}, or set "type": "module" there`,
  )
}

/** The `package.json` that decides whether modules in a directory are ES modules. */
export function nearestPackage(directory: string): { path: string; type: unknown } | undefined {
  const path = join(directory, 'package.json')
  try {
    return { path, type: JSON.parse(readFileSync(path, 'utf8')).type }
  } catch {
    const parent = dirname(directory)
    return parent === directory ? undefined : nearestPackage(parent)
  }
}

/**
 * Parses JSON. Throws `ConfigurationError` with line and column if the text is not JSON. The engine's own
 * message quotes the text, which may contain a secret.
 */
function parseJsonFile(file: string, source: string): unknown {
  const text = source.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    const fault = locateFault(text)
    throw fileError(
      fault ? `${file}:${fault.line}:${fault.column}` : file,
      `is not JSON: ${fault?.kind ?? 'syntax error'}`,
      'JSON has no comments and no trailing commas; a .yaml or .ts file may have both',
    )
  }
}

/** A configuration before its check. */
interface LoadedConfiguration {
  /** Absolute path. */
  file: string
  config: unknown
}

/**
 * Reads the configuration at `path`, or the one in `directory` if it contains one. Rejects with
 * `ConfigurationError`, which names the problem and its place.
 */
export async function loadConfiguration({
  directory,
  path,
  afresh = false,
  waitMs = longestMs,
}: {
  directory: string
  path?: string
  /** Imports the module again although Node has cached it. */
  afresh?: boolean
  /** How long a module may take to load, in milliseconds. Default: 10 s. */
  waitMs?: number
}): Promise<LoadedConfiguration | undefined> {
  const file =
    path === undefined
      ? findConfiguration(resolve(directory))
      : locateConfiguration(resolve(directory, path))
  if (file === undefined) return undefined
  const source = readSource(file)
  const config = isDataFile(file)
    ? await parseDataFile(file, source)
    : await importFile(file, source, { afresh, waitMs })
  return { file, config }
}

async function parseDataFile(file: string, source: string): Promise<unknown> {
  if (!isYamlFile(file)) return parseJsonFile(file, source)
  // Loading the parser takes 20 ms, which starts without YAML save.
  const { parseYamlFile } = await import('./yaml.ts')
  return parseYamlFile(file, source)
}

function readSource(file: string): string {
  try {
    // A pipe without a writer would stop the process.
    if (statSync(file).isFile()) return readFileSync(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw fileError(file, `cannot be read: ${reason}`, 'check its permissions', cause)
  }
  throw fileError(file, 'is not a regular file', 'name a regular file')
}

/** How a module is imported. */
interface ImportOptions {
  readonly afresh: boolean
  readonly waitMs: number
}

async function importFile(
  file: string,
  source: string,
  { afresh, waitMs }: ImportOptions,
): Promise<unknown> {
  assertModuleType(file, source)
  using _ = provideOwnPackage()
  return await within(waitMs, importDefault(file, source, afresh), () =>
    fileError(
      file,
      `was not loaded within ${waitMs / 1_000} s`,
      'end the work at its top level, where an `await` may wait for ever',
    ),
  )
}

/** Imports the default export of a file; if it is a promise, its value. */
async function importDefault(file: string, source: string, afresh: boolean): Promise<unknown> {
  const loaded = await importModule(file, afresh)
  if ('default' in loaded && !isEmptyCommonJs(loaded, source)) return loaded.default
  throw fileError(file, 'has no default export', 'write export default defineConfig({ ... })')
}

/**
 * Whether a module exports nothing, and Node takes it for CommonJS, whose default export is then an empty
 * object. `module.exports = {}` is a configuration.
 */
function isEmptyCommonJs(loaded: object, source: string): boolean {
  if (!('module.exports' in loaded) || /\bexports\b/.test(source)) return false
  const exported = loaded['module.exports']
  return typeof exported === 'object' && exported !== null && Object.keys(exported).length === 0
}

/** Numbers the imports: a new query string bypasses the module cache. */
let importCount = 0

async function importModule(file: string, afresh: boolean): Promise<object> {
  try {
    const { href } = pathToFileURL(file)
    return await import(afresh ? `${href}?reading=${++importCount}` : href)
  } catch (cause) {
    throw await explainImportError(file, cause)
  }
}
