import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { toolIdOf } from '../../../../../src/generate/call-ids.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { type ReplyState, TextsReader } from './read-texts.ts'
import { readPartSignature } from '../signatures.ts'
import { isMalformed, readStop } from '../stop.ts'

/** Reads one candidate of a reply, chunk by chunk. */
export class CandidateReader {
  readonly #choice: number
  readonly #reply: ReplyState
  readonly #texts: TextsReader
  readonly #callIds = new Set<string>()
  #hasMedia = false
  /** Whether a chunk of it had no finish reason, so that the chunk with a reason is the last one. */
  hasContinued = false
  finishReason: string | undefined
  finishMessage: string | undefined

  constructor(choice: number, reply: ReplyState) {
    this.#choice = choice
    this.#reply = reply
    this.#texts = new TextsReader(choice, reply)
  }

  get isFinished(): boolean {
    return this.finishReason !== undefined
  }

  /** Whether the candidate has text, calls or media. */
  get hasContent(): boolean {
    return this.#texts.hasText || this.#callIds.size > 0 || this.#hasMedia
  }

  /** Whether the model produced malformed output and no usable content. */
  get isUnusable(): boolean {
    return !this.hasContent && isMalformed(this.finishReason)
  }

  /** Reads a chunk of the candidate. */
  read(candidate: JsonObject): void {
    this.#texts.noteMetadata(candidate)
    const parts: unknown = objectAt(candidate, 'content')?.parts
    if (Array.isArray(parts)) {
      for (const part of parts as unknown[]) {
        if (typeof part === 'object' && part !== null) this.#readPart(part as JsonObject)
      }
    }
    const reason = stringAt(candidate, 'finishReason')
    if (!reason && (this.hasContent || this.#texts.hasBegun)) this.hasContinued = true
    this.finishReason = reason || this.finishReason
    this.finishMessage = stringAt(candidate, 'finishMessage') ?? this.finishMessage
  }

  /** Reads the last chunk again, with this text. */
  repeat(text: string): void {
    this.#texts.repeat(text)
    this.hasContinued = true
  }

  /** Ends the open part and emits the stop. `blocked` is the reason if the candidate has none. */
  end(blocked: string | undefined): void {
    this.#texts.close()
    const stop =
      blocked !== undefined && !this.isFinished
        ? ({ reason: 'filtered', raw: blocked } as const)
        : readStop(this.finishReason, this.#callIds.size > 0)
    this.#reply.emit({ type: 'stop', choice: this.#choice, stop })
  }

  #readPart(part: JsonObject): void {
    const { text } = part
    if (typeof text === 'string') return this.#texts.read(part, text)
    const call = objectAt(part, 'functionCall')
    if (call) return this.#readCall(call, part)
    const inline = objectAt(part, 'inlineData')
    if (inline) this.#readMedium(inline)
  }

  #readCall(call: JsonObject, part: JsonObject): void {
    const name = stringAt(call, 'name')
    if (!name) {
      throw new GatewayError(
        'upstream_invalid_reply',
        'The upstream sent a function call without a name.',
      )
    }
    const { emit, names } = this.#reply
    const id = this.#callId(stringAt(call, 'id'))
    const head = { type: 'tool_call', kind: 'function', id, name: names.fromAccount(name) } as const
    const index = this.#begin(head)
    emit({ type: 'delta', index, text: argumentsText(call.args) })
    const signed = readPartSignature(stringAt(part, 'thoughtSignature'))
    if (signed) emit({ type: 'signature', index, signature: signed.signature })
    emit({ type: 'end', index })
  }

  /** Returns the id of a call. Most calls have none: it is then derived from the reply. */
  #callId(upstreamId = ''): string {
    const { origin, turns } = this.#reply
    const isFree = upstreamId !== '' && !this.#callIds.has(upstreamId)
    const id = isFree ? upstreamId : toolIdOf(origin, turns, this.#choice, this.#callIds.size)
    this.#callIds.add(id)
    return id
  }

  #readMedium(inline: JsonObject): void {
    const mediaType = stringAt(inline, 'mimeType') ?? ''
    const type = /^(image|audio)\//.exec(mediaType)?.[1] as 'image' | 'audio' | undefined
    const base64 = stringAt(inline, 'data')
    if (!type || base64 === undefined) return
    this.#hasMedia = true
    const index = this.#begin({ type, mediaType, base64 })
    this.#reply.emit({ type: 'end', index })
  }

  #begin(part: PartHead): number {
    this.#texts.close()
    const index = this.#reply.next++
    this.#reply.emit({ type: 'part', index, choice: this.#choice, part })
    return index
  }
}

/** Returns arguments as JSON text. Some accounts send them as text. */
function argumentsText(args: unknown): string {
  if (typeof args === 'string') return args.trim() === '' ? '{}' : args
  checkArguments(args)
  return JSON.stringify(args ?? {})
}
