import type {
  AssistantPart,
  ReasoningPart,
  Signature,
  TextPart,
} from '../../../../src/generate/content.ts'

/**
 * What the model said before, gathered from contents. A chat of the official SDK sends a streamed
 * answer back in the pieces in which it came: neighbours are one part again, until one is signed.
 */
export class AssistantDraft {
  readonly role = 'assistant'
  readonly content: AssistantPart[] = []

  text(text: string, signature: Signature | undefined): void {
    const last = this.content.at(-1)
    if (last?.type === 'text' && !last.signature) this.content.pop()
    const before = last?.type === 'text' && !last.signature ? last.text : ''
    if (before + text === '' && !signature) return
    const part: TextPart = { type: 'text', text: before + text }
    this.content.push(signature ? { ...part, signature } : part)
  }

  reasoning(text: string, signed?: { signature: Signature; form: ReasoningPart['form'] }): void {
    const last = this.content.at(-1)
    const isOpen = last?.type === 'reasoning' && !last.signature
    if (isOpen) this.content.pop()
    const whole = (isOpen ? last.text : '') + text
    if (whole === '' && !signed) return
    const form = signed?.form ?? 'summary'
    const part: ReasoningPart = { type: 'reasoning', text: whole, form }
    this.content.push(signed ? { ...part, signature: signed.signature } : part)
  }

  other(part: AssistantPart): void {
    this.content.push(part)
  }
}
