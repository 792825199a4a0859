import { describe, expect, test } from 'vitest'

import { type SourceFile, readSources } from './import-graph.ts'
import { clausesOf, exportedNames } from './named-imports.ts'

/** Files whose exports are for users. */
const entries = [
  'src/index.ts',
  'src/admin/index.ts',
  'src/dialect-kit/index.ts',
  'src/testing/index.ts',
  'config/gateway.config.ts',
  'plugins/cors.ts',
  'plugins/guardrail/index.ts',
  'plugins/ip-lists.ts',
  'plugins/jwt/index.ts',
  'plugins/response-cache/index.ts',
]
const house = readSources(['src', 'plugins', 'config'])
const importers = [...house, ...readSources(['test', 'scripts'])]

describe('every export', () => {
  test('has an importer, or stands in a public entry', () => {
    expect(unused(house, importers)).toEqual([])
  })

  test('that is unused is found', () => {
    const a: SourceFile = {
      path: 'src/a.ts',
      text: 'export const x = 1\nexport type Y = 2',
      imports: [],
    }
    const b: SourceFile = {
      path: 'src/b.ts',
      text: "import type { Y as Z } from './a.ts'",
      imports: [],
    }
    expect(unused([a], [a, b])).toEqual(['src/a.ts: x'])
  })
})

function unused(files: readonly SourceFile[], from: readonly SourceFile[]): string[] {
  const taken = new Set(
    from.flatMap((file) =>
      clausesOf(file).flatMap(({ names, target }) => names.map((name) => `${target} ${name}`)),
    ),
  )
  return files
    .filter(({ path }) => !entries.includes(path) && !taken.has(`${path} *`))
    .flatMap((file) => exportedNames(file).map((name) => ({ path: file.path, name })))
    .filter(({ path, name }) => !taken.has(`${path} ${name}`))
    .filter(({ path }) => !taken.has(`${path} default`))
    .map(({ path, name }) => `${path}: ${name}`)
}
