import type { Attributes } from '@opentelemetry/api'

import type { Ended, Routed } from '../../../contract/exchange.ts'
import { clientFraming } from '../../../kit/framing/sse.ts'
import type { AssistantPart } from '../../../generate/content.ts'
import type { GenerateRequest } from '../../../generate/request.ts'
import { ByteList } from '../../../lib/byte-list.ts'
import { isObject } from '../../../lib/json/object.ts'
import { createRoom, instructionsOf, messagesOf, replyOf, type Room, toolsOf } from './messages.ts'
import { readReply } from './read-reply.ts'
import { hideSecrets } from '../../../kit/secrets/exchange-texts.ts'

/** In bytes. A larger request is not read a second time. */
const longestRequest = 256 * 1024

/** In bytes: the most text of one side. */
const contentBytes = 8_192

/** How many times as large the frames of a stream may be as the text that is kept of them. */
const mostFraming = 8

/** The texts of a caller and a model, for the span of the call where the configuration says so. */
export class ContentCapture {
  readonly #bytes: number
  readonly #reply = new ByteList()
  #request: GenerateRequest | undefined
  #asked: Attributes = {}

  constructor(bytes = contentBytes) {
    this.#bytes = bytes
  }

  /** Reads the request, before its memory is released. */
  request(exchange: Routed): void {
    try {
      this.#asked = this.#read(exchange)
    } catch {
      // The request is refused elsewhere, in the words of its dialect.
    }
  }

  /** Keeps the beginning of a reply. */
  wrote(bytes: Buffer): void {
    const left = this.#bytes * mostFraming - this.#reply.size
    // A copy, since the memory of a chunk is used again.
    if (left > 0) this.#reply.add(Buffer.from(bytes.subarray(0, left)))
  }

  /** The attributes of both, without secrets and within their limits. */
  attributes(exchange: Ended): Attributes {
    const codec = exchange.dialect?.generate?.codec
    if (!codec || !this.#request || this.#reply.size === 0) return this.#asked
    try {
      const isCut = this.#reply.size >= this.#bytes * mostFraming
      const framing = clientFraming(exchange.dialect, exchange.request)
      const read = readReply(this.#reply.take(), codec, this.#request, framing)
      const parts = isCut ? read.map(withoutEnd) : read
      const message = replyOf(parts, this.#room(exchange))
      return { ...this.#asked, 'gen_ai.output.messages': JSON.stringify([message]) }
    } catch {
      return this.#asked
    }
  }

  #room(exchange: Ended): Room {
    return createRoom(this.#bytes, (text) => hideSecrets(text, exchange))
  }

  #read(exchange: Routed): Attributes {
    const { body, call, dialect, request } = exchange
    if (body.bytes.length > longestRequest) return {}
    const room = this.#room(exchange)
    const codec = dialect.generate?.codec
    if (!codec || exchange.operation.capability !== 'generate') {
      const prompt = promptOf(exchange)
      if (prompt === undefined) return {}
      const parts = [{ type: 'text', content: room.take(prompt) }]
      return { 'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts }]) }
    }
    const { query, headers } = request
    const raw = { body: body.json, stream: call.stream, query, headers }
    const { turns, tools } = (this.#request = codec.decodeRequest(raw))
    const instructions = instructionsOf(turns, room)
    return {
      ...(instructions.length > 0 && {
        'gen_ai.system_instructions': JSON.stringify(instructions),
      }),
      'gen_ai.input.messages': JSON.stringify(messagesOf(turns, room)),
      ...(tools.length > 0 && { 'gen_ai.tool.definitions': JSON.stringify(toolsOf(tools, room)) }),
    }
  }
}

/** The beginning of a secret, whose end was cut off, looks like any other word. In characters. */
const longestBeginning = 64

function withoutEnd(part: AssistantPart): AssistantPart {
  return 'text' in part ? { ...part, text: part.text.slice(0, -longestBeginning) } : part
}

/** The words for a picture or a video. */
function promptOf({ body: { json, form } }: Routed): string | undefined {
  const { prompt, instances } = json
  const first: unknown = Array.isArray(instances) ? instances[0] : undefined
  const found = form?.text('prompt') ?? prompt ?? (isObject(first) ? first['prompt'] : undefined)
  return typeof found === 'string' ? found : undefined
}
