import type { ReasoningPart, Signature } from '../generate/content.ts'
import type { GenerateEvent, PartHead } from '../generate/events.ts'
import type { SignedCall } from '../contract/services.ts'

/** Only thoughts and calls are noted, never what is said. */
type NotedHead = Extract<PartHead, { type: 'reasoning' | 'tool_call' }>

interface Noted {
  readonly head: NotedHead
  readonly choice: number
  /** What was thought, or the arguments of a call. */
  text: string
  signature: Signature | undefined
}

/** Finds in a reply what was signed. */
export class SignatureCollector {
  readonly #noted = new Map<number, Noted>()

  push(event: GenerateEvent): void {
    switch (event.type) {
      case 'part':
        if (event.part.type === 'reasoning' || event.part.type === 'tool_call') {
          const { index, choice, part: head } = event
          this.#noted.set(index, { head, choice, text: '', signature: undefined })
        }
        break
      case 'delta': {
        const part = this.#noted.get(event.index)
        if (part) part.text += event.text
        break
      }
      case 'signature': {
        const part = this.#noted.get(event.index)
        if (part) part.signature = event.signature
      }
    }
  }

  /** The calls with something worth keeping. What was thought belongs to the next call. */
  get calls(): readonly SignedCall[] {
    const thoughts = new Map<number, ReasoningPart[]>()
    const calls: SignedCall[] = []
    for (const { head, choice, text, signature } of this.#noted.values()) {
      const signed = signature && { signature }
      const before = thoughts.get(choice) ?? []
      if (head.type === 'reasoning') {
        thoughts.set(choice, [...before, { ...head, text, ...signed }])
        continue
      }
      thoughts.delete(choice)
      const reasoning = before.some((thought) => thought.signature) ? before : []
      if (signature || reasoning.length > 0) {
        const { id, name } = head
        calls.push({ call: { id, name, arguments: text }, reasoning, ...signed })
      }
    }
    return calls
  }
}
