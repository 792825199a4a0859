import { GatewayError } from '../contract/errors.ts'
import type { Limits, Timeouts } from '../contract/limits.ts'

/** The least speed of a sender. */
export interface LeastPace {
  /** The longest silence, and the time over which the rate is measured, in milliseconds. */
  readonly windowMs: number
  /** The least average over a window, in bytes per second. */
  readonly bytesPerSecond: number
}

/**
 * Measures the speed of a sender in windows, one after another: a sender that is always slow is found
 * at the end of the first, and bytes that came fast before count nothing later. All times are in
 * milliseconds, as of `performance.now()`.
 */
export class Pace {
  readonly #windowMs: number
  readonly #leastBytes: number
  #silentAt: number
  #windowEnd: number
  #bytes = 0

  constructor({ windowMs, bytesPerSecond }: LeastPace, now: number) {
    this.#windowMs = windowMs
    this.#leastBytes = (bytesPerSecond * windowMs) / 1000
    this.#silentAt = now + windowMs
    this.#windowEnd = now + windowMs
  }

  /** Counts bytes that have arrived. */
  add(bytes: number, now: number): void {
    this.#bytes += bytes
    this.#silentAt = now + this.#windowMs
  }

  /** Leaves out a time in which the receiver kept the sender waiting. */
  pass(ms: number): void {
    this.#silentAt += ms
    this.#windowEnd += ms
  }

  /** Whether the sender is silent or too slow. */
  isTooSlow(now: number): boolean {
    if (now > this.#silentAt) return true
    if (now <= this.#windowEnd) return false
    if (this.#bytes < this.#leastBytes) return true
    this.#bytes = 0
    this.#windowEnd = now + this.#windowMs
    return false
  }
}

/** The 499 for a body whose connection closed before its end. */
export function bodyCutOff(): GatewayError {
  return new GatewayError('client_closed_request', 'The request body was cut off.')
}

/** The 413 for a body of more than `limit` bytes. */
export function bodyTooLarge(limit: number): GatewayError {
  return new GatewayError('request_too_large', `The request body exceeds ${limit} bytes.`)
}

/** The limits for the speed of a body. */
export type BodyPaceLimits = Pick<Timeouts, 'requestBodyMs'> & Pick<Limits, 'bodyBytesPerSecond'>

/** The least speed of a body. */
export function bodyPace({ requestBodyMs, bodyBytesPerSecond }: BodyPaceLimits): LeastPace {
  return { windowMs: requestBodyMs, bytesPerSecond: bodyBytesPerSecond }
}
