import type { RawRequest, TextFrame } from '../../../../../src/contract/codec.ts'
import { textFrame } from '../../../../../src/kit/codec/text-frame.ts'
import { emptyChunk } from '../../plain-frames.ts'

/** How chunks stand in a stream. Official SDKs ask for events, others get one JSON array. */
export interface Framing {
  readonly contentType: string
  /** A chunk of JSON in one line. */
  frame(json: string): string
  /** The frame of chunks that differ in a text alone; absent where frames differ besides. */
  around?(before: string, after: string): TextFrame
  /** What ends a complete stream. */
  close(): string
  readonly keepAlive: string
}

export function framingFor(asked: RawRequest): Framing {
  return wantsEvents(asked) ? eventFraming : new ArrayFraming()
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
  around: (before, after) => textFrame(`data: ${before}`, `${after}\n\n`),
  close: () => '',
  keepAlive: `data: ${emptyChunk}\n\n`,
}

/** An array that is not closed is no JSON: nobody takes a broken stream for a complete one. */
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
