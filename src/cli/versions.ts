import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The version of the routing rules that this gateway follows (docs/wire/contract.md 1). */
export const routingLayerVersion = '1.7.2'

/** The JSON Schema of the configuration, in the package. */
export const schemaPath = 'schema/dragoman.config.schema.json'

/** This package's version. */
export function packageVersion(): string {
  return findPackage(import.meta.dirname)?.version ?? 'unknown'
}

/** The directory of this package. */
export function packageDirectory(): string {
  return findPackage(import.meta.dirname)?.directory ?? import.meta.dirname
}

// The depth of this file differs between a checkout and the published package.
function findPackage(directory: string): { directory: string; version: string } | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    if (name === 'dragoman') return { directory, version }
  } catch {
    // This directory has no package.json; the parent may have one.
  }
  const parent = dirname(directory)
  return parent === directory ? undefined : findPackage(parent)
}
