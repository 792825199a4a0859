import type { IncomingHttpHeaders } from 'node:http'

/**
 * What two calls can have in common: an item that an account made (`item`), a prompt whose cache an
 * account may still have (`cache`), or the session of a coding agent (`session`).
 */
export type AffinityKind = 'item' | 'cache' | 'session'

/** In which coding agents name their session, most telling first. */
const sessionHeaders = ['x-claude-code-session-id', 'session-id', 'x-session-affinity'] as const

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
