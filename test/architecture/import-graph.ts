import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** A TypeScript file and the files of the repository that it imports, types included. */
export interface SourceFile {
  /** Relative to the root, with slashes: `src/lib/sse.ts`. */
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

const root = resolve(import.meta.dirname, '../..')

/** `from '...'`, `import '...'`, `import('...')` and `export ... from '...'`, each of a relative path. */
const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g

/** Every TypeScript file below these folders. Throws where an import names no file. */
export function readSources(folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) => pathsBelow(folder)).map(readSource)
}

function pathsBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, imports: importsOf(path, text) }
}

/** The imported files, relative to the root. Comments are left out: documentation quotes imports. */
export function importsOf(path: string, text: string): string[] {
  const found = Array.from(withoutComments(text).matchAll(importPattern), ([, specifier = '']) =>
    resolveImport(path, specifier),
  )
  return [...new Set(found)]
}

/** A text without its comments: documentation quotes imports. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

/** The file behind a relative specifier, relative to the root. */
export function resolveImport(path: string, specifier: string): string {
  return relative(root, resolve(root, dirname(path), specifier))
}

/** Groups of two or more files that reach each other by imports (Tarjan's algorithm). */
export function findCircles(files: readonly SourceFile[]): string[][] {
  const importsByPath = new Map(files.map(({ path, imports }) => [path, imports]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (path: string) => {
    order.set(path, order.size)
    let low = order.size - 1
    stack.push(path)
    for (const imported of importsByPath.get(path) ?? []) {
      if (!importsByPath.has(imported)) continue
      if (!order.has(imported)) visit(imported)
      if (stack.includes(imported))
        low = Math.min(low, lowest.get(imported) ?? order.get(imported)!)
    }
    lowest.set(path, low)
    if (low !== order.get(path)) return
    const circle = stack.splice(stack.indexOf(path))
    if (circle.length > 1 || importsByPath.get(path)?.includes(path)) circles.push(circle)
  }
  for (const { path } of files) if (!order.has(path)) visit(path)
  return circles
}
