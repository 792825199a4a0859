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

/** Between the texts of messages that become one: without it, the end of one and the start of the next make words. */
const gap = '\n\n'

/** The contents of messages as one: a string where all parts are texts, and a list otherwise. */
function joined(contents: readonly unknown[]): string | JsonObject[] {
  const lists = contents.map((content): JsonObject[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content as JsonObject[]),
  )
  const parts = lists.flat()
  if (parts.every(isText)) return parts.map(({ text }) => text).join(gap)
  return lists.flatMap((list, at) => (startsBehindText(list, lists[at - 1]) ? withGap(list) : list))
}

const isText = (part: JsonObject | undefined) => part?.type === 'text'

function startsBehindText(list: readonly JsonObject[], before: readonly JsonObject[] = []) {
  return isText(list[0]) && isText(before.at(-1))
}

function withGap([first, ...others]: readonly JsonObject[]): JsonObject[] {
  return [{ ...first, text: gap + String(first?.text) }, ...others]
}
