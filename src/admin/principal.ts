import type { Role } from './roles.ts'

/** Who asks the admin API. */
export interface Principal {
  /** How it has proven who it is. `process`: the gateway itself or its command line. */
  readonly kind: 'token' | 'session' | 'process'
  /** The id of the token, also of the one that a session began with. */
  readonly id: string
  readonly role: Role
  /** The id of the session. */
  readonly sessionId?: string
  /** When the token or the session ends, in milliseconds since 1970. */
  readonly expiresAt?: number
}

/** An actor as one text, for records: `token:ops`. */
export function actorOf({ kind, id }: Pick<Principal, 'kind' | 'id'>): string {
  return `${kind}:${id}`
}
