import type {
  DeltaEvent,
  EndEvent,
  GenerateEvent,
  PartEvent,
  PartHead,
} from '../../src/generate/events.ts'
import type { Emit, EventMapper } from '../../src/generate/mapper.ts'
import { SentenceBuffer } from '../../src/generate/sentences.ts'
import type { MaybePromise } from '../../src/lib/maybe-promise.ts'
import { run, runInTurns } from '../../src/lib/turns.ts'
import type { Moderation } from './moderation.ts'
import type { Rules } from './rules.ts'
import { windowLength } from './windows.ts'

/** An open part whose text is looked at. */
interface OpenPart {
  readonly type: PartHead['type']
  readonly choice: number
  /** Holds the text that the client has not got. */
  readonly buffer: SentenceBuffer
  hasChanged: boolean
}

/** Events that wait until the text behind the end of a part of text is known: a match may go on there. */
interface HeldEvents {
  readonly choice: number
  /** The parts that they are about. */
  readonly indexes: Set<number>
  /** Their deltas have not been looked at. */
  readonly events: GenerateEvent[]
}

/** In events and characters. No model says so much in parts of less than a sentence. */
const mostHeld = { events: 256, characters: windowLength }

/**
 * Looks at a reply before its client gets it: at texts sentence by sentence, where parts of text beside each other are
 * one text, and at the arguments of a tool call when they are whole.
 */
export class ReplyGuard implements EventMapper {
  readonly waits = true
  readonly #rules: Rules
  readonly #moderation: Moderation | undefined
  readonly #parts = new Map<number, OpenPart>()
  #held: HeldEvents | undefined

  constructor(rules: Rules, moderation: Moderation | undefined) {
    this.#rules = rules
    this.#moderation = moderation
  }

  map(event: GenerateEvent, emit: Emit, signal: AbortSignal): MaybePromise<void> {
    if (this.#held) return this.#mapBehind(this.#held, event, emit, signal)
    switch (event.type) {
      case 'part':
        this.#begin(event)
        return emit(event)
      case 'delta':
        return this.#add(event, emit, signal)
      case 'signature':
        // The signature belongs to the text before the change.
        return this.#parts.get(event.index)?.hasChanged ? undefined : emit(event)
      case 'end':
        return this.#end(event, emit, signal)
      default:
        return emit(event)
    }
  }

  #begin({ index, choice, part: { type } }: PartEvent): void {
    this.#parts.set(index, { type, choice, buffer: new SentenceBuffer(type), hasChanged: false })
  }

  #add({ index, text }: DeltaEvent, emit: Emit, signal: AbortSignal): MaybePromise<void> {
    const part = this.#parts.get(index)
    const ready = part?.buffer.push(text)
    return part && ready ? this.#pass(index, part, ready, emit, signal) : undefined
  }

  #end(event: EndEvent, emit: Emit, signal: AbortSignal): MaybePromise<void> {
    const { index } = event
    const part = this.#parts.get(index)
    const rest = part?.buffer.end()
    if (part && rest && part.type === 'text') {
      const events = [{ type: 'delta', index, text: rest }, event] as const
      this.#held = { choice: part.choice, indexes: new Set([index]), events: [...events] }
      return undefined
    }
    this.#parts.delete(index)
    if (!part || !rest) return emit(event)
    const passing = this.#pass(index, part, rest, emit, signal)
    return passing ? passing.then(() => emit(event)) : emit(event)
  }

  /** Holds an event of the next part of text too. Every other event lets the held ones pass. */
  #mapBehind(
    held: HeldEvents,
    event: GenerateEvent,
    emit: Emit,
    signal: AbortSignal,
  ): MaybePromise<void> {
    const isNext =
      event.type === 'part' && event.part.type === 'text' && event.choice === held.choice
    const isOwn = 'index' in event && held.indexes.has(event.index)
    if (!isNext && !isOwn) {
      const passing = this.#release(held, emit, signal)
      return passing
        ? passing.then(() => this.map(event, emit, signal))
        : this.map(event, emit, signal)
    }
    if (this.#hold(held, event)) return undefined
    return this.#release(held, emit, signal)
  }

  /** Returns whether the events have to wait for more: not behind the end of a sentence. */
  #hold({ events, indexes }: HeldEvents, event: GenerateEvent): boolean {
    if (event.type === 'part') {
      this.#begin(event)
      indexes.add(event.index)
    }
    const buffer = 'index' in event ? this.#parts.get(event.index)?.buffer : undefined
    const text = event.type === 'delta' ? buffer?.push(event.text) : undefined
    const rest = event.type === 'end' ? buffer?.end() : undefined
    const ready = text || rest
    if (ready && 'index' in event) events.push({ type: 'delta', index: event.index, text: ready })
    if (event.type !== 'delta') events.push(event)
    const length = textsOf(events).reduce((sum, one) => sum + one.length, 0)
    return !text && events.length < mostHeld.events && length < mostHeld.characters
  }

  #release({ events }: HeldEvents, emit: Emit, signal: AbortSignal): MaybePromise<void> {
    this.#held = undefined
    const texts = textsOf(events)
    const work = this.#rules.applyToParts(texts)
    const write = (allowed: readonly string[]) => this.#writeHeld(events, allowed, emit, signal)
    const length = texts.reduce((sum, one) => sum + one.length, 0)
    return length <= windowLength ? write(run(work)) : runInTurns(work).then(write)
  }

  #writeHeld(
    events: readonly GenerateEvent[],
    allowed: readonly string[],
    emit: Emit,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    const texts = allowed.values()
    const write = () => {
      for (const event of events) {
        const part = 'index' in event ? this.#parts.get(event.index) : undefined
        if (event.type === 'delta') {
          const text = texts.next().value ?? ''
          if (part && text !== event.text) part.hasChanged = true
          if (text !== '') emit({ type: 'delta', index: event.index, text })
        } else if (event.type !== 'signature' || !part?.hasChanged) emit(event)
        if (event.type === 'end') this.#parts.delete(event.index)
      }
    }
    if (!this.#moderation) {
      write()
      return undefined
    }
    return this.#moderation.assertHarmless(allowed.join(''), 'reply', signal).then(write)
  }

  #pass(
    index: number,
    part: OpenPart,
    text: string,
    emit: Emit,
    signal: AbortSignal,
  ): MaybePromise<void> {
    const work = part.type === 'tool_call' ? this.#rules.applyToJson(text) : this.#rules.apply(text)
    const write = (allowed: string) => this.#write(index, part, text, allowed, emit, signal)
    return text.length <= windowLength ? write(run(work)) : runInTurns(work).then(write)
  }

  #write(
    index: number,
    part: OpenPart,
    text: string,
    allowed: string,
    emit: Emit,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    if (allowed !== text) part.hasChanged = true
    // A delta is never empty.
    const write = () => void (allowed && emit({ type: 'delta', index, text: allowed }))
    if (!this.#moderation) {
      write()
      return undefined
    }
    return this.#moderation.assertHarmless(allowed, 'reply', signal).then(write)
  }
}

function textsOf(events: readonly GenerateEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'delta' ? [event.text] : []))
}
