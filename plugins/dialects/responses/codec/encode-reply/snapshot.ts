import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateUsage } from '../../../../../src/generate/result.ts'
import { echoOf } from './echo.ts'
import { tierOf } from '../service-tier.ts'
import type { Ending } from '../stop.ts'
import { writeUsage } from '../usage.ts'

/** A response as it is at a moment. */
export class Snapshots {
  readonly #shared: JsonObject
  #serviceTier: string | undefined

  constructor(id: string, { rawRequest: asked, model, now }: ReplyContext) {
    const created_at = Math.floor(now / 1000)
    this.#shared = { id, object: 'response', created_at, model, ...echoOf(asked.body) }
  }

  /** The tier that the account served it in, in the words that clients know. */
  servedIn(tier: string | undefined): void {
    this.#serviceTier = tier === undefined ? undefined : tierOf(tier)
  }

  begun(): JsonObject {
    return this.#with({ status: 'in_progress', output: [], output_text: '', usage: null })
  }

  ended(ending: Ending, output: readonly JsonObject[], said: string, usage: GenerateUsage) {
    const { status, reason } = ending
    return this.#with({
      status,
      completed_at: status === 'completed' ? Math.floor(Date.now() / 1000) : null,
      incomplete_details: reason === undefined ? null : { reason },
      output,
      output_text: said,
      usage: writeUsage(usage),
    })
  }

  failed(error: JsonObject, output: readonly JsonObject[], said: string): JsonObject {
    return this.#with({ status: 'failed', error, output, output_text: said, usage: null })
  }

  #with(moment: JsonObject): JsonObject {
    return {
      ...this.#shared,
      ...(this.#serviceTier !== undefined && { service_tier: this.#serviceTier }),
      completed_at: null,
      error: null,
      incomplete_details: null,
      ...moment,
    }
  }
}
