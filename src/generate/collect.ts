import { append } from '../lib/append.ts'
import type { AssistantPart, Citation, Signature, TokenLogprob } from './content.ts'
import type { GenerateEvent, PartHead } from './events.ts'
import type { Choice, GenerateResult, Stop } from './result.ts'

interface OpenPart {
  readonly choice: number
  readonly head: PartHead
  text: string
  signature?: Signature
  readonly citations: Citation[]
  readonly logprobs: TokenLogprob[]
}

/** Collects the events of a stream into a complete reply. */
export class Collector {
  readonly #parts: OpenPart[] = []
  readonly #stops: Stop[] = []
  #start: Pick<GenerateResult, 'id' | 'model' | 'serviceTier'> = {}
  #result: GenerateResult | undefined

  /** The complete reply; `undefined` before `finish`, and after `error`. */
  get result(): GenerateResult | undefined {
    return this.#result
  }

  /** Adds the next event. */
  collect(event: GenerateEvent): void {
    switch (event.type) {
      case 'start': {
        const { type: _, ...start } = event
        this.#start = start
        break
      }
      case 'part': {
        const { index, choice, part: head } = event
        this.#parts[index] = { choice, head, text: '', citations: [], logprobs: [] }
        break
      }
      case 'delta':
        this.#append(this.#part(event.index), event.text, event.logprobs)
        break
      case 'signature':
        this.#part(event.index).signature = event.signature
        break
      case 'citation':
        this.#part(event.index).citations.push(event.citation)
        break
      case 'stop':
        this.#stops[event.choice] = event.stop
        break
      case 'finish':
        this.#result = { ...this.#start, choices: this.#choices(), usage: event.usage }
    }
  }

  #append(part: OpenPart, text: string, logprobs: readonly TokenLogprob[] = []): void {
    part.text += text
    append(part.logprobs, logprobs)
  }

  #part(index: number): OpenPart {
    const part = this.#parts[index]
    if (!part) throw new Error(`Part ${index} has not begun.`)
    return part
  }

  #choices(): Choice[] {
    const partsOf = Map.groupBy(Object.values(this.#parts), (part) => part.choice)
    return this.#stops.map((stop, choice) => ({
      content: (partsOf.get(choice) ?? []).map(closePart),
      stop,
    }))
  }
}

function closePart({ head, text, signature, citations, logprobs }: OpenPart): AssistantPart {
  const signed = signature && { signature }
  switch (head.type) {
    case 'text':
      return {
        type: 'text',
        text,
        ...(citations.length > 0 && { citations }),
        ...(logprobs.length > 0 && { logprobs }),
        ...signed,
      }
    case 'refusal':
      return { type: 'refusal', text }
    case 'reasoning':
      return { ...head, text, ...signed }
    case 'tool_call':
      return { ...head, arguments: text, ...signed }
    case 'image':
    case 'audio':
      return {
        type: head.type,
        mediaType: head.mediaType,
        source: { kind: 'data', base64: head.base64 },
      }
  }
}
