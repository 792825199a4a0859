import { type Document, type ErrorCode, LineCounter, parseDocument, visit } from 'yaml'

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

const correctSyntax = 'correct the syntax there; strings with special characters need quotes'

/** Messages by the library's error code. The library's own messages quote the text, which may be a secret. */
const explanations: Readonly<Record<ErrorCode, readonly [message: string, fix: string]>> = {
  ALIAS_PROPS: ['an alias (*name) has no anchor or tag of its own', 'remove what stands before it'],
  BAD_ALIAS: [
    '* begins an alias, and no name follows it',
    'put quotes around a pattern, for example "*"',
  ],
  BAD_COLLECTION_TYPE: ['a tag of another type stands here', 'remove the tag'],
  BAD_DIRECTIVE: ['this directive (%NAME) is not supported', 'remove the line'],
  BAD_DQ_ESCAPE: [
    'a string has an invalid escape sequence',
    'write \\\\ for a backslash in quotes',
  ],
  BAD_INDENT: ['this line is indented wrongly', 'indent it as the lines of its list or mapping'],
  BAD_PROP_ORDER: ['an anchor or a tag stands in the wrong place', 'put it before its value'],
  BAD_SCALAR_START: ['a plain string cannot start with this character', correctSyntax],
  BLOCK_AS_IMPLICIT_KEY: ['a list or a mapping stands in place of a key', correctSyntax],
  BLOCK_IN_FLOW: ['lines of a list or mapping stand between brackets', correctSyntax],
  DUPLICATE_KEY: ['this key occurs twice in its mapping', 'keep one of the two'],
  IMPOSSIBLE: ['the syntax is not valid', correctSyntax],
  KEY_OVER_1024_CHARS: ['this key is too long', correctSyntax],
  MISSING_CHAR: [
    'a character is missing: a bracket, a quote, a comma, a colon or a space',
    correctSyntax,
  ],
  MULTILINE_IMPLICIT_KEY: ['a key extends over several lines', correctSyntax],
  MULTIPLE_ANCHORS: ['a value has several anchors', 'keep one of them'],
  MULTIPLE_DOCS: [
    'a second document begins here',
    'keep one document, and remove the line with ---',
  ],
  MULTIPLE_TAGS: ['a value has several tags', 'remove the tags'],
  NON_STRING_KEY: ['this key is not a string', 'write a plain name followed by a colon'],
  RESOURCE_EXHAUSTION: ['the nesting is too deep', 'remove levels of nesting'],
  TAB_AS_INDENT: ['a tab indents this line', 'indent with spaces'],
  TAG_RESOLVE_FAILED: [
    'tags (!name) are not supported',
    'remove the tag; a string that begins with ! needs quotes',
  ],
  UNEXPECTED_TOKEN: ['something unexpected stands here', correctSyntax],
}

function explain({ code }: { readonly code: ErrorCode }, place: string): ConfigurationError {
  const [message, fix] = explanations[code] ?? explanations.IMPOSSIBLE
  return fileError(place, `is not valid YAML: ${message}`, fix)
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
