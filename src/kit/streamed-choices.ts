import { GatewayError } from '../contract/errors.ts'
import { TextSet } from '../lib/text-map.ts'

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

  /** Whether every choice that began has ended, and `least` choices or more have. */
  areFinished(least: number): boolean {
    return this.#finished.size >= Math.max(least, this.#started.size)
  }
}
