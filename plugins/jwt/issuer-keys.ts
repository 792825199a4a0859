import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { steadyNow } from '../../src/lib/time.ts'
import { textWithin } from '../../src/lib/text-within.ts'
import type { ProbeResult } from '../../src/contract/plugin-start.ts'
import type { Log } from '../../src/lib/log.ts'

/** How long a look-up of the issuer's keys may take, in milliseconds. */
const lookUpMs = 5_000

/** In bytes. Key sets are far shorter. */
const longestSet = 1024 * 1024

/** How old keys may be until they are read again, while tokens go on. */
const freshMs = 10 * 60_000

/** How old keys may become while the issuer is away. */
const usableMs = 24 * 3_600_000

/** Between two look-ups for tokens of unknown keys, which anybody can make up. */
const pauseMs = 30_000

/** Between two look-ups while no key is known. */
const firstPauseMs = 1_000

type Keys = ReturnType<typeof createLocalJWKSet>

/** Finds the key of a token. */
export type IssuerKeys = JWTVerifyGetKey & { readonly health: KeyHealth }

/**
 * The keys of an issuer (JWKS). Tokens of known keys never wait for the issuer. Rejects with an error of `jose` for a
 * token of an unknown key, and with another error while the keys cannot be read.
 */
export function issuerKeys(url: string, now: () => number = steadyNow): IssuerKeys {
  const health = new KeyHealth(url)
  let keys: Keys | undefined
  let readAt = -Infinity
  let askedAt = -Infinity
  /** Why the last look-up failed. */
  let failure: Error | undefined
  let reading: Promise<void> | undefined

  function read(): Promise<void> {
    askedAt = now()
    reading = fetchKeys(url)
      .then((fetched) => {
        keys = fetched
        readAt = now()
        failure = undefined
        health.noteAnswer()
      })
      .catch((cause: unknown) => {
        failure = new Error('The keys cannot be read.', { cause })
        health.noteFailure(cause)
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  /** Reads the keys, unless the last look-up was less than `pause` ago. Rejects while they cannot be read. */
  async function readAfter(pause: number): Promise<void> {
    if (reading) await reading
    else if (now() - askedAt >= pause) await read()
    if (failure) throw failure
  }

  /** Keys that can be used; reads old ones again. */
  async function usableKeys(): Promise<Keys> {
    const age = now() - readAt
    if (keys && age < usableMs) {
      if (age >= freshMs && !reading && now() - askedAt >= pauseMs) void read()
      return keys
    }
    await readAfter(firstPauseMs)
    if (!keys) throw new Error('The keys have not been read.')
    return keys
  }

  const find: JWTVerifyGetKey = async (header, token) => {
    const known = await usableKeys()
    try {
      return await known(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      await readAfter(pauseMs)
      if (!keys || keys === known) throw error
      return keys(header, token)
    }
  }
  return Object.assign(find, { health })
}

async function fetchKeys(url: string): Promise<Keys> {
  const response = await fetch(url, {
    headers: { accept: 'application/json, application/jwk-set+json' },
    signal: AbortSignal.timeout(lookUpMs),
    redirect: 'error',
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The issuer answers ${response.status}.`)
  }
  return createLocalJWKSet(JSON.parse(await textWithin(response, longestSet)) as JSONWebKeySet)
}

/**
 * Whether the keys of an issuer can be read, for operators: a probe, and a line at the begin and the end of each
 * outage.
 */
class KeyHealth {
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
