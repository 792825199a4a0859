import type { DeltaEvent, GenerateEvent, PartEvent, PartHead } from '../../src/generate/events.ts'
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
  /** Holds the text that the client has not got. */
  readonly buffer: SentenceBuffer
  hasChanged: boolean
}

/**
 * Looks at a reply before its client gets it: at texts sentence by sentence, at the arguments of a tool call when
 * they are whole.
 */
export class ReplyGuard implements EventMapper {
  readonly waits = true
  readonly #rules: Rules
  readonly #moderation: Moderation | undefined
  readonly #parts = new Map<number, OpenPart>()

  constructor(rules: Rules, moderation: Moderation | undefined) {
    this.#rules = rules
    this.#moderation = moderation
  }

  map(event: GenerateEvent, emit: Emit, signal: AbortSignal): MaybePromise<void> {
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
        return this.#end(event.index, () => emit(event), emit, signal)
      default:
        return emit(event)
    }
  }

  #begin({ index, part: { type } }: PartEvent): void {
    this.#parts.set(index, { type, buffer: new SentenceBuffer(type), hasChanged: false })
  }

  #add({ index, text }: DeltaEvent, emit: Emit, signal: AbortSignal): MaybePromise<void> {
    const part = this.#parts.get(index)
    const ready = part?.buffer.push(text)
    return part && ready ? this.#pass(index, part, ready, emit, signal) : undefined
  }

  #end(index: number, next: () => void, emit: Emit, signal: AbortSignal): MaybePromise<void> {
    const part = this.#parts.get(index)
    this.#parts.delete(index)
    const rest = part?.buffer.end()
    if (!part || !rest) return next()
    const passing = this.#pass(index, part, rest, emit, signal)
    return passing ? passing.then(next) : next()
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
