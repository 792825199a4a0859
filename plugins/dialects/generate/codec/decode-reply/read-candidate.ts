import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { toolIdOf } from '../../../../../src/generate/call-ids.ts'
import { canonicalType } from '../../../../../src/lib/media-type.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { CallsReader } from './read-calls.ts'
import { type ReplyState, TextsReader } from './read-texts.ts'
import { isUnusableEnd, readStop } from '../stop.ts'
import { TextSet } from '../../../../../src/lib/text-map.ts'

/** Reads one candidate of a reply, chunk by chunk. */
export class CandidateReader {
  readonly #choice: number
  readonly #reply: ReplyState
  readonly #texts: TextsReader
  readonly #calls: CallsReader
  readonly #callIds = new TextSet()
  #hasMedia = false
  /** Whether a chunk of it had no finish reason, so that the chunk with a reason is the last one. */
  hasContinued = false
  finishReason: string | undefined
  finishMessage: string | undefined

  constructor(choice: number, reply: ReplyState) {
    this.#choice = choice
    this.#reply = reply
    this.#texts = new TextsReader(choice, reply)
    this.#calls = new CallsReader(reply.emit, (name, id) => this.#beginCall(name, id))
  }

  get isFinished(): boolean {
    return this.finishReason !== undefined
  }

  /** Whether the candidate has text, calls or media. */
  get hasContent(): boolean {
    return this.#texts.hasText || this.#callIds.size > 0 || this.#hasMedia
  }

  /** Whether the model has ended without a usable answer. */
  get isUnusable(): boolean {
    return !this.hasContent && isUnusableEnd(this.finishReason)
  }

  /** Whether it ends as a success although a call lacks its end. The limit of tokens may cut a call. */
  get isCut(): boolean {
    return this.#calls.isCut && readStop(this.finishReason, true).reason === 'tool_calls'
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

  /** Ends the open part and emits the stop. `blocked` replaces a missing finish reason, and one without content. */
  end(blocked: string | undefined): void {
    this.#texts.close()
    this.#calls.close()
    const stop =
      blocked !== undefined && (!this.isFinished || this.isUnusable)
        ? ({ reason: 'filtered', raw: blocked } as const)
        : readStop(this.finishReason, this.#callIds.size > 0)
    this.#reply.emit({ type: 'stop', choice: this.#choice, stop })
  }

  #readPart(part: JsonObject): void {
    const { text } = part
    if (typeof text === 'string') return this.#texts.read(part, text)
    const call = objectAt(part, 'functionCall')
    if (call) return this.#calls.read(call, part)
    const inline = objectAt(part, 'inlineData')
    if (inline) this.#readMedium(inline)
  }

  #beginCall(name: string, upstreamId: string | undefined): number {
    const id = this.#callId(upstreamId)
    const kind = 'function'
    return this.#begin({ type: 'tool_call', kind, id, name: this.#reply.names.fromAccount(name) })
  }

  /** Returns the id of a call. Most calls lack an id, which is then derived from the reply. */
  #callId(upstreamId = ''): string {
    const { origin, turns } = this.#reply
    const isFree = upstreamId !== '' && !this.#callIds.has(upstreamId)
    const id = isFree ? upstreamId : toolIdOf(origin, turns, this.#choice, this.#callIds.size)
    this.#callIds.add(id)
    return id
  }

  #readMedium(inline: JsonObject): void {
    const mediaType = canonicalType(stringAt(inline, 'mimeType') ?? '')
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
