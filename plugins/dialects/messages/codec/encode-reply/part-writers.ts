import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { unownedSignature, writeSignature } from '../../../../../src/generate/signatures.ts'
import { safeToolId } from '../../../../../src/generate/call-ids.ts'
import { type BlockStream, PartWriter, emptyThinking } from './block-stream.ts'
import { dropArguments, dropMedium } from './reply-blocks.ts'
import { messagesId, requiresThinking, wrapForCall, wrapForText } from '../signatures.ts'
import { inputOf } from '../../../shared/blocks/tool-input.ts'

class TextWriter extends PartWriter {
  #isOpen = false

  protected override write(text: string): void {
    if (!this.#isOpen) this.blocks.open('{"type":"text","text":"","citations":null}')
    this.#isOpen = true
    this.blocks.addText(text)
  }

  override finish(): void {
    if (this.#isOpen) this.blocks.close()
    if (this.signature) this.writeCarrier(wrapForText(this.signature))
  }
}

class ThinkingWriter extends PartWriter {
  readonly #isRedacted: boolean
  #isOpen = false

  constructor(blocks: BlockStream, isRedacted: boolean) {
    super(blocks)
    this.#isRedacted = isRedacted
  }

  protected override write(text: string): void {
    if (!this.#isOpen) this.blocks.open(emptyThinking)
    this.#isOpen = true
    this.blocks.addThinking(text)
  }

  override finish(): void {
    const token = this.signature && writeSignature(this.signature, messagesId)
    if (!this.#isOpen) {
      if (token === undefined) return
      this.blocks.open(
        this.#isRedacted
          ? `{"type":"redacted_thinking","data":${JSON.stringify(token)}}`
          : emptyThinking,
      )
    }
    if (this.#isOpen || !this.#isRedacted) this.blocks.addSignature(token ?? unownedSignature)
    this.blocks.close()
  }
}

/** Writes a call. It writes complete arguments only, because some clients fail on invalid JSON. */
class CallWriter extends PartWriter {
  readonly #id: string
  readonly #name: string
  readonly #context: ReplyContext
  #arguments = ''

  constructor(blocks: BlockStream, id: string, name: string, context: ReplyContext) {
    super(blocks)
    this.#id = safeToolId(id)
    this.#name = name
    this.#context = context
  }

  protected override write(text: string): void {
    this.#arguments += text
  }

  override finish(): void {
    if (this.signature) this.writeCarrier(wrapForCall(this.signature, this.#id))
    if (!this.blocks.hasThinking && requiresThinking(this.#context)) {
      this.writeCarrier(unownedSignature)
    }
    const { input, isInvalid } = inputOf(this.#arguments)
    if (isInvalid) dropArguments(this.#context)
    const name = JSON.stringify(this.#name)
    this.blocks.open(`{"type":"tool_use","id":"${this.#id}","name":${name},"input":{}}`)
    this.blocks.addInput(isInvalid ? JSON.stringify(input) : this.#arguments.trim() || '{}')
    this.blocks.close()
  }
}

class DroppedWriter extends PartWriter {
  protected override write(): void {}

  override finish(): void {}
}

/** Returns the writer for a part. A message has only one choice: other choices are dropped. */
export function writerOf(
  part: PartHead,
  choice: number,
  blocks: BlockStream,
  context: ReplyContext,
): PartWriter {
  if (choice > 0) return new DroppedWriter(blocks)
  switch (part.type) {
    case 'text':
    case 'refusal':
      return new TextWriter(blocks)
    case 'reasoning':
      return new ThinkingWriter(blocks, part.form === 'redacted')
    case 'tool_call':
      return new CallWriter(blocks, part.id, part.name, context)
    case 'image':
    case 'audio':
      dropMedium(part.type, context)
      return new DroppedWriter(blocks)
  }
}
