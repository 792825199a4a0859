import type { ProbeResult } from '../../src/contract/plugin-start.ts'
import type { Log } from '../../src/lib/log.ts'

/**
 * Whether the keys of an issuer can be read, for operators: a probe, and a line at the begin and the end of each
 * outage.
 */
export class KeyHealth {
  readonly #host: string
  #trouble: string | undefined
  /** Set when the gateway starts. */
  log: Log | undefined

  constructor(jwks: string) {
    this.#host = URL.parse(jwks)?.host ?? ''
  }

  state(): ProbeResult {
    return this.#trouble === undefined ? { ok: true } : { ok: false, message: this.#trouble }
  }

  noteFailure(error: unknown): void {
    const message = `the keys of the token issuer cannot be read: ${reasonOf(error)}`
    if (this.#trouble === undefined) this.log?.warn(message, { host: this.#host })
    this.#trouble = message
  }

  noteAnswer(): void {
    if (this.#trouble === undefined) return
    this.#trouble = undefined
    this.log?.info('the keys of the token issuer can be read again', { host: this.#host })
  }
}

/** `fetch failed` has its reason in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
