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
  checkAliases(document, file, at)
  return toPlain(document, file)
}

/**
 * The library reports neither an unknown nor a circular alias with its place, and looks through the
 * whole document for each alias. Anchors are collected on the way instead: an alias stands behind its
 * anchor, and the last of two equal ones counts.
 */
function checkAliases(document: Document, file: string, at: (offset: number) => string): void {
  const anchors = new Map<string, unknown>()
  let aliases = 0
  visit(document, {
    Node(_key, node) {
      const { anchor } = node as { anchor?: string }
      if (anchor !== undefined) anchors.set(anchor, node)
    },
    Alias(_key, alias, path) {
      const source = anchors.get(alias.source)
      const place = at(alias.range?.[0] ?? 0)
      if (++aliases > maxAliases) throw tooManyAliases(file)
      if (!source) throw unknownAnchor(place)
      if ((path as readonly unknown[]).includes(source)) throw circularAlias(place)
    },
  })
}

function toPlain(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases })
  } catch (cause) {
    throw tooManyAliases(file, cause)
  }
}

function tooManyAliases(file: string, cause?: unknown): ConfigurationError {
  return fileError(
    file,
    `expands aliases more than ${maxAliases} times`,
    'write out the values that the aliases (*name) stand for',
    cause,
  )
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

/** The name is not repeated: a secret that begins with * and lacks its quotes would be printed. */
function unknownAnchor(place: string): ConfigurationError {
  return fileError(
    place,
    'is not valid YAML: this alias (*name) has no anchor (&name) above it',
    'put quotes around a pattern, such as "gpt-*" or "*", or define the anchor first',
  )
}

function circularAlias(place: string): ConfigurationError {
  return fileError(
    place,
    'is not valid YAML: this alias (*name) is inside its own anchor (&name)',
    'write out the value',
  )
}
