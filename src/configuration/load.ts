import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { fileError, findConfiguration, locateConfiguration } from './discover.ts'
import { explainImportError } from './import-errors.ts'
import { assertModuleType } from './module-type.ts'
import { parseJsonFile } from './parse-json-file.ts'
import { provideOwnPackage } from './own-package.ts'

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
  const config = file.endsWith('.json')
    ? parseJsonFile(file, source)
    : await importFile(file, source, afresh)
  return { file, config }
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
