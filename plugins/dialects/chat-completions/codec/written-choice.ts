import type { PartHead } from '../../../../src/generate/events.ts'
import { annotationOf } from './citations.ts'
import type { OpenPart } from './open-part.ts'

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
