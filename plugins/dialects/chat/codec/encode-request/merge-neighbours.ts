import type { JsonObject } from '../../../../../src/lib/json/object.ts'

/**
 * Joins neighbouring messages of one role, and lists of texts into one string: templates of many models
 * demand one system message at the start, roles that alternate, and strings. Tool messages stay apart, and
 * answers are merged already.
 */
export function mergeNeighbours(messages: readonly JsonObject[]): JsonObject[] {
  const merged: JsonObject[] = []
  let contents: unknown[] = []
  let role: unknown
  const flush = () => {
    if (contents.length > 0) merged.push({ role, content: joined(contents) })
    contents = []
  }
  for (const message of messages) {
    if (message.role !== role) flush()
    role = message.role
    if (role === 'tool' || role === 'assistant') merged.push(message)
    else contents.push(message.content)
  }
  flush()
  return merged
}

/** The contents of messages as one: a string where all parts are texts, and a list otherwise. */
function joined(contents: readonly unknown[]): string | JsonObject[] {
  const parts = contents.flatMap((content): JsonObject[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content as JsonObject[]),
  )
  const hasOnlyTexts = parts.every(({ type }) => type === 'text')
  return hasOnlyTexts ? parts.map(({ text }) => text).join('\n\n') : parts
}
