import type { FrameSink, TextFrame } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { textFrame } from '../../../../../src/kit/codec/text-frame.ts'

/** Writes events with their numbers. Without anything to write to, it is silent. */
export class Frames {
  readonly #sink: FrameSink | undefined

  constructor(sink?: FrameSink) {
    this.#sink = sink
  }

  /** How many events there have been. */
  get count(): number {
    return this.#sink?.count ?? 0
  }

  send(type: string, fields: JsonObject): void {
    if (!this.#sink) return
    const data = JSON.stringify({ type, sequence_number: this.#sink.count++, ...fields })
    this.#sink.write(`event: ${type}\ndata: ${data}\n\n`)
  }

  /** One of many events that differ in their text alone; `frame` comes from `deltaFrame`. */
  delta(frame: TextFrame, text: string): void {
    this.#sink?.writeText(frame, text)
  }

  /** Open Responses demands it; nobody minds it. */
  done(): void {
    this.#sink?.write('data: [DONE]\n\n')
  }
}

/** What the delta events of one part have in common. */
export function deltaFrame(type: string, place: JsonObject): TextFrame {
  const fields = JSON.stringify({ type, ...place }).slice(0, -1)
  return textFrame(`event: ${type}\ndata: ${fields},"delta":`, ',"sequence_number":', '}\n\n')
}
