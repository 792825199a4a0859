import { globSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'

import {
  type DocumentNode,
  Kind,
  parse,
  print,
  separateOperations,
  stripIgnoredCharacters,
} from 'graphql'

const root = join(import.meta.dirname, '../..')
const shared = 'console/src/api/fragments.graphql'

/** An operation of the console, with the fragments that it uses. */
export interface ConsoleOperation {
  readonly name: string
  readonly text: string
  /** SHA-256 of the text, in hex: a session of the console names its operations by it. */
  readonly hash: string
}

/** A file of operations, with what it uses of the shared fragments. */
export interface ConsoleDocument {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly document: DocumentNode
  readonly operations: readonly ConsoleOperation[]
}

/** Reads the operations of the console: the `.graphql` files below `console/src`. */
export function consoleDocuments(): ConsoleDocument[] {
  const fragments = readFileSync(join(root, shared), 'utf8')
  return globSync('console/src/**/*.graphql', { cwd: root })
    .filter((path) => path !== shared)
    .sort()
    .map((path) => readDocument(path, fragments))
}

/** The texts of all operations of the console by their hashes. */
export function consoleManifest(): Record<string, string> {
  const operations = consoleDocuments().flatMap((one) => one.operations)
  return Object.fromEntries(operations.map(({ hash, text }) => [hash, text]))
}

function readDocument(path: string, fragments: string): ConsoleDocument {
  const own = readFileSync(join(root, path), 'utf8')
  const separate = separateOperations(parse(`${own}\n${fragments}`, { noLocation: true }))
  const definitions = new Map<string, DocumentNode['definitions'][number]>()
  const operations: ConsoleOperation[] = []
  for (const [name, document] of Object.entries(separate)) {
    for (const one of document.definitions) {
      if (one.kind === Kind.FRAGMENT_DEFINITION) definitions.set(one.name.value, one)
      if (one.kind === Kind.OPERATION_DEFINITION) definitions.set(`operation ${name}`, one)
    }
    const text = stripIgnoredCharacters(print(document))
    operations.push({ name, text, hash: createHash('sha256').update(text).digest('hex') })
  }
  const document = { kind: Kind.DOCUMENT, definitions: [...definitions.values()] } as const
  return { path, document, operations }
}
