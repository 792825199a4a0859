import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateUsage } from '../../../../../src/generate/result.ts'
import { echoOf } from './echo.ts'
import { tierOf } from '../service-tier.ts'
import type { Ending } from '../stop.ts'
import { writeUsage } from '../usage.ts'

/** Creates the response object for the events that contain it. */
export class Snapshots {
  readonly #shared: JsonObject
  readonly #context: ReplyContext
  #serviceTier: string | undefined

  constructor(id: string, context: ReplyContext) {
    this.#context = context
    const { rawRequest, model, now } = context
    const created_at = Math.floor(now / 1000)
    // The model stands here for its position; it is known once the reply has started.
    this.#shared = { id, object: 'response', created_at, model, ...echoOf(rawRequest.body) }
  }

  /** Sets the service tier that the account reported. */
  setServiceTier(tier: string | undefined): void {
    this.#serviceTier = tier === undefined ? undefined : tierOf(tier)
  }

  /** Returns the response before its first output. */
  started(): JsonObject {
    return this.#with({ status: 'in_progress', output: [], output_text: '', usage: null })
  }

  /** Returns the completed or incomplete response. */
  finished(
    ending: Ending,
    output: readonly JsonObject[],
    outputText: string,
    usage: GenerateUsage,
  ) {
    const { status, reason } = ending
    return this.#with({
      status,
      completed_at: status === 'completed' ? Math.floor(Date.now() / 1000) : null,
      incomplete_details: reason === undefined ? null : { reason },
      output,
      output_text: outputText,
      usage: writeUsage(usage),
    })
  }

  /** Returns the failed response. */
  failed(error: JsonObject, output: readonly JsonObject[], outputText: string): JsonObject {
    return this.#with({ status: 'failed', error, output, output_text: outputText, usage: null })
  }

  #with(members: JsonObject): JsonObject {
    return {
      ...this.#shared,
      model: this.#context.model,
      ...(this.#serviceTier !== undefined && { service_tier: this.#serviceTier }),
      completed_at: null,
      error: null,
      incomplete_details: null,
      ...members,
    }
  }
}
