import { existsSync, readdirSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { floors, placeOf, sandbox } from './floors.ts'
import {
  type SourceFile,
  findCircles,
  importsOf,
  readSources,
  withoutComments,
} from './import-graph.ts'

const files = readSources(['src', 'plugins', 'config'])
const isSandbox = (path: string) => path.startsWith(`${sandbox.folder}/`)
const house = files.filter(({ path }) => !isSandbox(path))

describe('the tree', () => {
  test('keeps two files beside the folders of src', () => {
    const entries = readdirSync('src', { withFileTypes: true })
    const flat = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    expect(flat.toSorted()).toEqual(['gateway.ts', 'index.ts'])
  })

  test('gives every file a floor', () => {
    expect(house.filter(({ path }) => !placeOf(path)).map(({ path }) => path)).toEqual([])
  })

  test('has a file on each floor that it names', () => {
    const rooms = floors.flat().filter((room) => !house.some(({ path }) => path.startsWith(room)))
    expect(rooms).toEqual([])
  })

  test('imports nothing that does not exist', () => {
    const known = new Set(files.map(({ path }) => path))
    const missing = files.flatMap(({ path, imports }) =>
      imports
        .filter((imported) => !known.has(imported) && !existsSync(imported))
        .map((imported) => `${path} -> ${imported}`),
    )
    expect(missing).toEqual([])
  })

  test('imports its own files by path: the package name would hide an arrow', () => {
    const byName = files.filter(({ text }) =>
      /^\s*(?:import|export)\b[^'"]*'dragoman(?:\/|')/m.test(withoutComments(text)),
    )
    expect(byName.map(({ path }) => path)).toEqual([])
  })

  test('has no import that goes up a floor or to another folder of the same floor', () => {
    expect(arrowsUp(house)).toEqual([])
  })

  test('has no circle of imports, types included', () => {
    expect(findCircles(files)).toEqual([])
  })

  test('keeps the sandbox apart from the gateway', () => {
    const crossing = files.flatMap(({ path, imports }) =>
      imports
        .filter((imported) => isSandbox(path) !== isSandbox(imported))
        .filter(() => isSandbox(path) || !sandbox.users.some((user) => path.startsWith(`${user}/`)))
        .map((imported) => `${path} -> ${imported}`),
    )
    expect(crossing).toEqual([])
  })
})

describe('the checks of the tree', () => {
  const file = (path: string, ...imports: string[]): SourceFile => ({ path, text: '', imports })

  test('find an import that goes up', () => {
    expect(arrowsUp([file('src/lib/sse.ts', 'src/contract/call.ts')])).toHaveLength(1)
  })

  test('find an import between folders of one floor', () => {
    expect(arrowsUp([file('src/kit/checks.ts', 'src/stores/store.ts')])).toHaveLength(1)
  })

  test('find a plugin that imports another, and a dialect that imports another', () => {
    const crossing = [
      file('plugins/health.ts', 'plugins/cors.ts'),
      file('plugins/affinity/index.ts', 'plugins/bindings/index.ts'),
      file('plugins/dialects/chat/index.ts', 'plugins/dialects/responses/index.ts'),
      file('plugins/dialects/chat/index.ts', 'plugins/health.ts'),
    ]
    expect(arrowsUp(crossing)).toHaveLength(4)
  })

  test('allow imports that go down or stay in their folder', () => {
    const allowed = [
      file('plugins/dialects/chat/index.ts', 'plugins/dialects/chat/edits.ts'),
      file('plugins/dialects/chat/index.ts', 'plugins/dialects/shared/google-error.ts'),
      file('src/kit/checks.ts', 'src/contract/errors.ts', 'src/kit/usage.ts'),
    ]
    expect(arrowsUp(allowed)).toEqual([])
  })

  test('find circles of two, of three and of one', () => {
    const circles = findCircles([
      file('a', 'b'),
      file('b', 'a', 'c'),
      file('c', 'd'),
      file('d', 'e'),
      file('e', 'c', 'f'),
      file('f', 'f'),
      file('g', 'a'),
    ])
    expect(circles.map((circle) => circle.toSorted().join('')).toSorted()).toEqual([
      'ab',
      'cde',
      'f',
    ])
  })

  test('read types, re-exports and dynamic imports, and no comments', () => {
    const text = [
      "import type { A } from './a.ts'",
      "export * from '../b.ts'",
      "const c = await import('./c.ts')",
      "import './d.ts'",
      "/** import { e } from './e.ts' */",
      "import {\n  f,\n} from './f.ts'",
    ].join('\n')
    const found = importsOf('src/lib/here.ts', text)
    expect(found).toEqual([
      'src/lib/a.ts',
      'src/b.ts',
      'src/lib/c.ts',
      'src/lib/d.ts',
      'src/lib/f.ts',
    ])
  })
})

/** Imports that leave their room for one that does not stand below it. */
function arrowsUp(sources: readonly SourceFile[]): string[] {
  return sources.flatMap(({ path, imports }) => {
    const from = placeOf(path)
    return imports
      .filter((imported) => {
        const to = placeOf(imported)
        return from && to && from.room !== to.room && to.floor >= from.floor
      })
      .map((imported) => `${path} -> ${imported}`)
  })
}
