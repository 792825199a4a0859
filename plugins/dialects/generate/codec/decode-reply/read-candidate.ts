import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { PartHead } from '../../../../../src/generate/events.ts'
import { toolIdOf } from '../../../../../src/generate/call-ids.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { type ReplyParts, TextsReader } from './read-texts.ts'
import { readPartSignature } from '../signatures.ts'
import { isMalformed, readStop } from '../stop.ts'

/** Reads one candidate of a reply, chunk by chunk. */
export class CandidateReader {
  readonly #choice: number
  readonly #reply: ReplyParts
  readonly #texts: TextsReader
  readonly #callIds = new Set<string>()
  #hasMedia = false
  /** A piece of it came without a reason, so that the one with a reason is the last. */
  hasGoneOn = false
  finishReason: string | undefined
  finishMessage: string | undefined

  constructor(choice: number, reply: ReplyParts) {
    this.#choice = choice
    this.#reply = reply
    this.#texts = new TextsReader(choice, reply)
  }

  get isFinished(): boolean {
    return this.finishReason !== undefined
  }

  /** Whether there is something to show. */
  get hasContent(): boolean {
    return this.#texts.hasSaid || this.#callIds.size > 0 || this.#hasMedia
  }

  /** The model failed at its own form and left nothing that could be used. */
  get isUseless(): boolean {
    return !this.hasContent && isMalformed(this.finishReason)
  }

  push(candidate: JsonObject): void {
    this.#texts.note(candidate)
    const parts: unknown = objectAt(candidate, 'content')?.parts
    if (Array.isArray(parts)) {
      for (const part of parts as unknown[]) {
        if (typeof part === 'object' && part !== null) this.#read(part as JsonObject)
      }
    }
    const reason = stringAt(candidate, 'finishReason')
    if (!reason && (this.hasContent || this.#texts.hasBegun)) this.hasGoneOn = true
    this.finishReason = reason || this.finishReason
    this.finishMessage = stringAt(candidate, 'finishMessage') ?? this.finishMessage
  }

  /** The last piece again, which had this text and nothing else. */
  again(text: string): void {
    this.#texts.again(text)
    this.hasGoneOn = true
  }

  /** Ends what is open. `blocked` tells why, where the candidate itself does not. */
  end(blocked: string | undefined): void {
    this.#texts.close()
    const stop =
      blocked !== undefined && !this.isFinished
        ? ({ reason: 'filtered', raw: blocked } as const)
        : readStop(this.finishReason, this.#callIds.size > 0)
    this.#reply.emit({ type: 'stop', choice: this.#choice, stop })
  }

  #read(part: JsonObject): void {
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
      throw new GatewayError('upstream_invalid_reply', 'The upstream calls a nameless tool.')
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

  /** Most calls have no id: the same reply gives the same ones whenever it is read. */
  #callId(given: string | undefined): string {
    const { origin, turns } = this.#reply
    const isFree = given !== undefined && given !== '' && !this.#callIds.has(given)
    const id = isFree ? given : toolIdOf(origin, turns, this.#choice, this.#callIds.size)
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

/** Some accounts send the arguments as text. */
function argumentsText(args: unknown): string {
  if (typeof args === 'string') return args.trim() === '' ? '{}' : args
  checkArguments(args)
  return JSON.stringify(args ?? {})
}
