import type { Actor } from '../audit/log.ts'

/** What a session is for: the operations of the console, or any document, with GraphiQL. */
export type SessionUse = 'console' | 'graphiql'

/** An authenticated client of the admin API. */
export interface Principal extends Actor {
  /** The id of the session. */
  readonly sessionId?: string
  /** What the session is for. */
  readonly use?: SessionUse
  /** When the session is over if it is not used until then, in milliseconds since 1970. */
  readonly idleUntil?: number
  /** When the token or the session ends, in milliseconds since 1970. */
  readonly expiresAt?: number
}

/** An actor as one text, for records: `token:ops`. */
export function actorOf({ kind, id }: Pick<Actor, 'kind' | 'id'>): string {
  return `${kind}:${id}`
}
