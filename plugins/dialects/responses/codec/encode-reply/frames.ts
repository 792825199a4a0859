import type { FrameSink } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'

/** Writes numbered events to a sink. Without a sink it writes nothing. */
export class Frames {
  readonly #sink: FrameSink | undefined
  /** The number of events written. */
  count = 0

  constructor(sink?: FrameSink) {
    this.#sink = sink
  }

  /** Writes one event with the next sequence number. */
  send(type: string, fields: JsonObject): void {
    if (!this.#sink) return
    const data = JSON.stringify({ type, sequence_number: this.count++, ...fields })
    this.#sink.write(`event: ${type}\ndata: ${data}\n\n`)
  }

  /** Writes `[DONE]`, which Open Responses requires and other clients ignore. */
  done(): void {
    this.#sink?.write('data: [DONE]\n\n')
  }

  /** Returns a writer of the delta events of one part. */
  deltaWriter(type: string, position: JsonObject): (text: string) => void {
    const sink = this.#sink
    if (!sink) return writeNothing
    const fields = JSON.stringify({ type, ...position }).slice(0, -1)
    const before = `event: ${type}\ndata: ${fields},"delta":`
    return (text) =>
      sink.write(`${before}${JSON.stringify(text)},"sequence_number":${String(this.count++)}}\n\n`)
  }
}

function writeNothing(): void {}
