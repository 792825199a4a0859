import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { PartEvent, PartHead } from '../../../../../src/generate/events.ts'
import { safeToolId } from '../../../../../src/generate/call-ids.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { usesFunctions, dropCall, dropMedia } from './encode-message.ts'
import {
  type TextSlot,
  type OpenPart,
  type WrittenChoice,
  callSlot,
  legacySlot,
  textSlots,
} from './open-part.ts'

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
