import { readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

import { fileError } from './discover.ts'

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
