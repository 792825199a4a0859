import type {
  AssistantPart,
  ReasoningPart,
  Signature,
  TextPart,
  ToolCallPart,
} from '../../../../../src/generate/content.ts'
import type { GatewayError } from '../../../../../src/contract/errors.ts'
import { wrong } from '../../../../../src/kit/checks.ts'
import { PartialCall } from '../partial-call.ts'
import { type PartSignature, readPartSignature } from '../signatures.ts'
import { type CallPiece, readPiece } from './call-piece.ts'
import { readFile, readInline } from './decode-media.ts'
import type { RequestNotes } from './notes.ts'
import type { OpenCalls } from './open-calls.ts'
import { callRules } from './part-rules.ts'
import type { RequestObject } from './request-object.ts'

/** A call without its end. */
interface OpenPiece {
  /** The index of its part. */
  readonly part: number
  readonly call: PartialCall
}

/**
 * An earlier answer of the model, collected from contents. A chat of the official SDK sends a streamed
 * answer back in its chunks: adjacent texts become one part again, up to a signed one.
 */
export class AssistantDraft {
  readonly role = 'assistant'
  readonly content: AssistantPart[] = []
  readonly #open: OpenPiece[] = []
  #hasCalls = false

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

  /** Adds a call, whose arguments follow. */
  begin(part: ToolCallPart): void {
    this.#hasCalls = true
    this.#open.push({ part: this.content.length, call: new PartialCall() })
    this.content.push(part)
  }

  /**
   * Adds a piece to the last call without its end. Returns false if no such call is open; a piece
   * without content may follow a call that was complete already.
   */
  add(piece: CallPiece, signature: Signature | undefined, unreadable: () => GatewayError): boolean {
    const open = this.#open.at(-1)
    if (!open) return piece.isEmpty && this.#hasCalls
    open.call.add(piece, unreadable)
    const begun = this.content[open.part] as ToolCallPart
    if (signature && !begun.signature) this.content[open.part] = { ...begun, signature }
    if (!piece.continues) this.#close(this.#open.pop()!)
    return true
  }

  /** Completes the calls whose end is missing. */
  close(): void {
    for (const open of this.#open.splice(0)) this.#close(open)
  }

  #close({ part, call }: OpenPiece): void {
    const begun = this.content[part] as ToolCallPart
    this.content[part] = { ...begun, arguments: call.arguments }
  }
}

/** Reads a part of an earlier answer into `draft`. `turn` is the index of its turn. */
export function readModelPart(
  part: RequestObject,
  draft: AssistantDraft,
  calls: OpenCalls,
  notes: RequestNotes,
  turn: number,
): void {
  const signed = readPartSignature(part.text('thoughtSignature'))
  const text = part.text('text')
  if (text !== undefined && part.boolean('thought') === true) {
    readThought(part, text, signed, draft, notes)
    return
  }
  const signature = readSignature(part, signed, draft, notes)
  const call = part.object('functionCall')
  if (text !== undefined) draft.text(text, signature)
  else if (call) {
    readCall(call, draft, calls, notes, { turn, signature })
  } else readMedium(part, draft, notes)
}

function readThought(
  part: RequestObject,
  text: string,
  signed: PartSignature | undefined,
  draft: AssistantDraft,
  notes: RequestNotes,
): void {
  notes.uses('reasoning_history', part.pathOf('thought'))
  if (!signed) return draft.reasoning(text)
  const form = signed.form ?? 'summary'
  draft.reasoning(text, { signature: signed.signature, form })
}

/**
 * Returns the part's own signature. A signature of reasoning of another dialect may be on the part after
 * the reasoning: it becomes a reasoning part.
 */
function readSignature(
  part: RequestObject,
  signed: PartSignature | undefined,
  draft: AssistantDraft,
  notes: RequestNotes,
) {
  if (signed?.form === undefined) return signed?.signature
  notes.uses('reasoning_history', part.pathOf('thoughtSignature'))
  draft.reasoning('', { signature: signed.signature, form: signed.form })
  return undefined
}

/** Reads a call, or a piece of one: chats of the official SDK send the pieces of a stream back. */
function readCall(
  call: RequestObject,
  draft: AssistantDraft,
  calls: OpenCalls,
  notes: RequestNotes,
  { turn, signature }: { turn: number; signature: Signature | undefined },
): void {
  notes.noteOthers(call, callRules)
  const name = call.text('name')
  const piece = readPiece(call)
  const unreadable = () => wrong(call.pathOf('partialArgs'), 'a list of values with JSON Paths')
  if (name === undefined || name === '') {
    if (!draft.add(piece, signature, unreadable))
      throw wrong(call.pathOf('name'), 'a non-empty string')
    return
  }
  const id = calls.add(call.text('id'), name, turn)
  draft.begin({ type: 'tool_call', id, name, kind: 'function', arguments: '' })
  draft.add(piece, signature, unreadable)
}

function readMedium(part: RequestObject, draft: AssistantDraft, notes: RequestNotes): void {
  if (part.has('functionResponse')) throw wrong(part.path, 'in a content with the role `user`')
  const inline = part.object('inlineData')
  const file = part.object('fileData')
  const media = inline ? readInline(inline, notes) : file && readFile(file, notes)
  if (media?.type === 'image' || media?.type === 'audio') draft.other(media)
  else if (media) notes.noteLoss(part.path, ['warn', 'other dialects have no files in answers'])
}
