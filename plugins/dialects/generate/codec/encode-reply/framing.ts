import type { RawRequest, TextFrame } from '../../../../../src/contract/codec.ts'
import { textFrame } from '../../../../../src/kit/codec/text-frame.ts'
import { emptyChunk } from '../../plain-frames.ts'

/** The framing of chunks: server-sent events, which official SDKs request, or one JSON array. */
export interface Framing {
  readonly contentType: string
  /** Frames a chunk, which is JSON on one line. */
  frame(json: string): string
  /** Returns the frame for chunks that differ only in a text; absent where the framing differs too. */
  textFrame?(before: string, after: string): TextFrame
  /** Returns the end of a complete stream. */
  close(): string
  readonly keepAlive: string
}

/** Returns the framing that a request asks for. */
export function framingFor(rawRequest: RawRequest): Framing {
  return wantsEvents(rawRequest) ? eventFraming : new ArrayFraming()
}

function wantsEvents({ query, headers }: RawRequest): boolean {
  return (
    new URLSearchParams(query).get('alt') === 'sse' ||
    /\btext\/event-stream\b/.test(String(headers.accept ?? ''))
  )
}

const eventFraming: Framing = {
  contentType: 'text/event-stream; charset=utf-8',
  frame: (json) => `data: ${json}\n\n`,
  textFrame: (before, after) => textFrame(`data: ${before}`, `${after}\n\n`),
  close: () => '',
  keepAlive: `data: ${emptyChunk}\n\n`,
}

/** Frames chunks as an array. An array that stays open is invalid JSON, so a broken stream is noticed. */
class ArrayFraming implements Framing {
  readonly contentType = 'application/json; charset=utf-8'
  readonly keepAlive = '\n'
  #begun = false

  frame(json: string): string {
    const separator = this.#begun ? ',\n' : '['
    this.#begun = true
    return separator + json
  }

  close(): string {
    return this.#begun ? ']' : '[]'
  }
}
