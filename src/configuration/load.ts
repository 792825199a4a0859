import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
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

/**
 * A `.ts` or `.js` file in a package of type "commonjs" is read as CommonJS, and its first `export`
 * fails with words that help nobody. Throws `ConfigurationError` that says what to do.
 */
export function assertModuleType(file: string, source: string): void {
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

function nearestPackage(directory: string): { path: string; type: unknown } | undefined {
  const path = join(directory, 'package.json')
  try {
    return { path, type: JSON.parse(readFileSync(path, 'utf8')).type }
  } catch {
    const parent = dirname(directory)
    return parent === directory ? undefined : nearestPackage(parent)
  }
}

/** Throws `ConfigurationError` with line and column when the text is no JSON. */
export function parseJsonFile(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const [line, column] = positionOf(message, text)
    throw fileError(
      `${file}:${line}:${column}`,
      `is not JSON: ${message.replace(/ in JSON at position .*| \(line .*/, '')}`,
      'JSON has no comments and no trailing commas; a .yaml or .ts file may have both',
      cause,
    )
  }
}

// The engine tells the position of a wrong character, but not where a text ended too early.
function positionOf(message: string, text: string): [line: number, column: number] {
  const position = /\(line (\d+) column (\d+)\)/.exec(message)
  if (position) return [Number(position[1]), Number(position[2])]
  const lines = text.trimEnd().split('\n')
  return [lines.length, (lines.at(-1)?.length ?? 0) + 1]
}

/**
 * While it is in use, `import 'dragoman'` means this very installation: a configuration needs no
 * `node_modules` of its own, a checkout no build, and no second copy comes into the process.
 */
export function provideOwnPackage(): Disposable {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const entry = entryOf(specifier)
      return entry ? { url: entry, shortCircuit: true } : nextResolve(specifier, context)
    },
  })
  return {
    [Symbol.dispose]: () => hooks.deregister(),
  }
}

/** The modules that `package.json` exports. */
const ownEntries: Readonly<Record<string, string>> = {
  dragoman: '../index',
  'dragoman/config': '../../config/gateway.config',
  'dragoman/dialect': '../dialect-kit/index',
  'dragoman/testing': '../testing/index',
}

function entryOf(specifier: string): string | undefined {
  const entry = ownEntries[specifier]
  // `.ts` in a checkout, `.js` in what is published.
  return entry && new URL(entry + extname(import.meta.url), import.meta.url).href
}

/** A configuration as it was written: still to be checked. */
export interface LoadedConfiguration {
  /** Absolute. */
  file: string
  config: unknown
}

/**
 * Reads the configuration at `path`, or the one in `directory` where there is any. Throws
 * `ConfigurationError`, which says what is wrong with the file and where.
 */
export async function loadConfiguration({
  directory,
  path,
  afresh = false,
}: {
  directory: string
  path?: string
  /** Modules are kept once they have been imported: this one is to be read again. */
  afresh?: boolean
}): Promise<LoadedConfiguration | undefined> {
  const file =
    path === undefined
      ? findConfiguration(resolve(directory))
      : locateConfiguration(resolve(directory, path))
  if (file === undefined) return undefined
  const source = readSource(file)
  const config = isDataFile(file)
    ? await parseDataFile(file, source)
    : await importFile(file, source, afresh)
  return { file, config }
}

async function parseDataFile(file: string, source: string): Promise<unknown> {
  if (!isYamlFile(file)) return parseJsonFile(file, source)
  // Other starts do without the 20 ms that loading the parser takes.
  const { parseYamlFile } = await import('./yaml.ts')
  return parseYamlFile(file, source)
}

function readSource(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw fileError(file, `cannot be read: ${reason}`, 'check its permissions', cause)
  }
}

async function importFile(file: string, source: string, afresh: boolean): Promise<unknown> {
  assertModuleType(file, source)
  const loaded = await importModule(file, afresh)
  if ('default' in loaded) return loaded.default
  throw fileError(file, 'has no default export', 'write export default defineConfig({ ... })')
}

/** Another query makes another module of the same file. */
let reading = 0

async function importModule(file: string, afresh: boolean): Promise<object> {
  using _ = provideOwnPackage()
  try {
    const { href } = pathToFileURL(file)
    return await import(afresh ? `${href}?reading=${++reading}` : href)
  } catch (cause) {
    throw explainImportError(file, cause)
  }
}
