import { type CredentialFailure, credentialFailureIn } from '../../src/contract/credential.ts'
import type { Outcome } from '../../src/contract/outcome.ts'
import { RecentMap } from '../../src/lib/recent-map.ts'
import { type Hold, laterOf } from './hold.ts'

/** The longest rest that a `retry-after` causes, in milliseconds. */
const longestMs = 10 * 60_000
/** Keys whose own rests are known, per model. */
const mostKeys = 20

/** A credential that is away for a known time. */
type Absence = Pick<CredentialFailure, 'message'> & { readonly retryAfterMs: number }

/** Why a call has had no credential, if it is known when the next one may have it. */
export function absenceIn({ error }: Outcome): Absence | undefined {
  const { kind, message, retryAfterMs } = credentialFailureIn(error) ?? {}
  if (kind !== 'away' || message === undefined || retryAfterMs === undefined) return undefined
  return { message, retryAfterMs }
}

/** A pause that an account asks for. */
interface Pause {
  readonly pauseMs: number
  /** The status of the reply that asks for it. */
  readonly status: number | undefined
}

/**
 * The rests of an account or of one of its models. A limit lets it rest for all keys, and so does a credential that
 * is away. An overload that a call meets
 * may be due to its request: it lets the model rest for the key of the call, and for all as long as a second key
 * meets one too, without an answer between the two.
 */
export class Rests {
  #all: Hold | undefined
  readonly #own = new RecentMap<Hold>(mostKeys)
  /** The longest of `#own` since the model's last answer: earlier ones say nothing about other keys. */
  #sinceAnswer: Hold | undefined

  addLimit(pause: Pause, now: number): void {
    this.#all = laterOf(this.#all, restOf(pause, now))
  }

  addAbsence({ message, retryAfterMs }: Absence, now: number): void {
    const rest: Hold = { kind: 'cooling', cause: message, until: now + retryAfterMs }
    this.#all = laterOf(this.#all, rest)
  }

  addOverload(keyId: string, pause: Pause, now: number): void {
    const rest = restOf(pause, now, keyId)
    this.#own.set(keyId, laterOf(this.#own.get(keyId) ?? rest, rest))
    const known = this.#sinceAnswer
    const agrees = known && known.keyId !== keyId && known.until > now
    this.#sinceAnswer = agrees ? laterOf(known, rest) : rest
    if (!agrees) return
    const shorter = known.until < rest.until ? known : rest
    this.#all = laterOf(this.#all, { ...shorter, keyId: undefined })
  }

  addAnswer(): void {
    this.#sinceAnswer = undefined
  }

  /** The rest of a key at a time. */
  at(now: number, keyId: string): Hold | undefined {
    const latest = laterOf(this.#own.get(keyId), this.#all)
    return latest && latest.until > now ? latest : undefined
  }

  /** Ends all rests. Returns how many there were at a time. */
  clear(now: number): number {
    const found = this.all(now)
    this.#all = this.#sinceAnswer = undefined
    for (const { keyId } of found) if (keyId !== undefined) this.#own.delete(keyId)
    return found.length
  }

  /** The rests at a time: for all keys, then for keys that rest longer. */
  all(now: number): Hold[] {
    const all = this.#all
    const found = all && all.until > now ? [all] : []
    const end = Math.max(now, all?.until ?? 0)
    this.#own.forEach((own) => {
      if (own.until > end) found.push(own)
    })
    return found
  }
}

function restOf({ pauseMs, status }: Pause, now: number, keyId?: string): Hold {
  const cause = `a call ${status === undefined ? 'met a limit' : `got ${status}`}`
  return { kind: 'cooling', cause, until: now + Math.min(pauseMs, longestMs), status, keyId }
}
