import type { IncomingHttpHeaders } from 'undici/types/header.js'

import type { UpstreamAnswer } from '../contract/errors.ts'
import { ByteList } from '../lib/byte-list.ts'
import { JsonMeasure, smallJson } from '../lib/json/measure.ts'
import { isTooDeep, mostJson } from '../lib/json/object.ts'
import { parseOrUndefined } from '../lib/json/read.ts'

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

/** The most values and names of an error. Of tens of thousands each look and copy takes a tenth of a second. */
const errorValues = 10_000

function hasManyValues(body: Buffer): boolean {
  const limits = { ...mostJson, jsonValues: errorValues }
  return body.length > smallJson && new JsonMeasure(body, limits).excess === 'jsonValues'
}

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
