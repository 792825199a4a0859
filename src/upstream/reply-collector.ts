import type { IncomingHttpHeaders } from 'undici/types/header.js'

import type { UpstreamAnswer } from '../contract/errors.ts'
import { parseOrUndefined } from '../lib/json/read.ts'

/** Collects the body of a reply up to `limit` bytes and drops the rest. */
export class ReplyCollector {
  #chunks: Buffer[] = []
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

  collect(chunk: Buffer): void {
    this.#size += chunk.length
    if (!this.isOverLimit) this.#chunks.push(chunk)
  }

  body(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
  }

  /** The reply with its body as collected so far. */
  answer(): UpstreamAnswer {
    const body = this.body()
    return {
      status: this.#status,
      headers: flatten(this.#headers),
      body,
      json: parseOrUndefined(body.toString()),
    }
  }
}

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
