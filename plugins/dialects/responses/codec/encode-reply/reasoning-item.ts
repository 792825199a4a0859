import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ReasoningPart, Signature } from '../../../../../src/generate/content.ts'
import {
  unownedSignature,
  wrapSignature,
  writeSignature,
} from '../../../../../src/generate/signatures.ts'
import type { Frames } from './frames.ts'
import { responsesId } from '../reasoning.ts'
import type { OutputItem, PartWriter } from './output-item.ts'
import type { OutputPosition, OutputPositions } from './output-positions.ts'

/** The events and content part types of the two forms of reasoning. */
const forms = {
  summary: {
    added: 'response.reasoning_summary_part.added',
    delta: 'response.reasoning_summary_text.delta',
    done: 'response.reasoning_summary_text.done',
    partDone: 'response.reasoning_summary_part.done',
    partIndex: { summary_index: 0 },
    partType: 'summary_text',
  },
  raw: {
    added: 'response.content_part.added',
    delta: 'response.reasoning_text.delta',
    done: 'response.reasoning_text.done',
    partDone: 'response.content_part.done',
    partIndex: { content_index: 0 },
    partType: 'reasoning_text',
  },
} as const

/** Writes reasoning as an output item, which begins with its first text or signature. */
export class ReasoningItem implements OutputItem, PartWriter {
  readonly id: string
  readonly tokens = []
  readonly #frames: Frames
  readonly #positions: OutputPositions
  readonly #form: (typeof forms)[keyof typeof forms]
  #position: OutputPosition | undefined
  #writeDelta: ((text: string) => void) | undefined
  #text = ''
  #token: string | undefined
  isOpen = true

  constructor(form: ReasoningPart['form'], frames: Frames, positions: OutputPositions) {
    this.id = positions.newId('rs_')
    this.#frames = frames
    this.#positions = positions
    this.#form = form === 'summary' ? forms.summary : forms.raw
  }

  delta(text: string): void {
    const writeDelta = (this.#writeDelta ??= this.#beginText())
    this.#text += text
    writeDelta(text)
  }

  cite(): void {}

  sign(signature: Signature): void {
    this.#position ??= this.#positions.ofItem(this)
    const { id = this.id, account } = signature
    // The original account needs its own item id back, and no other account may get the signature.
    const needsWrapping = id !== this.id || account !== undefined
    this.#token = needsWrapping ? wrapSignature(signature) : writeSignature(signature, responsesId)
  }

  end(): void {
    this.isOpen = false
    if (this.#writeDelta) this.#endText()
    if (this.#position) this.#positions.partEnded(this)
  }

  json(): JsonObject {
    const content = this.#text === '' ? [] : [this.#contentPart(this.#text)]
    const isSummary = this.#form === forms.summary
    const token = this.#token ?? (this.isOpen ? undefined : unownedSignature)
    return {
      id: this.id,
      type: 'reasoning',
      summary: isSummary ? content : [],
      ...(!isSummary && content.length > 0 && { content }),
      ...(token !== undefined && { encrypted_content: token }),
    }
  }

  #beginText(): (text: string) => void {
    const { added, delta, partIndex } = this.#form
    const position = (this.#position ??= this.#positions.ofItem(this))
    this.#frames.send(added, { ...position, ...partIndex, part: this.#contentPart('') })
    return this.#frames.deltaWriter(delta, { ...position, ...partIndex })
  }

  #endText(): void {
    const { done, partDone, partIndex } = this.#form
    const position = { ...this.#position, ...partIndex }
    this.#frames.send(done, { ...position, text: this.#text })
    this.#frames.send(partDone, { ...position, part: this.#contentPart(this.#text) })
  }

  #contentPart(text: string): JsonObject {
    return { type: this.#form.partType, text }
  }
}
