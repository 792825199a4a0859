import type { DeltaEvent, GenerateEvent, PartHead } from '../../src/generate/events.ts'
import type { Emit, EventMapper } from '../../src/generate/mapper.ts'
import type { MaybePromise } from '../../src/lib/maybe-promise.ts'
import type { Moderation } from './moderation.ts'
import type { Rules } from './rules.ts'

/** In characters. A text without the end of a sentence is looked at in pieces of this length. */
const longestHeld = 2_000

/** An open part whose text is looked at. */
interface OpenPart {
  readonly type: PartHead['type']
  /** The text that the client has not got. */
  held: string
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
        this.#parts.set(event.index, { type: event.part.type, held: '', hasChanged: false })
        return emit(event)
      case 'delta':
        return this.#add(event, emit, signal)
      case 'signature':
        // It is of the text that was there before.
        return this.#parts.get(event.index)?.hasChanged ? undefined : emit(event)
      case 'end':
        return this.#end(event.index, () => emit(event), emit, signal)
      default:
        return emit(event)
    }
  }

  #add({ index, text }: DeltaEvent, emit: Emit, signal: AbortSignal): MaybePromise<void> {
    const part = this.#parts.get(index)
    if (!part) return undefined
    part.held += text
    const end = part.type === 'tool_call' ? 0 : endOfSentences(part.held)
    if (end === 0) return undefined
    const ready = part.held.slice(0, end)
    part.held = part.held.slice(end)
    return this.#pass(index, part, ready, emit, signal)
  }

  #end(index: number, next: () => void, emit: Emit, signal: AbortSignal): MaybePromise<void> {
    const part = this.#parts.get(index)
    this.#parts.delete(index)
    if (!part || part.held === '') return next()
    const passing = this.#pass(index, part, part.held, emit, signal)
    return passing ? passing.then(next) : next()
  }

  #pass(
    index: number,
    part: OpenPart,
    text: string,
    emit: Emit,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    const allowed =
      part.type === 'tool_call' ? this.#rules.applyToJson(text) : this.#rules.apply(text)
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

const sentenceEnds: ReadonlySet<string | undefined> = new Set([
  '.',
  '!',
  '?',
  '\n',
  '。',
  '！',
  '？',
])

/** The position behind the last whole sentence; 0 if there is none and the text is not too long to wait for it. */
function endOfSentences(text: string): number {
  for (let at = text.length - 1; at > 0; at--) {
    if (/\s/.test(text[at]!) && sentenceEnds.has(text[at - 1])) return at + 1
  }
  if (text.length < longestHeld) return 0
  const space = text.lastIndexOf(' ')
  return space > 0 ? space + 1 : text.length
}
