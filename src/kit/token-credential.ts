import {
  type AccountCredential,
  CredentialFailure,
  type CredentialServices,
  credentialFailureIn,
} from '../contract/credential.ts'
import type { Outbound } from '../contract/outbound.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'

/** A token that ends. */
export interface Token {
  readonly text: string
  /** How long it is valid from now on, in milliseconds. */
  readonly livesMs: number
  /** Further headers of requests that carry it, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** How tokens are fetched and carried. */
interface TokenOptions {
  /** Fetches a token. Rejects with `CredentialFailure`. */
  fetch(services: CredentialServices): Promise<Token>
  /** The header of requests with the token, in lower case. Default: `authorization`, with `Bearer`. */
  readonly header?: string
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** How long before its end a token is renewed, and is not used any more, in milliseconds; at most these parts of its life. */
const renewAheadMs = 5 * 60_000
const renewAheadPart = 0.2
const unusedMs = 10_000
const unusedPart = 0.05

/** Waits after a fetch that failed, in milliseconds. Each is twice the last. */
const firstWaitMs = 500
const longestWaitMs = 10_000

/** A 401 of the account for a token that is younger says nothing about its age. */
const youngMs = 30_000

/** The token at hand, with the times at which it is renewed and not used any more. */
interface HeldToken {
  readonly headers: Readonly<Record<string, string>>
  readonly fetchedAt: number
  readonly renewAt: number
  readonly endsAt: number
}

/**
 * A credential that is a token: fetched in one flight, renewed in the background before it ends, and kept in memory.
 * Calls wait only while there is no valid one. After a failed fetch calls fail at once until the next one is due.
 */
export function tokenCredential(options: TokenOptions): AccountCredential {
  return new TokenCredential(options)
}

class TokenCredential implements AccountCredential {
  readonly headers: readonly string[]
  secrets: readonly string[] = []
  readonly #options: TokenOptions
  readonly #now: () => number
  readonly #header: string
  #held: HeldToken | undefined
  #flight: Promise<HeldToken> | undefined
  /** The last fetch, if it failed, and when the next one is due. */
  #failure: CredentialFailure | undefined
  #dueAt = 0
  #waitMs = firstWaitMs

  constructor(options: TokenOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#header = options.header ?? 'authorization'
    this.headers = [this.#header]
  }

  authorize(outbound: Outbound, services: CredentialServices): MaybePromise<Outbound> {
    const held = this.#held
    const now = this.#now()
    if (held && now < held.endsAt) {
      // A failure is noted by the flight, and the present token is valid for a while.
      if (now >= held.renewAt && now >= this.#dueAt) this.#renew(services).catch(() => {})
      return withHeaders(outbound, held)
    }
    if (this.#failure && now < this.#dueAt && !this.#flight) throw this.#failure
    return this.#renew(services).then((fresh) => withHeaders(outbound, fresh))
  }

  refused(): void {
    if (this.#held && this.#now() - this.#held.fetchedAt >= youngMs) this.#held = undefined
  }

  #renew(services: CredentialServices): Promise<HeldToken> {
    this.#flight ??= this.#fetch(services).finally(() => (this.#flight = undefined))
    return this.#flight
  }

  async #fetch(services: CredentialServices): Promise<HeldToken> {
    try {
      return this.#hold(await this.#options.fetch(services), services)
    } catch (error) {
      throw this.#fail(error, services)
    }
  }

  #hold({ text, livesMs, headers = {} }: Token, { log, account }: CredentialServices): HeldToken {
    const now = this.#now()
    const value = this.#header === 'authorization' ? `Bearer ${text}` : text
    if (this.#failure) log.info('the credential of an account is renewed again', { account })
    this.#failure = undefined
    this.#dueAt = 0
    this.#waitMs = firstWaitMs
    // Calls with the former token may still be under way.
    this.secrets = [text, ...this.secrets.slice(0, 1)]
    return (this.#held = {
      headers: { ...headers, [this.#header]: value },
      fetchedAt: now,
      renewAt: now + livesMs - Math.min(renewAheadMs, livesMs * renewAheadPart),
      endsAt: now + livesMs - Math.min(unusedMs, livesMs * unusedPart),
    })
  }

  #fail(error: unknown, { log, account }: CredentialServices): CredentialFailure {
    const failure = credentialFailureIn(error) ?? defect(error)
    // One warning for an outage, and another one if it becomes a refusal.
    if (this.#failure?.kind !== failure.kind) {
      const { kind, message: reason, fix } = failure
      log.warn('the credential of an account cannot be renewed', { account, kind, reason, fix })
    }
    this.#failure = failure
    this.#dueAt = this.#now() + this.#waitMs
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs)
    return failure
  }
}

function withHeaders(outbound: Outbound, { headers }: HeldToken): Outbound {
  return { ...outbound, headers: { ...outbound.headers, ...headers } }
}

/** An error of the code that fetches tokens: its text may name anything. */
function defect(cause: unknown): CredentialFailure {
  const message = 'The token of the account cannot be fetched: its provider fails.'
  return new CredentialFailure('away', message, 'see the plugin of the provider', { cause })
}

/** A credential that never changes, in the header that the provider wants. `scheme`: such as `Bearer`. */
export function headerCredential(name: string, secret: string, scheme?: string): AccountCredential {
  const value = scheme === undefined ? secret : `${scheme} ${secret}`
  return {
    headers: [name],
    authorize: (outbound) => ({
      ...outbound,
      headers: { ...outbound.headers, [name]: value },
    }),
  }
}

/** The JSON object of an answer, or the failure of an answer that has no token. */
export function tokenIn(
  { status, body }: { readonly status: number; readonly body: string },
  issuer: string,
  fix: string,
): Token {
  const json = parsed(body)
  const { access_token: text, expires_in: lives } = json
  const livesMs = Number(lives) * 1_000
  if (status < 300 && typeof text === 'string' && /^[\x21-\x7e]+$/.test(text) && livesMs > 0)
    return { text, livesMs }
  if (status >= 500 || status === 429 || status === 408 || status < 300) {
    const why = status < 300 ? 'Its answer has no token.' : `It answers with the status ${status}.`
    throw new CredentialFailure('away', `${issuer} gives no token. ${why}`, waiting)
  }
  const code = codeIn(json)
  throw new CredentialFailure(
    'refused',
    `${issuer} refuses a token with the status ${status}${code === undefined ? '' : ` (${code})`}.`,
    fix,
  )
}

const waiting = 'wait: the gateway tries it again by itself'

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body)) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}

/** The code of an OAuth error (RFC 6749, 5.2), and the one of Microsoft Entra in its description. */
function codeIn({ error, error_description: said }: Readonly<Record<string, unknown>>) {
  const code = typeof error === 'string' && /^[\w.-]{1,60}$/.test(error) ? error : undefined
  const [entra] = (typeof said === 'string' && /\bAADSTS\d{1,9}\b/.exec(said)) || []
  return entra ?? code
}
