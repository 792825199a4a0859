import type { Standing } from '../context.ts'
import type { Who } from './who.ts'

/** How long a look at a token or session counts, in milliseconds. */
const trustedMs = 1_000

/**
 * Follows who asks while a request goes on: its token may be revoked, its session may end, and either may lose its
 * role. `look` is called for an answer that is older than a second.
 */
export function createLatestWho(
  first: Who,
  look: () => Promise<Who>,
  uptime: () => number,
): () => Promise<Who> {
  let who = first
  let at = uptime()
  return async () => {
    if (uptime() - at < trustedMs) return who
    who = await look()
    at = uptime()
    return who
  }
}

/** Who asks, for an operation that goes on. */
export function standingOf(who: Who): Standing {
  if ('principal' in who) return who.principal
  return who.refusal.status === 503 ? 'unknown' : 'over'
}
