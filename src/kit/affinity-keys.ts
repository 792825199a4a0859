import type { IncomingHttpHeaders } from 'node:http'

/**
 * The kind of an affinity key: an item that an account produced (`item`), a prompt that an account may
 * have cached (`cache`), or the session of a coding agent (`session`).
 */
export type AffinityKind = 'item' | 'cache' | 'session'

/** The headers in which coding agents name their session, the strongest key first. */
const sessionHeaders = ['x-claude-code-session-id', 'session-id', 'x-session-affinity'] as const

/** The last items suffice: they come from the account of the last calls. */
const mostItems = 8

/** The number of turns to search for items, so that long conversations without tool calls stay cheap. */
const mostTurns = 32

const none: readonly string[] = []

/** Returns the affinity keys of a coding agent's session headers, for `Call.affinity`. */
export function sessionAffinity(headers: IncomingHttpHeaders): readonly string[] {
  let keys = none
  for (const name of sessionHeaders) {
    const value = headers[name]
    if (value !== undefined) keys = withAffinity(keys, 'session', String(value))
  }
  return keys
}

/** Adds a key, unless `value` is no string, blank, or already among the keys. */
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
 * Returns the affinity keys of the last tool calls in a conversation, the latest turn first: the
 * account that made the calls may have signed them. `callIds` returns the ids of one turn.
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
