import type { IncomingHttpHeaders } from 'node:http'

/**
 * What two calls can have in common: an item that an account made (`item`), a prompt whose cache an
 * account may still have (`cache`), or the session of a coding agent (`session`).
 */
export type AffinityKind = 'item' | 'cache' | 'session'

/** In which coding agents name their session, most telling first. */
const sessionHeaders = ['x-claude-code-session-id', 'session-id', 'x-session-affinity'] as const

/** The last items say most of where a conversation has been lately. */
const mostItems = 8

/** How many turns are looked through for them: long conversations without calls cost nothing. */
const mostTurns = 32

const none: readonly string[] = []

/** What a session's headers add to `Call.affinity`. */
export function sessionAffinity(headers: IncomingHttpHeaders): readonly string[] {
  let keys = none
  for (const name of sessionHeaders) {
    const value = headers[name]
    if (value !== undefined) keys = withAffinity(keys, 'session', String(value))
  }
  return keys
}

/** Adds a value, unless it says nothing or is there already. */
export function withAffinity(
  keys: readonly string[],
  kind: AffinityKind,
  value: unknown,
): readonly string[] {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '') return keys
  const key = `${kind}:${text}`
  return keys.includes(key) ? keys : [...keys, key]
}

/**
 * The ids of the last tool calls in a conversation, the latest turn first: whoever made the calls
 * may have signed them. `callIds` tells those of one turn.
 */
export function callAffinity(
  turns: unknown,
  callIds: (turn: unknown) => readonly (string | undefined)[],
): readonly string[] {
  let keys = none
  if (!Array.isArray(turns)) return keys
  const oldest = Math.max(0, turns.length - mostTurns)
  for (let index = turns.length - 1; index >= oldest && keys.length < mostItems; index--) {
    for (const id of callIds(turns[index])) {
      if (keys.length < mostItems) keys = withAffinity(keys, 'item', id)
    }
  }
  return keys
}
