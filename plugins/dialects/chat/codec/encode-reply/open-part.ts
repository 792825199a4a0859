import type { Citation } from '../../../../../src/generate/content.ts'
import type { PartEvent, PartHead } from '../../../../../src/generate/events.ts'
import { annotationOf } from '../citations.ts'
import type { ChunkWriter, TextSlot } from './chunk-writer.ts'
import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import { safeToolId } from '../../../../../src/generate/call-ids.ts'
import { dropCall, dropMedia, usesFunctions } from './encode-message.ts'

/** The state of an open part of a client's stream. */
export interface OpenPart {
  readonly choice: number
  readonly type: PartHead['type']
  /** Writes a text delta; `undefined` for a part that is not written. */
  readonly write: ((text: string) => void) | undefined
  /** Length of the content when the part began, in UTF-16 code units. */
  readonly start: number
  /** Separates its text from the text before it. */
  separator: string
  isEmpty: boolean
  readonly citations: Citation[]
  /** The index of a call in the message; `undefined` for other parts and for legacy calls. */
  readonly call: number | undefined
  /** Whether its text is the arguments of a function, which clients parse. */
  readonly isFunction: boolean
}

/** The slots of text deltas, from the delta's first brace to its last. */
const textSlots = {
  text: { before: '{"content":', after: '}' },
  refusal: { before: '{"refusal":', after: '}' },
  reasoning: { before: '{"reasoning_content":', after: '}' },
} as const satisfies Record<string, TextSlot>

/** The slot for the arguments of a legacy `function_call`. */
const legacySlot: TextSlot = { before: '{"function_call":{"arguments":', after: '}}' }

/** Returns the slot for the input of the tool call with this index. */
function callSlot(call: number, kind: 'function' | 'custom'): TextSlot {
  const field = kind === 'custom' ? 'input' : 'arguments'
  return { before: `{"tool_calls":[{"index":${call},"${kind}":{"${field}":`, after: '}}]}' }
}

/** The state of one choice that later frames depend on. */
export class WrittenChoice {
  hasRefusal = false
  calls = 0
  /** Length of the content so far, in UTF-16 code units. */
  length = 0
  #hasReasoning = false
  #annotations: object[] = []

  /** Returns the separator between a part that begins and the text before it. */
  separatorFor(type: PartHead['type']): string {
    return type === 'reasoning' && this.#hasReasoning ? '\n\n' : ''
  }

  /**
   * Returns the annotations that are not written yet, and forgets them. They go into one chunk, because
   * clients use only the annotations of the last chunk that has any.
   */
  takeAnnotations(): object[] {
    const annotations = this.#annotations
    this.#annotations = []
    return annotations
  }

  /** Records a part that has ended. */
  note({ type, start, isEmpty, citations }: OpenPart): void {
    if (type === 'reasoning' && !isEmpty) this.#hasReasoning = true
    if (type === 'refusal') this.hasRefusal = true
    for (const citation of citations) {
      this.#annotations.push(annotationOf(citation, start, this.length))
    }
  }
}

type CallHead = Extract<PartHead, { type: 'tool_call' }>

/** Opens parts: writes the chunks that precede their text, and returns the slot for their text. */
export class PartOpener {
  readonly #chunks: ChunkWriter
  readonly #context: ReplyContext
  readonly #isLegacy: boolean

  constructor(chunks: ChunkWriter, context: ReplyContext) {
    this.#chunks = chunks
    this.#context = context
    this.#isLegacy = usesFunctions(context.rawRequest.body)
  }

  open({ choice, part }: PartEvent, written: WrittenChoice): OpenPart {
    dropMedia(part, this.#context)
    const call = part.type === 'tool_call' ? written.calls++ : undefined
    const slot = this.#slotOf(part, choice, call ?? 0)
    return {
      choice,
      type: part.type,
      write: slot && this.#chunks.textWriter(choice, slot),
      start: written.length,
      separator: written.separatorFor(part.type),
      isEmpty: true,
      citations: [],
      call: this.#isLegacy ? undefined : call,
      isFunction: part.type === 'tool_call' && part.kind === 'function',
    }
  }

  #slotOf(part: PartHead, choice: number, call: number): TextSlot | undefined {
    switch (part.type) {
      case 'text':
      case 'refusal':
      case 'reasoning':
        return textSlots[part.type]
      case 'tool_call':
        return this.#isLegacy
          ? this.#openLegacy(part, choice, call)
          : this.#openCall(part, choice, call)
      default:
        return undefined
    }
  }

  #openCall({ id, name, kind }: CallHead, choice: number, index: number): TextSlot {
    const head = { index, id: safeToolId(id), type: kind }
    const input =
      kind === 'custom' ? { custom: { name, input: '' } } : { function: { name, arguments: '' } }
    this.#chunks.delta(choice, { tool_calls: [{ ...head, ...input }] })
    return callSlot(index, kind)
  }

  #openLegacy({ name }: CallHead, choice: number, call: number): TextSlot | undefined {
    if (call > 0) {
      dropCall(name, this.#context)
      return undefined
    }
    this.#chunks.delta(choice, { function_call: { name, arguments: '' } })
    return legacySlot
  }
}
