import type { ReasoningPart, Signature } from '../generate/content.ts'
import type { GenerateEvent, PartHead } from '../generate/events.ts'
import type { SignedCall } from '../contract/services.ts'

/** The parts that can be signed: reasoning and tool calls. */
type SignableHead = Extract<PartHead, { type: 'reasoning' | 'tool_call' }>

interface SignablePart {
  readonly head: SignableHead
  readonly choice: number
  /** The text of the reasoning, or the arguments of the call. */
  text: string
  signature: Signature | undefined
}

/** Collects the signatures of a reply, with the parts that they belong to. */
export class SignatureCollector {
  /** By the index of the part. */
  readonly #parts = new Map<number, SignablePart>()

  push(event: GenerateEvent): void {
    switch (event.type) {
      case 'part':
        if (event.part.type === 'reasoning' || event.part.type === 'tool_call') {
          const { index, choice, part: head } = event
          this.#parts.set(index, { head, choice, text: '', signature: undefined })
        }
        break
      case 'delta': {
        const part = this.#parts.get(event.index)
        if (part) part.text += event.text
        break
      }
      case 'signature': {
        const part = this.#parts.get(event.index)
        if (part) part.signature = event.signature
      }
    }
  }

  /** The tool calls with a signature, or with signed reasoning before them. */
  get calls(): readonly SignedCall[] {
    const reasoningOf = new Map<number, ReasoningPart[]>()
    const calls: SignedCall[] = []
    for (const { head, choice, text, signature } of this.#parts.values()) {
      const signed = signature && { signature }
      const before = reasoningOf.get(choice) ?? []
      if (head.type === 'reasoning') {
        before.push({ ...head, text, ...signed })
        reasoningOf.set(choice, before)
        continue
      }
      reasoningOf.delete(choice)
      const reasoning = before.some((part) => part.signature) ? before : []
      if (signature || reasoning.length > 0) {
        const { id, name } = head
        calls.push({ call: { id, name, arguments: text }, reasoning, ...signed })
      }
    }
    return calls
  }
}
