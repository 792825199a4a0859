import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Export = string | { readonly types: string; readonly default: string }

export interface Manifest {
  readonly name: string
  readonly version: string
  /** The files and folders of the tarball, besides those that npm always packs. */
  readonly files: readonly string[]
  readonly engines: { readonly node: string }
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, Export>>
}

export const repository = join(import.meta.dirname, '../../..')

export const manifest: Manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))

/** The source of declarations that `package.json` names, relative to the repository. */
export function sourceOf(types: string): string {
  return types.replace('/dist/types/', '/').replace(/\.d\.ts$/, '.ts')
}

/** A module or JSON file that an application imports by this name. */
export interface Entry {
  /** `dragoman/config` */
  readonly specifier: string
  readonly isJson: boolean
  /** The files that it consists of, relative to the package. */
  readonly files: readonly string[]
}

/** All modules and JSON files that `package.json` exports. */
export const entries: readonly Entry[] = Object.entries(manifest.exports)
  .filter(([subpath]) => !subpath.endsWith('.graphql'))
  .map(([subpath, target]) => {
    const files = typeof target === 'string' ? [target] : [target.types, target.default]
    const specifier = manifest.name + subpath.slice(1)
    return { specifier, isJson: specifier.endsWith('.json'), files }
  })
