import type { EventDecoder } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { failureIn } from './failure.ts'
import { ReplyReader } from './reply-reader.ts'

/**
 * Reads the chunks of an account. Why choices finished is told at the end only, since usage may
 * come with the last chunk, in one of its own, or never.
 */
export class ChatEventDecoder implements EventDecoder {
  readonly #reader: ReplyReader

  constructor(request: GenerateRequest, emit: (event: GenerateEvent) => void) {
    this.#reader = new ReplyReader(request, emit)
  }

  decode(data: JsonObject, name: string): void {
    if (this.#reader.isOver) return
    if (data.error || name === 'error' || data.object === 'error') {
      const failure = failureIn(data, name)
      if (failure) return this.#reader.fail(failure)
    }
    this.#reader.read(data)
  }

  repeat(text: string): void {
    this.#reader.again(text)
  }

  /** No completion unless every choice has told why it finished. */
  done(): void {
    if (!this.#reader.isOver && this.#reader.isFinished(1)) this.#reader.finish()
  }

  /** Some accounts leave `[DONE]` out. */
  end(): void {
    if (!this.#reader.isOver && this.#reader.areAllFinished) this.#reader.finish()
  }
}
