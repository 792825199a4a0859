import type { EventEncoder, ReplyContext } from '../../../../src/codec.ts'
import type { GatewayError } from '../../../../src/errors.ts'
import type { ErrorEvent, GenerateEvent } from '../../../../src/generate/events.ts'
import type { GenerateUsage } from '../../../../src/generate/result.ts'
import { generateError } from '../errors.ts'
import { type Framing, framingFor } from './framing.ts'
import { ChoiceWriter } from './write-choice.ts'
import { OpenPart } from './open-part.ts'
import { writeUsage } from './usage.ts'

/**
 * Writes a stream of chunks. Each holds whole parts: text as it comes, a call once it is complete.
 * The last chunk holds what is known of the end: reasons, sources, usage.
 */
export class ChunkEncoder implements EventEncoder {
  readonly id: string
  readonly items: string[] = []
  readonly contentType: string
  readonly #context: ReplyContext
  readonly #framing: Framing
  readonly #write: (frames: string) => void
  /** How every chunk ends. */
  readonly #tail: string
  readonly #parts: OpenPart[] = []
  readonly #choices: ChoiceWriter[] = []

  constructor(context: ReplyContext, write: (frames: string) => void) {
    this.id = context.newId('')
    this.#context = context
    this.#framing = framingFor(context.asked)
    this.contentType = this.#framing.contentType
    this.#write = write
    const { model } = context
    this.#tail = `,"modelVersion":${JSON.stringify(model)},"responseId":${JSON.stringify(this.id)}}`
  }

  push(event: Exclude<GenerateEvent, ErrorEvent>): void {
    switch (event.type) {
      case 'start':
        return
      case 'part': {
        const choice = this.#choice(event.choice)
        const part = new OpenPart(event.part, choice, this.#context)
        this.#parts[event.index] = part
        if (event.part.type === 'tool_call') this.items.push(event.part.id)
        return choice.begin(part)
      }
      case 'delta':
        return this.#part(event.index).append(event.text, event.logprobs)
      case 'signature':
        return this.#part(event.index).sign(event.signature)
      case 'citation':
        return this.#part(event.index).cite(event.citation)
      case 'end':
        return this.#part(event.index).end()
      case 'stop':
        return this.#choice(event.choice).stop(event.stop)
      case 'finish':
        return this.#finish(event.usage)
    }
  }

  /** The oldest SDK takes an error for an empty chunk, so the connection is reset after it. */
  fail(error: GatewayError): 'reset' {
    this.#write(this.#framing.frame(JSON.stringify(generateError(error).body)))
    return 'reset'
  }

  keepAlive(): string {
    return this.#framing.keepAlive
  }

  #part(index: number): OpenPart {
    const part = this.#parts[index]
    if (!part) throw new Error(`Part ${index} has not begun.`)
    return part
  }

  #choice(choice: number): ChoiceWriter {
    return (this.#choices[choice] ??= new ChoiceWriter(choice, (candidate) =>
      this.#write(this.#framing.frame(`{"candidates":[${candidate}]${this.#tail}`)),
    ))
  }

  #finish(usage: GenerateUsage): void {
    const candidates = this.#choices.map((choice) => JSON.stringify(choice.ending)).join(',')
    const known = writeUsage(usage)
    const metadata = known ? `,"usageMetadata":${JSON.stringify(known)}` : ''
    const chunk = `{"candidates":[${candidates}]${metadata}${this.#tail}`
    this.#write(this.#framing.frame(chunk) + this.#framing.close())
  }
}
