import type { IncomingHttpHeaders } from 'undici/types/header.js'

import { GatewayError, type UpstreamAnswer } from '../contract/errors.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import { freeBytes } from '../contract/memory.ts'
import { leaseOf } from '../exchange/record.ts'
import { containsKey, redact, redactKey } from '../kit/secrets/redact.ts'
import { ByteList } from '../lib/byte-list.ts'
import { type JsonExcess, JsonMeasure, memoryOfJson, smallJson } from '../lib/json/measure.ts'
import {
  type JsonObject,
  TooMuchJson,
  hasManyValues,
  isObject,
  isTooDeep,
  parseWithin,
} from '../lib/json/object.ts'
import { parseOrUndefined } from '../lib/json/read.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { essenceOf, isMarkup } from '../lib/media-type.ts'
import { nextTurn, runInTurns } from '../lib/turns.ts'
import type { AttemptEnvironment } from './environment.ts'

/** The most bytes of an error body that are read. */
export const errorBodyBytes = 1024 * 1024

/** Collects the body of a reply up to `limit` bytes and drops the rest. */
export class ReplyCollector {
  readonly #chunks = new ByteList()
  #body: Buffer | undefined
  #size = 0
  readonly #status: number
  readonly #headers: IncomingHttpHeaders
  readonly #limit: number

  constructor(status: number, headers: IncomingHttpHeaders, limit: number) {
    this.#status = status
    this.#headers = headers
    this.#limit = limit
  }

  /** Whether the body exceeds the limit. */
  get isOverLimit(): boolean {
    return this.#size > this.#limit
  }

  /** The bytes so far. */
  get size(): number {
    return this.#size
  }

  collect(chunk: Buffer): void {
    this.#size += chunk.length
    if (!this.isOverLimit) this.#chunks.add(chunk)
  }

  body(): Buffer {
    return (this.#body ??= this.#chunks.take())
  }

  /** An error reply with its body as collected so far; with none if it has more bytes than `most`. */
  answer(most = Infinity): UpstreamAnswer {
    const body = this.#size > most ? nothing : this.body()
    const json = hasManyValues(body) ? undefined : parseOrUndefined(body.toString())
    return {
      status: this.#status,
      headers: flatten(this.#headers),
      body,
      // A value that is nested too deeply counts as text, because redacting and writing are recursive. So does one of
      // many values.
      json: isTooDeep(json) ? undefined : json,
    }
  }
}

const nothing: Buffer = Buffer.alloc(0)

/** In bytes. Redacting a longer reply would hold up the other clients. */
export const mostRedacted = 16 * 1024 * 1024

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/** The bytes of a text behind its byte order mark; the same buffer if it has none. */
export function withoutBom(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return isMarked ? bytes.subarray(3) : bytes
}

/** The attempt whose reply is held. */
interface ReplyHolder {
  readonly exchange: Routed
  readonly attempt: Pick<Attempt, 'candidate'>
  readonly environment: Pick<AttemptEnvironment, 'limits'>
  readonly upstream: { hold(bytes: number): void }
}

/** A JSON reply that does not contain the account's key. */
interface KeylessReply {
  readonly json: JsonObject
  readonly received: Buffer
}

/** Holds a JSON reply of an attempt until it is whole, within the limits of its size and of memory. */
export class WholeReply {
  readonly #attempt: ReplyHolder
  readonly #collector: ReplyCollector
  #granted = freeBytes

  constructor(attempt: ReplyHolder, status = 200, headers: IncomingHttpHeaders = {}) {
    this.#attempt = attempt
    this.#collector = new ReplyCollector(status, headers, attempt.environment.limits.replyBytes)
  }

  /** Adds bytes. Throws `GatewayError` beyond the limit. */
  collect(chunk: Buffer): void {
    const collector = this.#collector
    collector.collect(chunk)
    if (collector.isOverLimit) throw tooLarge()
    if (collector.size <= this.#granted) return
    this.#granted = 2 * collector.size
    this.#attempt.upstream.hold(this.#granted)
  }

  /** The reply as an error; without its body if that is too large for one. */
  answer(): UpstreamAnswer {
    return this.#collector.answer(errorBodyBytes)
  }

  /** The number of bytes so far. */
  get size(): number {
    return this.#collector.size
  }

  /** The bytes without a byte order mark. Nothing may be collected afterwards. */
  get bytes(): Buffer {
    return withoutBom(this.#collector.body())
  }

  /**
   * The reply without the account's key, before it is read, stored or passed on; a promise for a large one. Throws, or
   * rejects with, `GatewayError` for a reply that is no JSON object.
   */
  read(): MaybePromise<KeylessReply> {
    const { bytes } = this
    if (bytes.length > smallJson) return this.#readLarge(bytes)
    const text = bytes.toString()
    const json = assertObject(parseSmall(text))
    const clean = this.#redacted(json, bytes, text)
    return clean ? { json: clean, received: encoded(clean) } : { json, received: bytes }
  }

  /** Parses a large reply; each look at all bytes has a turn of the event loop. */
  async #readLarge(bytes: Buffer): Promise<KeylessReply> {
    const { environment, exchange } = this.#attempt
    const { keyId } = exchange.caller
    // To join its chunks was work enough for this turn.
    await nextTurn(keyId)
    const measuring = JsonMeasure.work(bytes, environment.limits)
    const { excess, values } = await runInTurns(measuring, { owner: keyId })
    if (excess) throw tooMuchJson(excess)
    await leaseOf(exchange).hold('reply', memoryOfJson(bytes, values))
    await nextTurn(keyId)
    const text = bytes.toString()
    await nextTurn(keyId)
    const json = assertObject(parsed(text))
    await nextTurn(keyId)
    const clean = this.#redacted(json, bytes)
    if (!clean) return { json, received: bytes }
    await nextTurn(keyId)
    const received = encoded(clean)
    await nextTurn(keyId)
    return { json: clean, received }
  }

  /** The reply as a text, without the account's key. */
  text(): Buffer {
    const { bytes } = this
    const { account } = this.#attempt.attempt.candidate
    if (!containsKey(bytes, account)) return bytes
    if (bytes.length > mostRedacted) throw tooLarge()
    return Buffer.from(redact(bytes.toString(), account))
  }

  /** A document that has been made of the reply, without the account's key. */
  keyless(document: Buffer): Buffer {
    const { account } = this.#attempt.attempt.candidate
    if (!containsKey(document, account)) return document
    if (document.length > mostRedacted) throw tooLarge()
    return encoded(redactKey(assertObject(parsed(document.toString())), account) as JsonObject)
  }

  /**
   * A reply without the account's key; `undefined` if its bytes do not contain it. `text` is the text of the bytes, if it
   * is at hand: searching it is faster than searching bytes.
   */
  #redacted(json: JsonObject, received: Buffer, text?: string): JsonObject | undefined {
    const { account } = this.#attempt.attempt.candidate
    if (!containsKey(text ?? received, account)) return undefined
    if (received.length > mostRedacted) throw tooLarge()
    return redactKey(json, account) as JsonObject
  }
}

/** The type of a reply as a text; `undefined` for a page of a server on the way, and for events. */
export function textTypeOf(type: string | string[] | undefined): string | undefined {
  if (typeof type !== 'string') return 'text/plain; charset=utf-8'
  const essence = essenceOf(type)
  return isMarkup(essence) || essence === 'text/event-stream' ? undefined : type
}

function assertObject(json: unknown): JsonObject {
  if (!isObject(json)) throw notJson()
  return json
}

function encoded(json: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(json))
}

export function tooLarge(): GatewayError {
  return new GatewayError('upstream_reply_too_large', "The upstream's reply is too large.")
}

export function notJson(): GatewayError {
  return new GatewayError('upstream_invalid_reply', "The upstream's reply is not a JSON object.")
}

function parseSmall(text: string): unknown {
  try {
    return parseWithin(text)
  } catch (error) {
    if (error instanceof TooMuchJson) throw tooMuchJson('jsonDepth')
    return undefined
  }
}

/** The value of JSON that is within the limits; `undefined` for another text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function tooMuchJson(excess: JsonExcess): GatewayError {
  const message = `The upstream's reply ${excesses[excess]}.`
  return new GatewayError('upstream_reply_too_large', message)
}

const excesses: Readonly<Record<JsonExcess, string>> = {
  jsonDepth: 'is nested too deeply',
  jsonValues: 'has too many JSON values',
  longNumber: 'has too long a number',
  longNames: 'has too many long names',
  bareBytes: 'has too many bytes outside of strings',
  escapes: 'has too many escapes',
}
