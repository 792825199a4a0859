import { describe, expect, test } from 'vitest'

import { type SourceFile, readSources, resolveImport } from './import-graph.ts'

const kitPath = 'src/dialect-kit/index.ts'
const sources = new Map(readSources(['src', 'plugins']).map((file) => [file.path, file]))
const dialects = [...sources.values()].filter(({ path }) => path.startsWith('plugins/dialects/'))

/** A name and the file that defines it. */
interface Name {
  readonly path: string
  readonly name: string
}

const clause = /^(import|export)\s+(type\s+)?(\*|\{[^}]*\})\s+from\s+'(\.[^']+)'/gm
const definition =
  /^export\s+(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|type|interface)\s+(\w+)/gm

/** The names in `import { a, type B as C } from '...'` and in `export { ... } from '...'`. */
function namesIn(list: string): string[] {
  const names = list.replace(/[{}]/g, '').split(',')
  return names
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0]!,
    )
    .filter(Boolean)
}

function clausesOf({ path, text }: SourceFile, keyword: 'import' | 'export') {
  return Array.from(text.matchAll(clause), ([, kind, , names = '', from = '']) => ({
    kind,
    names,
    target: resolveImport(path, from),
  })).filter(({ kind }) => kind === keyword)
}

function definedIn(path: string): string[] {
  const text = sources.get(path)?.text ?? ''
  return Array.from(text.matchAll(definition), ([, name = '']) => name)
}

/** All that an entry exports, by where it is defined. */
function exportsOf(path: string): Set<string> {
  const entry = sources.get(path)!
  return new Set(
    clausesOf(entry, 'export').flatMap(({ names, target }) =>
      (names === '*' ? definedIn(target) : namesIn(names)).map((name) => `${target} ${name}`),
    ),
  )
}

/** The names that a file imports from `src/`. */
function importsFromSource(file: SourceFile): Name[] {
  return clausesOf(file, 'import')
    .filter(({ target }) => target.startsWith('src/'))
    .flatMap(({ names, target }) => namesIn(names).map((name) => ({ path: target, name })))
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

  test('leaves no import of the shipped dialects unread', () => {
    const unread = dialects.flatMap((file) => {
      const read = new Set(clausesOf(file, 'import').map(({ target }) => target))
      const reexported = new Set(clausesOf(file, 'export').map(({ target }) => target))
      return file.imports
        .filter((path) => path.startsWith('src/') && !read.has(path) && !reexported.has(path))
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
