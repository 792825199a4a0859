import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The version of the routing rules that this gateway follows (docs/wire/contract.md 1). */
export const routingLayerVersion = '1.7.2'

/** This package's version. */
export function packageVersion(): string {
  return versionAbove(import.meta.dirname)
}

// The depth of this file differs between a checkout and the published package.
function versionAbove(directory: string): string {
  try {
    const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    if (name === 'dragoman') return version
  } catch {
    // This directory has no package.json; the parent may have one.
  }
  const parent = dirname(directory)
  return parent === directory ? 'unknown' : versionAbove(parent)
}
