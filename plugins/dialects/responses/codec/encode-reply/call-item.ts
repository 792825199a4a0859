import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Signature, ToolCallPart } from '../../../../../src/generate/content.ts'
import type { Frames } from './frames.ts'
import type { ToolName } from '../namespaces.ts'
import type { ItemStatus, OutputItem, PartWriter } from './output-item.ts'
import type { OutputPosition, OutputPositions } from './output-positions.ts'
import { signatureToken } from '../signed-parts.ts'

/** The item type, events and input member of the two kinds of calls. */
const kinds = {
  function: {
    prefix: 'fc_',
    type: 'function_call',
    events: 'response.function_call_arguments',
    field: 'arguments',
    empty: '{}',
  },
  custom: {
    prefix: 'ctc_',
    type: 'custom_tool_call',
    events: 'response.custom_tool_call_input',
    field: 'input',
    empty: '',
  },
} as const

/** Writes a tool call as an output item. */
export class CallItem implements OutputItem, PartWriter {
  readonly id: string
  readonly tokens: string[] = []
  readonly #frames: Frames
  readonly #positions: OutputPositions
  readonly #kind: (typeof kinds)[keyof typeof kinds]
  readonly #callId: string
  readonly #name: ToolName
  readonly #position: OutputPosition
  readonly #writeDelta: (text: string) => void
  #input = ''
  isOpen = true

  constructor(
    call: Pick<ToolCallPart, 'id' | 'kind'>,
    name: ToolName,
    frames: Frames,
    positions: OutputPositions,
  ) {
    this.#kind = kinds[call.kind]
    this.id = positions.newId(this.#kind.prefix)
    this.#callId = call.id
    this.#name = name
    this.#frames = frames
    this.#positions = positions
    this.#position = positions.ofItem(this)
    this.#writeDelta = frames.deltaWriter(`${this.#kind.events}.delta`, this.#position)
  }

  delta(text: string): void {
    this.#input += text
    this.#writeDelta(text)
  }

  cite(): void {}

  sign(signature: Signature): void {
    this.tokens.push(signatureToken(signature, this.#callId))
  }

  /** A function call without arguments gets `{}`, because clients parse the arguments as JSON. */
  end(): void {
    const { events, field, empty } = this.#kind
    if (this.#input === '' && empty !== '') this.delta(empty)
    this.isOpen = false
    const { name } = this.#name
    this.#frames.send(`${events}.done`, { ...this.#position, name, [field]: this.#input })
    this.#positions.partEnded(this)
  }

  json(status: ItemStatus): JsonObject {
    const { type, field } = this.#kind
    return {
      id: this.id,
      type,
      status,
      call_id: this.#callId,
      ...this.#name,
      [field]: this.#input,
    }
  }
}
