import { headLength } from './adapter.ts'

/** The beginning of every envelope whose value is an object. */
const opening = '{"value":{'
const name = /("(?:[^"\\]|\\.)*"):/y
const scalar = /("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)[,}]/y

/**
 * The value in an envelope that may be cut off at `headLength`. Of a cut one, the members up to the
 * first list or object, which is empty. `undefined` for a damaged envelope.
 */
export function valueInHead(head: string): unknown {
  try {
    const envelope: unknown = JSON.parse(head)
    return Object(envelope).value as unknown
  } catch {
    // A complete envelope that is no JSON is damaged.
    return Buffer.byteLength(head) < headLength ? undefined : leadingMembers(head)
  }
}

function leadingMembers(head: string): object | undefined {
  if (!head.startsWith(opening)) return undefined
  const members: [string, unknown][] = []
  let at = opening.length
  for (;;) {
    name.lastIndex = at
    const [whole = '', key] = name.exec(head) ?? []
    if (key === undefined) break
    at += whole.length
    scalar.lastIndex = at
    const [read = '', text] = scalar.exec(head) ?? []
    const value = text ?? emptyOf(head[at])
    if (value !== undefined) members.push([JSON.parse(key) as string, JSON.parse(value)])
    if (text === undefined || read.endsWith('}')) break
    at += read.length
  }
  return Object.fromEntries(members)
}

/** The placeholder of a list or an object. */
function emptyOf(first: string | undefined): string | undefined {
  if (first === '{') return '{}'
  return first === '[' ? '[]' : undefined
}
