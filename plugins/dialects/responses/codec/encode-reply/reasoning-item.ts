import type { TextFrame } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ReasoningPart, Signature } from '../../../../../src/generate/content.ts'
import {
  unownedSignature,
  wrapSignature,
  writeSignature,
} from '../../../../../src/generate/signatures.ts'
import { type Frames, deltaFrame } from './frames.ts'
import { responsesId } from '../reasoning.ts'
import type { OutputItem, PartWriter } from './output-item.ts'
import type { OutputPosition, OutputPositions } from './output-positions.ts'

/** How the two forms of reasoning are told. */
const forms = {
  summary: {
    opened: 'response.reasoning_summary_part.added',
    more: 'response.reasoning_summary_text.delta',
    whole: 'response.reasoning_summary_text.done',
    closed: 'response.reasoning_summary_part.done',
    position: { summary_index: 0 },
    piece: 'summary_text',
  },
  raw: {
    opened: 'response.content_part.added',
    more: 'response.reasoning_text.delta',
    whole: 'response.reasoning_text.done',
    closed: 'response.content_part.done',
    position: { content_index: 0 },
    piece: 'reasoning_text',
  },
} as const

/** Writes what the model thought as an item of its own, once there is anything to show of it. */
export class ReasoningItem implements OutputItem, PartWriter {
  readonly id: string
  readonly tokens = []
  readonly #frames: Frames
  readonly #places: OutputPositions
  readonly #form: (typeof forms)[keyof typeof forms]
  #place: OutputPosition | undefined
  #frame: TextFrame | undefined
  #text = ''
  #sealed: string | undefined
  isOpen = true

  constructor(form: ReasoningPart['form'], frames: Frames, places: OutputPositions) {
    this.id = places.newId('rs_')
    this.#frames = frames
    this.#places = places
    this.#form = form === 'summary' ? forms.summary : forms.raw
  }

  delta(text: string): void {
    const frame = (this.#frame ??= this.#beginText())
    this.#text += text
    this.#frames.delta(frame, text)
  }

  cite(): void {}

  sign(signature: Signature): void {
    this.#place ??= this.#places.ofItem(this)
    const { id = this.id, account } = signature
    // Its provider wants it back with the id that it gave, and nobody else may have it.
    const saysMore = id !== this.id || account !== undefined
    this.#sealed = saysMore ? wrapSignature(signature) : writeSignature(signature, responsesId)
  }

  end(): void {
    this.isOpen = false
    if (this.#frame !== undefined) this.#endText()
    if (this.#place) this.#places.ended(this)
  }

  json(): JsonObject {
    const pieces = this.#text === '' ? [] : [this.#piece(this.#text)]
    const isSummary = this.#form === forms.summary
    const sealed = this.#sealed ?? (this.isOpen ? undefined : unownedSignature)
    return {
      id: this.id,
      type: 'reasoning',
      summary: isSummary ? pieces : [],
      ...(!isSummary && pieces.length > 0 && { content: pieces }),
      ...(sealed !== undefined && { encrypted_content: sealed }),
    }
  }

  #beginText(): TextFrame {
    const { opened, more, position } = this.#form
    const place = (this.#place ??= this.#places.ofItem(this))
    this.#frames.send(opened, { ...place, ...position, part: this.#piece('') })
    return deltaFrame(more, { ...place, ...position })
  }

  #endText(): void {
    const { whole, closed, position } = this.#form
    const place = { ...this.#place, ...position }
    this.#frames.send(whole, { ...place, text: this.#text })
    this.#frames.send(closed, { ...place, part: this.#piece(this.#text) })
  }

  #piece(text: string): JsonObject {
    return { type: this.#form.piece, text }
  }
}
