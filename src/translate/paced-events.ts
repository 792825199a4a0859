import { Queue } from '../lib/queue.ts'
import type { DeltaEvent, GenerateEvent } from '../generate/events.ts'
import type { Emit } from '../generate/mapper.ts'
import { cutIn } from '../lib/cut-in.ts'

/** The most work of one turn of the event loop, which takes some milliseconds. Its unit is a character of text. */
const workInTurn = 256 * 1024

/** The work of an event besides its text: less for a text, of which ordinary reads of a connection have a thousand. */
const workOfEvent = 512
const workOfText = 32
const workOfLogprob = 128

/** The longest part of a text that a client gets in one turn. */
const pieceLength = workInTurn - workOfText

/**
 * Passes the events of an account on: at once as long as they are little work for one turn of the event loop. An
 * account may send tens of thousands of events in one frame, or a text of megabytes: what is too much is held, in
 * its order, and a long text is divided.
 */
export class PacedEvents {
  readonly #next: Emit
  readonly #held = new Queue<GenerateEvent>()
  /** The work that this turn can still do; none while events are held. */
  #left = workInTurn
  /** The characters of the open parts, and of the reply, which encoders may repeat at their ends. */
  #inParts = 0
  #inReply = 0
  /** The indexes of refusals. Their texts are never divided: secrets are looked for in them. */
  readonly #refusals = new Set<number>()

  constructor(next: Emit) {
    this.#next = next
  }

  /** Whether no events are held. */
  get isEmpty(): boolean {
    return this.#held.isEmpty
  }

  /** Call it in each turn of the event loop before the first event. */
  beginTurn(): void {
    if (this.isEmpty) this.#left = workInTurn
  }

  /** Passes an event on, or holds it. */
  push(event: GenerateEvent): void {
    const work = this.#workOf(event)
    if (work <= this.#left) this.#pass(event, work)
    else this.#hold(event)
  }

  /** Passes held events on, as many as are the work of one turn, and one at least. Throws as the next one does. */
  advance(): void {
    this.#left = workInTurn
    for (let { first } = this.#held; first; { first } = this.#held) {
      const work = this.#workOf(first)
      if (work > this.#left && this.#left < workInTurn) break
      this.#pass(this.#held.take(), work)
    }
    if (!this.isEmpty) this.#left = 0
  }

  /** Drops the held events. */
  clear(): void {
    this.#held.clear()
  }

  #hold(event: GenerateEvent): void {
    this.#left = 0
    if (event.type !== 'delta' || event.text.length <= pieceLength || !this.#mayDivide(event)) {
      return this.#held.push(event)
    }
    const { text } = event
    for (let at = 0; at < text.length;) {
      const end = cutIn(text, at + pieceLength)
      this.#held.push({ ...event, text: text.slice(at, end) })
      at = end
    }
  }

  #mayDivide({ index, logprobs }: DeltaEvent): boolean {
    return logprobs === undefined && !this.#refusals.has(index)
  }

  #pass(event: GenerateEvent, work: number): void {
    this.#left -= work
    this.#note(event)
    this.#next(event)
  }

  #note(event: GenerateEvent): void {
    if (event.type === 'delta') {
      this.#inParts += event.text.length
      this.#inReply += event.text.length
    } else if (event.type === 'end') this.#inParts = 0
    else if (event.type === 'part' && event.part.type === 'refusal') this.#refusals.add(event.index)
  }

  #workOf(event: GenerateEvent): number {
    if (event.type === 'delta') {
      const { text, logprobs } = event
      return workOfText + text.length + (logprobs ? logprobs.length * workOfLogprob : 0)
    }
    if (event.type === 'end') return workOfEvent + this.#inParts
    return event.type === 'finish' ? workOfEvent + this.#inReply : workOfEvent
  }
}
