import {
  type AccountCredential,
  CredentialFailure,
  type CredentialServices,
  credentialFailureIn,
} from '../contract/credential.ts'
import type { Outbound } from '../contract/outbound.ts'
import { isThenable, type MaybePromise } from '../lib/maybe-promise.ts'

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
  /** Milliseconds of a clock that is never set. Default: `performance.now`. */
  readonly now?: () => number
}

/** A credential that is a token: see `Renewed`. */
export function tokenCredential(options: TokenOptions): AccountCredential {
  const { header = 'authorization', now } = options
  const held = new Renewed<Readonly<Record<string, string>>>(async (services) => {
    const { text, livesMs, headers = {} } = await options.fetch(services)
    const value = header === 'authorization' ? `Bearer ${text}` : text
    return { value: { ...headers, [header]: value }, livesMs, secrets: [text] }
  }, now)
  return {
    headers: [header],
    get secrets() {
      return held.secrets
    },
    authorize(outbound, services) {
      const headers = held.take(services)
      return isThenable(headers)
        ? headers.then((fresh) => withHeaders(outbound, fresh))
        : withHeaders(outbound, headers)
    },
    refused: (status) => held.refused(status),
  }
}

/** What a fetch brings. */
interface Fetched<Value> {
  readonly value: Value
  /** How long it is valid from now on, in milliseconds. */
  readonly livesMs: number
  /** The texts in it that nothing may repeat. */
  readonly secrets: readonly string[]
}

/** How long before its end a value is renewed, and is not used any more, in milliseconds; at most these parts of its life. */
const renewAheadMs = 5 * 60_000
const renewAheadPart = 0.2
const unusedMs = 10_000
const unusedPart = 0.05

/** No value is used for longer without being fetched again, in milliseconds: tokens of clouds last a day at most. */
const longestLifeMs = 24 * 60 * 60_000

/** Waits after a fetch that failed, in milliseconds. Each is twice the last. */
const firstWaitMs = 500
const longestWaitMs = 10_000

/** A refusal of the account for a value that is younger says nothing about its age. */
const youngMs = 30_000

/** The value at hand, with the times at which it is renewed and not used any more. */
interface Held<Value> {
  readonly value: Value
  readonly fetchedAt: number
  readonly renewAt: number
  readonly endsAt: number
}

/**
 * A value that ends, such as a token: fetched in one flight, renewed in the background before it ends, and kept in memory.
 * Calls wait only while there is no valid one. After a failed fetch calls fail at once, but for the one that fetches again
 * when it is due.
 */
export class Renewed<Value> {
  secrets: readonly string[] = []
  readonly #fetchValue: (services: CredentialServices) => Promise<Fetched<Value>>
  readonly #now: () => number
  #held: Held<Value> | undefined
  #flight: Promise<Value> | undefined
  /** The last fetch, if it failed, and when the next one is due. */
  #failure: CredentialFailure | undefined
  #dueAt = 0
  #waitMs = firstWaitMs

  /** `fetchValue` rejects with `CredentialFailure`. */
  constructor(
    fetchValue: (services: CredentialServices) => Promise<Fetched<Value>>,
    now: () => number = () => performance.now(),
  ) {
    this.#fetchValue = fetchValue
    this.#now = now
  }

  /** Returns the value: at once while it is at hand. Throws or rejects with `CredentialFailure`. */
  take(services: CredentialServices): MaybePromise<Value> {
    const held = this.#held
    const now = this.#now()
    if (held && now < held.endsAt) {
      // A failure is noted by the flight, and the present value is valid for a while.
      if (now >= held.renewAt && now >= this.#dueAt) this.#renew(services).catch(() => {})
      return held.value
    }
    if (this.#failure && (this.#flight || now < this.#dueAt)) {
      throw failedUntil(this.#failure, this.#flight ? firstWaitMs : this.#dueAt - now)
    }
    return this.#renew(services)
  }

  /**
   * The account has answered 401, or 403, which is also about what a call asks for: so the value is renewed in the
   * background, and stays in use.
   */
  refused(status: number): void {
    const held = this.#held
    const now = this.#now()
    if (!held || now - held.fetchedAt < youngMs) return
    this.#held = status === 401 ? undefined : { ...held, renewAt: now }
  }

  #renew(services: CredentialServices): Promise<Value> {
    this.#flight ??= this.#fetch(services).finally(() => (this.#flight = undefined))
    return this.#flight
  }

  async #fetch(services: CredentialServices): Promise<Value> {
    try {
      const fetched = await this.#fetchValue(services)
      if (!(fetched.livesMs > 0)) throw ended()
      return this.#hold(fetched, services)
    } catch (error) {
      throw this.#fail(error, services)
    }
  }

  #hold({ value, secrets, ...fetched }: Fetched<Value>, services: CredentialServices): Value {
    const { log, account } = services
    const livesMs = Math.min(fetched.livesMs, longestLifeMs)
    const now = this.#now()
    if (this.#failure) log.info('the credential of an account is renewed again', { account })
    this.#failure = undefined
    this.#dueAt = 0
    this.#waitMs = firstWaitMs
    // Calls with the former value may still be under way.
    this.secrets = [...secrets, ...this.secrets.slice(0, secrets.length)]
    this.#held = {
      value,
      fetchedAt: now,
      renewAt: now + livesMs - Math.min(renewAheadMs, livesMs * renewAheadPart),
      endsAt: now + livesMs - Math.min(unusedMs, livesMs * unusedPart),
    }
    return value
  }

  #fail(error: unknown, { log, account }: CredentialServices): CredentialFailure {
    const failure = credentialFailureIn(error) ?? defect(error)
    // One warning for an outage, and another one if it becomes a refusal.
    if (this.#failure?.kind !== failure.kind) {
      const { kind, message: reason, fix } = failure
      log.warn('the credential of an account cannot be renewed', { account, kind, reason, fix })
    }
    const waitMs = this.#waitMs
    this.#failure = failure
    this.#dueAt = this.#now() + waitMs
    this.#waitMs = Math.min(waitMs * 2, longestWaitMs)
    return failedUntil(failure, waitMs)
  }
}

function failedUntil(failure: CredentialFailure, retryAfterMs: number): CredentialFailure {
  const { kind, message, fix, cause } = failure
  return new CredentialFailure(kind, message, fix, { cause, retryAfterMs })
}

function withHeaders(outbound: Outbound, headers: Readonly<Record<string, string>>): Outbound {
  return { ...outbound, headers: { ...outbound.headers, ...headers } }
}

/** The failure of a token that has ended before its arrival. Without it, each call would fetch the token again. */
function ended(): CredentialFailure {
  const message = 'The token of the account has ended already when it comes.'
  return new CredentialFailure('away', message, 'check the clock of this machine')
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
