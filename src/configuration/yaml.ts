import { type Document, LineCounter, parseDocument, visit } from 'yaml'

import type { ConfigurationError } from '../contract/problems.ts'
import { fileError } from './discover.ts'

/** The highest number of alias expansions, nested ones included. */
const maxAliases = 1_000

/**
 * Parses YAML 1.2 with its core schema: one document, unique keys, no custom tags. Throws
 * `ConfigurationError` with line and column if the text is not valid.
 */
export function parseYamlFile(file: string, text: string): unknown {
  const lineCounter = new LineCounter()
  const document = parseDocument(text.replace(/^\uFEFF/, ''), {
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
    // With `silent`, a second document would be ignored.
    logLevel: 'error',
    lineCounter,
  })
  const [fault] = [...document.errors, ...document.warnings].toSorted(
    (one, other) => one.pos[0] - other.pos[0],
  )
  const at = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset)
    return `${file}:${line}:${col}`
  }
  if (fault) throw explain(fault, at(fault.pos[0]))
  checkAliases(document, at)
  return toPlain(document, file)
}

/** The library reports neither of these faults with its place. */
function checkAliases(document: Document, at: (offset: number) => string): void {
  visit(document, {
    Alias(_key, alias, path) {
      const source = alias.resolve(document)
      const place = at(alias.range?.[0] ?? 0)
      if (!source) throw unknownAnchor(alias.source, place)
      if (path.includes(source)) throw circularAlias(alias.source, place)
    },
  })
}

function toPlain(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases })
  } catch (cause) {
    throw fileError(
      file,
      `expands aliases more than ${maxAliases} times`,
      'write out the values that the aliases (*name) stand for',
      cause,
    )
  }
}

/** Clearer messages than the library's, by error code. */
const explanations: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  DUPLICATE_KEY: ['this key occurs twice in its mapping', 'keep one of the two'],
  MULTIPLE_DOCS: [
    'a second document begins here',
    'keep one document, and remove the line with ---',
  ],
  TAG_RESOLVE_FAILED: [
    'tags (!name) are not supported',
    'remove the tag; a string that begins with ! needs quotes',
  ],
  NON_STRING_KEY: ['this key is not a string', 'write a plain name followed by a colon'],
  BAD_ALIAS: [
    '* begins an alias, and no name follows it',
    'put quotes around a pattern, for example "*"',
  ],
  TAB_AS_INDENT: ['a tab indents this line', 'indent with spaces'],
  RESOURCE_EXHAUSTION: ['the nesting is too deep', 'remove levels of nesting'],
}

function explain(fault: Error & { code: string }, place: string): ConfigurationError {
  const [message, fix] = explanations[fault.code] ?? [
    fault.message,
    'correct the syntax there; strings with special characters need quotes',
  ]
  return fileError(place, `is not valid YAML: ${message}`, fix, fault)
}

function unknownAnchor(name: string, place: string): ConfigurationError {
  return fileError(
    place,
    `is not valid YAML: the alias *${name} has no anchor &${name} above it`,
    `put quotes around a pattern ("*${name}"), or define the anchor first`,
  )
}

function circularAlias(name: string, place: string): ConfigurationError {
  return fileError(
    place,
    `is not valid YAML: the alias *${name} is inside its own anchor &${name}`,
    'write out the value',
  )
}
