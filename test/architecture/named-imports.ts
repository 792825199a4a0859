import { type SourceFile, resolveImport } from './import-graph.ts'

/** `import { a, type B } from '...'`, `export { a } from '...'` or `export * from '...'` of a relative path. */
export interface Clause {
  readonly keyword: 'import' | 'export'
  /** `*` for all names of the file. */
  readonly names: readonly string[]
  readonly target: string
}

const clause =
  /^\s*(import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?(\*(?:\s+as\s+\w+)?|\{[^}]*\}|\w+)\s+from\s+'(\.[^']+)'/gm
const dynamicImport = /\bimport\(\s*'(\.[^']+)'/g
const definition =
  /^export\s+(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|type|interface)\s+(\w+)/gm

/** The import and re-export clauses of a file; a dynamic import takes all names. */
export function clausesOf({ path, text }: SourceFile): Clause[] {
  const written = Array.from(text.matchAll(clause), ([, keyword, names = '', from = '']) => ({
    keyword: keyword as Clause['keyword'],
    names: namesIn(names),
    target: resolveImport(path, from),
  }))
  const dynamic = Array.from(text.matchAll(dynamicImport), ([, from = '']) => ({
    keyword: 'import' as const,
    names: ['*'],
    target: resolveImport(path, from),
  }))
  return [...written, ...dynamic]
}

function namesIn(list: string): string[] {
  if (list.startsWith('*')) return ['*']
  if (!list.startsWith('{')) return ['default']
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

/** The names that a file defines and exports. */
export function exportedNames({ text }: SourceFile): string[] {
  return Array.from(text.matchAll(definition), ([, name = '']) => name)
}
