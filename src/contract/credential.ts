import type { Log } from '../lib/log.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { Outbound } from './outbound.ts'

/**
 * How requests to an account carry its credential, in place of the headers of its dialects. It belongs to one account:
 * what it learns stays in memory, and no call of another account waits for it.
 */
export interface AccountCredential {
  /** The headers that it sets, in lower case. */
  readonly headers: readonly string[]
  /**
   * The texts that no reply, log or trace may repeat, besides `Account.secrets`: a new list each time that they change.
   * Absent: there are no others.
   */
  readonly secrets?: readonly string[]
  /**
   * Returns the request with the credential. It runs last, once for each request that is sent, and at once while what
   * it needs is at hand. Throws or rejects with `CredentialFailure`.
   */
  authorize(outbound: Outbound, services: CredentialServices): MaybePromise<Outbound>
  /** The account has answered 401 or 403: what is at hand may have ended before its time. */
  refused?(status: number): void
}

/** What a credential gets of the gateway. */
export interface CredentialServices {
  /** The id of the account. */
  readonly account: string
  /**
   * Sends a request over connections such as the account's. Resolves with any answer; rejects with `CredentialFailure`
   * `away` if there is none within ten seconds.
   */
  request(request: CredentialRequest): Promise<CredentialReply>
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** A request for a token. */
export interface CredentialRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Without the account's proxy: the address is one of this machine or its network, such as a metadata server. */
  readonly isLocal?: boolean
}

/** The answer to a request for a token. */
export interface CredentialReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** At most 64 KiB. */
  readonly body: string
}

/**
 * Thrown when a request cannot be given its credential. `away`: whoever issues it does not answer, which is the
 * account's fault; another account gets the call. `refused`: the configuration has to change.
 */
export class CredentialFailure extends Error {
  readonly kind: 'away' | 'refused'
  /** What an operator does about it. */
  readonly fix: string
  /** When the credential is fetched again, in milliseconds from now on: until then the account gets no calls. */
  readonly retryAfterMs: number | undefined

  /** `message`: the step that failed, in words for operators, without a secret. */
  constructor(
    kind: 'away' | 'refused',
    message: string,
    fix: string,
    options: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(message, options)
    this.name = 'CredentialFailure'
    this.kind = kind
    this.fix = fix
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The failure of a credential that is why an error was thrown. */
export function credentialFailureIn(error: unknown): CredentialFailure | undefined {
  const { cause } = Object(error) as { cause?: unknown }
  if (error instanceof CredentialFailure) return error
  return cause instanceof CredentialFailure ? cause : undefined
}
