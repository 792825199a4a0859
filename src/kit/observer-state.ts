import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { StoredData } from '../contract/stored-data.ts'
import { type JsonObject, isObject } from '../lib/json/object.ts'
import { TextSet } from '../lib/text-map.ts'
import { asksForUsage } from './usage.ts'

/** More choices than any request can ask for. An account names them, so that their number is limited. */
const mostChoices = 1_000

/** The choices of a streamed reply that have begun and ended, by the indexes that the account gives them. */
export class StreamedChoices {
  readonly #started = new TextSet<unknown>()
  readonly #finished = new TextSet<unknown>()

  /** Throws `upstream_invalid_reply` if the account names too many choices. */
  start(index: unknown): void {
    this.#started.add(index)
    if (this.#started.size <= mostChoices) return
    throw new GatewayError('upstream_invalid_reply', 'The stream has too many choices.')
  }

  finish(index: unknown): void {
    this.#finished.add(index)
  }

  /** Whether any choice has ended. */
  get hasFinished(): boolean {
    return this.#finished.size > 0
  }

  /** Whether every choice that began has ended, and `least` choices or more have. */
  areFinished(least: number): boolean {
    return this.#finished.size >= Math.max(least, this.#started.size)
  }
}

/** Further data of a reply has no known owner: an account may disclose any number. */
export const mostData = 1_000

/**
 * The longest id of data, in characters. No account gives longer ones, and the store hashes each of them at every
 * look-up.
 */
const longestDataId = 4_096

/** Whether an id is short enough for data that has an owner. */
export function isDataId({ id }: Pick<StoredData, 'id'>): boolean {
  return id.length <= longestDataId
}

/** The data that a stream discloses, without repetitions. */
export class DisclosedData {
  readonly #all = new Map<string, StoredData>()

  add(...data: readonly StoredData[]): void {
    for (const one of data) {
      if (this.#all.size === mostData) return
      if (isDataId(one)) this.#all.set(`${one.kind} ${one.id}`, one)
    }
  }

  /** `undefined` for none, as in nearly every stream. */
  get all(): readonly StoredData[] | undefined {
    return this.#all.size > 0 ? [...this.#all.values()] : undefined
  }
}

/** Further chunks of usage reach the client: hidden chunks put no back pressure on the account. */
const mostHidden = 16

/** The chunks of usage that a client does not get, since it has not asked for them. */
export class UnaskedUsage {
  #left: number

  constructor(exchange: Routed) {
    // Large values of the body may have been released.
    this.#left = asksForUsage(exchange) ? mostHidden : 0
  }

  /** Whether the client does not get this chunk. */
  hides(json: JsonObject | undefined, choices: readonly unknown[]): boolean {
    if (this.#left === 0 || choices.length > 0 || !isObject(json?.usage)) return false
    this.#left--
    return true
  }
}
