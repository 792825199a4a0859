import { existsSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { ConfigurationError, type Problem } from '../../contract/problems.ts'
import { isObject } from '../../lib/json/object.ts'
import { within } from '../../lib/deadline.ts'
import { explainImportError } from '../import-errors.ts'
import { nearest } from '../../lib/nearest.ts'
import { ownModules, provideOwnPackage } from '../own-package.ts'

/** The exports of a plugin's module. */
export interface PluginModule {
  /** The plugin, or a function that makes it of its options. */
  readonly plugin: unknown
  /** The schema of the options. */
  readonly options: unknown
}

/** A problem without its path. */
type Fault = Omit<Problem, 'path'>

/** Numbers the imports: a new name bypasses the module cache. */
let importCount = 0

/** Modules that could not be imported. Node keeps their failure, also when their files have changed. */
const failed = new Set<string>()

/**
 * Imports the module that a configuration names, relative to its file, within `loadMs`. Rejects with `ModuleFault`
 * if the module cannot be loaded, takes too long, or exports neither a plugin nor a function that makes one.
 */
export async function importPlugin(
  use: string,
  configurationFile: string,
  loadMs: number,
): Promise<PluginModule> {
  const parent = pathToFileURL(configurationFile).href
  const key = `${parent} ${use}`
  try {
    const loaded = await importBeside(use, parent, { isAgain: failed.has(key), loadMs })
    failed.delete(key)
    return exportsOf(loaded)
  } catch (error) {
    failed.add(key)
    throw error instanceof ModuleFault ? error : await explained(use, configurationFile, error)
  }
}

/** Why a module cannot be used. */
export class ModuleFault extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

function fault(message: string, fix: string): ModuleFault {
  return new ModuleFault({ message, fix })
}

/** Packages are found from the configuration file, not from this one. */
async function importBeside(
  use: string,
  parentURL: string,
  { isAgain, loadMs }: { readonly isAgain: boolean; readonly loadMs: number },
): Promise<object> {
  const entry = `dragoman-plugin:${++importCount}`
  using _ = provideOwnPackage()
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== entry) return next(specifier, context)
      const found = next(use, { ...context, parentURL })
      return isAgain ? { ...found, url: `${found.url}?reading=${importCount}` } : found
    },
  })
  try {
    return await within(loadMs, import(entry) as Promise<object>, () =>
      fault(
        `does not end to load within ${loadMs} ms`,
        'end the work at its top level, or begin it in onStart',
      ),
    )
  } finally {
    hooks.deregister()
  }
}

function exportsOf(loaded: object): PluginModule {
  const exports = unwrapped(loaded as Record<string, unknown>)
  const plugin = [exports.default, exports.plugin].find((one) => isUsable(one))
  if (plugin !== undefined) return { plugin, options: exports.options }
  if (isObject(exports.default) || isObject(exports.plugin))
    throw fault('exports an object without a name', "write export default { name: 'mine', ... }")
  throw fault(
    'exports no plugin',
    'write export default function plugin(options) { return { name: ... } }',
  )
}

/** The exports of a module. The default export of a CommonJS module has all of them. */
function unwrapped(loaded: Record<string, unknown>): Record<string, unknown> {
  const { default: inner } = loaded
  const isWrapped = isObject(inner) && !isUsable(inner) && ('default' in inner || 'plugin' in inner)
  return isWrapped ? inner : loaded
}

function isUsable(value: unknown): boolean {
  return typeof value === 'function' || (isObject(value) && 'name' in value)
}

async function explained(
  use: string,
  configurationFile: string,
  error: unknown,
): Promise<ModuleFault> {
  const directory = dirname(configurationFile)
  const file = resolve(directory, use)
  const isPath = /^\.{0,2}\//.test(use)
  if (!isPath && existsSync(file))
    return fault('is not an installed package', `write ./${use} for the file beside this one`)
  if (isPath && !existsSync(file)) return fault(`does not exist: ${file}`, 'correct the path')
  if (isPath && statSync(file).isDirectory())
    return fault(
      `is a directory: ${file}`,
      `name its file, for example ${use.replace(/\/$/, '')}/index.ts`,
    )
  const isUnknown = isOwn(use) || codeOf(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
  if (!isPath && isUnknown) return notExported(use)
  const { problems } = await explainImportError(isPath ? file : configurationFile, error)
  const { path = use, message = 'cannot be loaded', fix = '' } = problems[0] ?? {}
  return fault(`cannot be loaded: ${path} ${message}`, fix)
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null | undefined)?.code
}

/** Whether the module should be one of this package, and is not. */
function isOwn(use: string): boolean {
  return use.startsWith('dragoman/') && !ownModules.includes(use)
}

function notExported(use: string): ModuleFault {
  const plugins = ownModules.filter((name) => name.startsWith('dragoman/plugins/'))
  const meant = isOwn(use) ? nearest(use, plugins) : undefined
  const others = isOwn(use) ? `use one of ${plugins.join(', ')}` : 'correct it'
  return fault('is not exported by its package', meant ? `did you mean ${meant}?` : others)
}

/** The fault of a plugin's code that is not a module's: its function, or its schema. */
export function faultOf(error: unknown): Fault {
  if (error instanceof ModuleFault) return error.fault
  if (error instanceof ConfigurationError && error.problems[0]) return error.problems[0]
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { message: `failed: ${message}`, fix: 'correct it in the module of the plugin' }
}
