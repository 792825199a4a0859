import type { FrameSink, TextFrame } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { textFrame } from '../../../../../src/kit/codec/text-frame.ts'

/** Writes numbered events to a sink. Without a sink it writes nothing. */
export class Frames {
  readonly #sink: FrameSink | undefined

  constructor(sink?: FrameSink) {
    this.#sink = sink
  }

  /** Number of events written. */
  get count(): number {
    return this.#sink?.count ?? 0
  }

  /** Writes one event with the next sequence number. */
  send(type: string, fields: JsonObject): void {
    if (!this.#sink) return
    const data = JSON.stringify({ type, sequence_number: this.#sink.count++, ...fields })
    this.#sink.write(`event: ${type}\ndata: ${data}\n\n`)
  }

  /** Writes a delta event; `frame` comes from `deltaFrame`. */
  delta(frame: TextFrame, text: string): void {
    this.#sink?.writeText(frame, text)
  }

  /** Writes `[DONE]`, which Open Responses requires and other clients ignore. */
  done(): void {
    this.#sink?.write('data: [DONE]\n\n')
  }

  /** Returns the frame that the delta events of one part share. */
  deltaFrame(type: string, position: JsonObject): TextFrame {
    if (!this.#sink) return noFrame
    const fields = JSON.stringify({ type, ...position }).slice(0, -1)
    return textFrame(`event: ${type}\ndata: ${fields},"delta":`, ',"sequence_number":', '}\n\n')
  }
}

/** Nothing is written with it. */
const noFrame = textFrame('', '')
