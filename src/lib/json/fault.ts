/** The number of characters that are searched for a syntax error. */
const searchedLength = 1024 * 1024

const space = /[ \t\n\r]*/y
// oxlint-disable-next-line no-control-regex -- JSON allows none of them in a string
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"/iy
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// oxlint-disable-next-line no-control-regex -- JSON allows none of them in a string
const stringStart = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*/iy

/** The first syntax error of a JSON text. */
interface JsonFault {
  readonly kind: 'premature end' | 'syntax error'
  /** From 1, as the column. */
  readonly line: number
  readonly column: number
}

/** Locates the first syntax error of a JSON text; `undefined` for one beyond the searched length. */
export function locateFault(text: string): JsonFault | undefined {
  const at = findFault(text.slice(0, searchedLength))
  if (at === undefined || at >= searchedLength) return undefined
  const lines = text.slice(0, at).split('\n')
  const kind = at >= text.length ? 'premature end' : 'syntax error'
  return { kind, line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/**
 * Describes the first syntax error of a JSON text, by its line and column and without quoting the
 * text. `undefined` for one that is beyond the searched length, or behind the text if it `isCut`.
 */
export function describeFault(text: string, isCut = false): string | undefined {
  const fault = locateFault(text)
  // A text that is cut off ends early in any case.
  if (!fault || (isCut && fault.kind === 'premature end')) return undefined
  return `${fault.kind} at line ${fault.line}, column ${fault.column}`
}

/** The token that is expected next. */
type Next = 'value' | 'value or end' | 'key' | 'key or end' | 'comma or end'

/** The position of the first character that breaks the syntax. */
function findFault(text: string): number | undefined {
  const open: string[] = []
  let next: Next = 'value'
  let at = skip(space, text, 0)
  while (next !== 'comma or end' || open.length > 0) {
    const char = text[at]
    const closing = open.at(-1)
    if (next.endsWith('end') && char !== undefined && char === closing) {
      open.pop()
      next = 'comma or end'
      at++
    } else if (next === 'comma or end') {
      if (char !== ',') return at
      next = closing === '}' ? 'key' : 'value'
      at++
    } else if (next === 'key' || next === 'key or end') {
      const end = skip(string, text, at)
      if (end === at) return skip(stringStart, text, at)
      at = skip(space, text, end)
      if (text[at] !== ':') return at
      next = 'value'
      at++
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']')
      next = char === '{' ? 'key or end' : 'value or end'
      at++
    } else {
      const end = skip(char === '"' ? string : scalar, text, at)
      if (end === at) return skip(stringStart, text, at)
      next = 'comma or end'
      at = end
    }
    at = skip(space, text, at)
  }
  return at < text.length ? at : undefined
}

/** The position behind a match at `at`; `at` itself without a match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
