import type { EventEncoder, FrameSink, ReplyContext } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { errorEnvelope } from '../../../../../src/kit/error-envelope.ts'
import type { GatewayError } from '../../../../../src/contract/errors.ts'
import type { ErrorEvent, GenerateEvent } from '../../../../../src/generate/events.ts'
import { Frames } from './frames.ts'
import { ResponseWriter } from './response-writer.ts'

/** Returns an encoder that writes the events of a streamed response to `sink`. */
export function encodeEvents(context: ReplyContext, sink: FrameSink): EventEncoder {
  return new ResponseEvents(context, sink)
}

class ResponseEvents implements EventEncoder {
  readonly contentType = 'text/event-stream'
  /**
   * The ends of a text, of its part, its item and the response repeat it. With this weight they take under
   * 250 ms (`npm run test:hostile`).
   */
  readonly weights = { text: 8, media: 2 }
  readonly #frames: Frames
  readonly #writer: ResponseWriter
  readonly #context: ReplyContext

  constructor(context: ReplyContext, sink: FrameSink) {
    this.#context = context
    this.#frames = new Frames(sink)
    this.#writer = new ResponseWriter(context, this.#frames)
  }

  get id(): string {
    return this.#writer.id
  }

  get items(): readonly string[] {
    return this.#writer.itemIds
  }

  get reply(): JsonObject | undefined {
    return this.#writer.response
  }

  get events(): number {
    return this.#frames.count
  }

  encode(event: Exclude<GenerateEvent, ErrorEvent>): void {
    this.#writer.encode(event)
  }

  /**
   * Writes `error` flat and nested, because SDK versions read one or the other, then the failed
   * response, then `[DONE]` (docs/wire/openai.md 1.9).
   */
  fail(error: GatewayError): 'end' {
    const { message, param = null } = error
    const { errors } = this.#context
    const { error: nested } = errorEnvelope(error, this.#context).body as {
      error: { code: unknown }
    }
    const code = errors === 'native' ? nested.code : (error.upstreamCode ?? error.code)
    this.#writer.begin()
    this.#frames.send('error', { code, message, param, error: nested })
    this.#writer.fail({ code: failureCode(error), message })
    this.#frames.done()
    return 'end'
  }

  /** A comment, because SDK helpers throw on unknown events (docs/wire/openai.md 1.8). */
  keepAlive(): string {
    return ': keep-alive\n\n'
  }
}

/** Returns the error code of a failed response, one of those that clients know. */
function failureCode(error: GatewayError): string {
  if (error.code === 'context_length_exceeded') return error.code
  if (error.kind === 'rate_limit') return 'rate_limit_exceeded'
  return error.kind === 'invalid' ? 'invalid_prompt' : (error.upstreamCode ?? 'server_error')
}
