import type { ToolCallPart } from '../../generate/content.ts'
import type { ErrorEvent, GenerateEvent, StartEvent } from '../../generate/events.ts'
import type { GenerateUsage, Stop } from '../../generate/result.ts'

/**
 * Emits the events of a reply with one choice in the order that `GenerateEvent` states, for decoders of
 * dialects that do not mark where a text begins and ends and whose tool calls arrive whole.
 */
export class ReplyEvents {
  readonly #emit: (event: GenerateEvent) => void
  #hasStarted = false
  #isOver = false
  #open: 'text' | 'refusal' | 'reasoning' | undefined
  #parts = 0
  #calls = 0

  constructor(emit: (event: GenerateEvent) => void) {
    this.#emit = emit
  }

  /** Whether the reply has finished or failed. Later events are ignored. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The number of tool calls so far. */
  get calls(): number {
    return this.#calls
  }

  /** The facts of the reply. Only the first call counts; a text, a call or the end starts a reply without facts. */
  start(facts: Omit<StartEvent, 'type'> = {}): void {
    if (this.#hasStarted || this.#isOver) return
    this.#hasStarted = true
    this.#emit({ type: 'start', ...facts })
  }

  /** The next text. Successive texts of one type are one part; an empty text is nothing. */
  text(type: 'text' | 'refusal' | 'reasoning', text = ''): void {
    if (text === '' || this.#isOver) return
    this.start()
    if (this.#open !== type) {
      this.#close()
      this.#open = type
      const part = type === 'reasoning' ? ({ type, form: 'raw' } as const) : { type }
      this.#emit({ type: 'part', index: this.#parts++, choice: 0, part })
    }
    this.#emit({ type: 'delta', index: this.#parts - 1, text })
  }

  /** A complete tool call. */
  call({ arguments: text, signature, ...part }: ToolCallPart): void {
    if (this.#isOver) return
    this.start()
    this.#close()
    const index = this.#parts++
    this.#calls++
    this.#emit({ type: 'part', index, choice: 0, part })
    if (text !== '') this.#emit({ type: 'delta', index, text })
    if (signature) this.#emit({ type: 'signature', index, signature })
    this.#emit({ type: 'end', index })
  }

  /** The reply is complete. */
  finish(stop: Stop, usage: GenerateUsage): void {
    if (this.#isOver) return
    this.start()
    this.#close()
    this.#isOver = true
    this.#emit({ type: 'stop', choice: 0, stop })
    this.#emit({ type: 'finish', usage })
  }

  /** The account reports a failure. */
  fail(error: ErrorEvent): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#emit(error)
  }

  #close(): void {
    if (this.#open) this.#emit({ type: 'end', index: this.#parts - 1 })
    this.#open = undefined
  }
}
