import {
  defined,
  type EventDecoder,
  failureOf,
  type GenerateEvent,
  type GenerateRequest,
  type JsonObject,
  originOf,
  stringAt,
  toolIdOf,
} from '../../../../../src/dialect-kit/index.ts'
import { decodeCall } from '../calls.ts'
import { decodeEnd } from '../ending.ts'
import { decodeTally } from '../tally.ts'
import { decodeFailure } from './failure.ts'

/**
 * Reads the stream of an account. Words that follow each other are one part, a call is a part that
 * comes whole. Only `hush` completes a stream: an end without it leaves `finish` out, which the
 * gateway takes for a break.
 */
export class ShoutDecoder implements EventDecoder {
  readonly #request: GenerateRequest
  readonly #emit: (event: GenerateEvent) => void
  #id: string | undefined
  #hasStarted = false
  #isSpeaking = false
  #isOver = false
  /** How many parts have begun, and how many of them are calls. */
  #parts = 0
  #calls = 0

  constructor(request: GenerateRequest, emit: (event: GenerateEvent) => void) {
    this.#request = request
    this.#emit = emit
  }

  decode(event: JsonObject, name: string): void {
    if (this.#isOver) return
    switch (name) {
      case 'breath':
        return this.#start(event)
      case 'word':
        return this.#speak(stringAt(event, 'word') ?? '')
      case 'call':
        return this.#call(event)
      case 'cough':
        return this.#fail(event)
      case 'hush':
        return this.#finish(event)
    }
  }

  /** The dialect has no `[DONE]`. */
  done(): void {}

  end(): void {}

  /** A voice draws breath before its words and between them. */
  #start(event: JsonObject): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#id = stringAt(event, 'id')
    const model = stringAt(event, 'voice')
    this.#emit({ type: 'start', ...defined({ id: this.#id, model }) })
  }

  #speak(text: string): void {
    if (text === '') return
    this.#start({})
    if (!this.#isSpeaking) {
      this.#isSpeaking = true
      this.#emit({ type: 'part', index: this.#parts++, choice: 0, part: { type: 'text' } })
    }
    this.#emit({ type: 'delta', index: this.#parts - 1, text })
  }

  #call(event: JsonObject): void {
    this.#start({})
    this.#endWords()
    const origin = originOf(this.#request, this.#id)
    const call = decodeCall(event, () => toolIdOf(origin, this.#calls))
    const { arguments: text, ...part } = call
    const index = this.#parts++
    this.#calls++
    this.#emit({ type: 'part', index, choice: 0, part })
    this.#emit({ type: 'delta', index, text })
    this.#emit({ type: 'end', index })
  }

  #endWords(): void {
    if (this.#isSpeaking) this.#emit({ type: 'end', index: this.#parts - 1 })
    this.#isSpeaking = false
  }

  #finish(event: JsonObject): void {
    this.#start(event)
    this.#endWords()
    this.#isOver = true
    this.#emit({ type: 'stop', choice: 0, stop: decodeEnd(event.end, this.#calls > 0) })
    this.#emit({ type: 'finish', usage: decodeTally(event.tally) })
  }

  #fail(event: JsonObject): void {
    this.#isOver = true
    this.#emit(decodeFailure(event) ?? failureOf(undefined, 502))
  }
}
