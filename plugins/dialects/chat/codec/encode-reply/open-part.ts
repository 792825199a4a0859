import type { TextFrame } from '../../../../../src/contract/codec.ts'
import type { Citation } from '../../../../../src/generate/content.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { annotationOf } from '../citations.ts'

/** A part of a stream that a client reads, as long as it is open. */
export interface OpenPart {
  readonly choice: number
  readonly type: PartHead['type']
  /** What stands around the text of a delta; `undefined` where nothing of it is written. */
  readonly frame: TextFrame | undefined
  /** Where the content stood when it began. */
  readonly start: number
  /** What sets its text apart from what was written before. */
  separator: string
  isEmpty: boolean
  readonly citations: Citation[]
  /** The number of a call in the message, where calls have numbers. */
  readonly call: number | undefined
  /** Whether its text is the arguments of a function, which clients parse. */
  readonly isFunction: boolean
}

/** What stands before a text and after it, within a delta. */
export interface Around {
  readonly before: string
  readonly after: string
}

/** Where a delta has its text, from its first brace to its last. */
export const textSlots = {
  text: { before: '{"content":', after: '}' },
  refusal: { before: '{"refusal":', after: '}' },
  reasoning: { before: '{"reasoning_content":', after: '}' },
} as const satisfies Record<string, Around>

export const legacySlot: Around = { before: '{"function_call":{"arguments":', after: '}}' }

export function callSlot(call: number, kind: 'function' | 'custom'): Around {
  const field = kind === 'custom' ? 'input' : 'arguments'
  return { before: `{"tool_calls":[{"index":${call},"${kind}":{"${field}":`, after: '}}]}' }
}

/** What has been written of one choice, as far as later frames depend on it. */
export class WrittenChoice {
  hasRefusal = false
  calls = 0
  /** Of its content. */
  length = 0
  #hasReasoning = false
  #annotations: object[] = []

  /** What the text of a part that begins is set apart with from what is there. */
  separatorFor(type: PartHead['type']): string {
    return type === 'reasoning' && this.#hasReasoning ? '\n\n' : ''
  }

  /** The annotations that have not been written. Clients keep those of the last chunk only. */
  takeAnnotations(): object[] {
    const annotations = this.#annotations
    this.#annotations = []
    return annotations
  }

  /** A part has ended. */
  note({ type, start, isEmpty, citations }: OpenPart): void {
    if (type === 'reasoning' && !isEmpty) this.#hasReasoning = true
    if (type === 'refusal') this.hasRefusal = true
    for (const citation of citations) {
      this.#annotations.push(annotationOf(citation, start, this.length))
    }
  }
}
