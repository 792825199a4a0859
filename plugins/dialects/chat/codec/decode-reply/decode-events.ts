import type { EventDecoder } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateUsage } from '../../../../../src/generate/result.ts'
import { failureIn } from './failure.ts'
import { ReplyReader } from './reply-reader.ts'

/**
 * Decodes the chunks of an account's stream. It emits finish reasons only at the end, because usage may
 * arrive with the last chunk, in a chunk of its own, or never.
 */
export class ChatEventDecoder implements EventDecoder {
  readonly #reader: ReplyReader

  constructor(
    request: GenerateRequest,
    emit: (event: GenerateEvent) => void,
    thinksInText = false,
  ) {
    this.#reader = new ReplyReader(request, emit, thinksInText)
  }

  get usage(): GenerateUsage {
    return this.#reader.usage
  }

  decode(data: JsonObject, name: string): void {
    if (this.#reader.isOver) return
    const failure = failureIn(data, name)
    if (failure) this.#reader.fail(failure)
    else this.#reader.read(data)
  }

  /** `[DONE]` is an end, as `ReplyReader.mayEnd` says. */
  done(): void {
    if (!this.#reader.isOver && this.#reader.mayEnd) this.#reader.finish()
  }

  /** Completes the reply of an account that omits `[DONE]`. */
  end(): void {
    if (!this.#reader.isOver && this.#reader.areAllFinished) this.#reader.finish()
  }
}
