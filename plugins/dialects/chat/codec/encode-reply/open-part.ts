import type { Citation } from '../../../../../src/generate/content.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { annotationOf } from '../citations.ts'

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

/** The JSON before and after the text within a delta. */
export interface TextSlot {
  readonly before: string
  readonly after: string
}

/** The slots of text deltas, from the delta's first brace to its last. */
export const textSlots = {
  text: { before: '{"content":', after: '}' },
  refusal: { before: '{"refusal":', after: '}' },
  reasoning: { before: '{"reasoning_content":', after: '}' },
} as const satisfies Record<string, TextSlot>

/** The slot for the arguments of a legacy `function_call`. */
export const legacySlot: TextSlot = { before: '{"function_call":{"arguments":', after: '}}' }

/** Returns the slot for the input of the tool call with this index. */
export function callSlot(call: number, kind: 'function' | 'custom'): TextSlot {
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
