import { describe, expect, test } from 'vitest'

import { type SourceFile, readSources } from './import-graph.ts'
import { clausesOf, exportedNames } from './named-imports.ts'

const kitPath = 'src/dialect-kit/index.ts'
const sources = new Map(readSources(['src', 'plugins']).map((file) => [file.path, file]))
const dialects = [...sources.values()].filter(({ path }) => path.startsWith('plugins/dialects/'))

/** A name and the file that defines it. */
interface Name {
  readonly path: string
  readonly name: string
}

function definedIn(path: string): string[] {
  const file = sources.get(path)
  return file ? exportedNames(file) : []
}

/** All that an entry exports, by where it is defined. */
function exportsOf(path: string): Set<string> {
  const entry = sources.get(path)!
  return new Set(
    clausesOf(entry)
      .filter(({ keyword }) => keyword === 'export')
      .flatMap(({ names, target }) =>
        (names.includes('*') ? definedIn(target) : names).map((name) => `${target} ${name}`),
      ),
  )
}

/** The names that a file imports from `src/`. */
function importsFromSource(file: SourceFile): Name[] {
  return clausesOf(file)
    .filter(({ target }) => target.startsWith('src/'))
    .flatMap(({ names, target }) =>
      (names.includes('*') ? definedIn(target) : names).map((name) => ({ path: target, name })),
    )
}

describe('`dragoman/dialect`', () => {
  const exported = exportsOf(kitPath)

  test('exports all that the shipped dialects import from the gateway', () => {
    const missing = dialects.flatMap((file) =>
      importsFromSource(file)
        .filter(({ path, name }) => !exported.has(`${path} ${name}`))
        .map(({ path, name }) => `${file.path}: ${name} of ${path}`),
    )
    expect(missing).toEqual([])
  })

  test('is compared with every import of the shipped dialects', () => {
    const unread = dialects.flatMap((file) => {
      const read = new Set(clausesOf(file).map(({ target }) => target))
      return file.imports
        .filter((path) => path.startsWith('src/') && !read.has(path))
        .map((path) => `${file.path} -> ${path}`)
    })
    expect(unread).toEqual([])
    expect(dialects.flatMap(importsFromSource).length).toBeGreaterThan(1_000)
  })

  test('exports nothing that is not defined where it says', () => {
    const undefinedNames = [...exported].filter((entry) => {
      const [path = '', name = ''] = entry.split(' ')
      return !definedIn(path).includes(name)
    })
    expect(undefinedNames).toEqual([])
  })
})
