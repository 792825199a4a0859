import { GatewayError } from '../../src/contract/errors.ts'
import type { ProbeResult } from '../../src/contract/plugin-start.ts'
import { isObject, type JsonObject } from '../../src/lib/json/object.ts'
import { objectsIn } from '../../src/lib/json/read.ts'
import { textWithin } from '../../src/lib/text-within.ts'
import type { ModerationSetting, Place } from './options.ts'

/** In bytes. A verdict is far shorter. */
const longestAnswer = 1024 * 1024

/** The answers to a text that the service does not judge, such as one that is too long for it. */
const unjudged: ReadonlySet<number> = new Set([400, 413, 422])

/** Asks a moderation service about texts. */
export class Moderation {
  readonly #setting: ModerationSetting
  /** Why the last question had no answer. */
  #trouble: string | undefined

  constructor(setting: ModerationSetting) {
    this.#setting = setting
  }

  /** Whether the service is asked about texts in this place. */
  isFor(place: Place): boolean {
    return this.#setting.in.includes(place)
  }

  state(): ProbeResult {
    return this.#trouble === undefined ? { ok: true } : { ok: false, message: this.#trouble }
  }

  /** Resolves if the text may pass. Rejects with `GatewayError`: 422 for a flagged text, 503 without an answer. */
  async assertHarmless(text: string, place: Place, signal: AbortSignal): Promise<void> {
    if (text.trim() === '') return
    const verdicts = await this.#ask(text, signal).catch((error: unknown) =>
      this.#withoutAnswer(error, signal),
    )
    if (verdicts?.some((verdict) => this.#isFlagged(verdict))) {
      const message = `The ${place} was flagged by the moderation of this service.`
      throw new GatewayError('plugin_rejected', message, { retry: false })
    }
  }

  async #ask(input: string, signal: AbortSignal): Promise<readonly JsonObject[]> {
    const { url, apiKey, model, timeoutMs } = this.#setting
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      redirect: 'error',
    })
    if (!response.ok) {
      await response.body?.cancel()
      if (unjudged.has(response.status)) throw notJudged(response.status)
      throw new Error(`it answers ${response.status}`)
    }
    const verdicts = await verdictsIn(response)
    this.#trouble = undefined
    return verdicts
  }

  #withoutAnswer(error: unknown, signal: AbortSignal): undefined {
    // The client has left: the service is not to blame. Nor is it away if its answer is that it does not judge the
    // text.
    if (signal.aborted || GatewayError.isInstance(error)) throw error
    this.#trouble = `the moderation service does not answer: ${(error as Error).message}`
    if (this.#setting.whenAway === 'pass') return undefined
    const message = 'The moderation of this service does not answer at the moment.'
    throw new GatewayError('service_unavailable', message, { retryAfterMs: 1_000, cause: error })
  }

  #isFlagged({ flagged, categories }: JsonObject): boolean {
    const counted = this.#setting.categories
    if (!counted) return flagged === true
    return isObject(categories) && counted.some((name) => categories[name] === true)
  }
}

function notJudged(status: number): GatewayError {
  const message = 'The moderation of this service does not judge this text.'
  const cause = new Error(`the moderation service answers ${status}`)
  return new GatewayError('plugin_rejected', message, { retry: false, cause })
}

/** Rejects if the answer has no verdict. */
async function verdictsIn(response: Response): Promise<readonly JsonObject[]> {
  const text = await textWithin(response, longestAnswer)
  const answer: unknown = JSON.parse(text)
  const verdicts = isObject(answer) ? objectsIn(answer.results) : []
  if (verdicts.length === 0) throw new Error('its answer has no results')
  return verdicts
}
