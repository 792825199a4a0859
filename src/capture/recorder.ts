import type { ExchangeCapture } from '../contract/capture.ts'
import type { Form, OpaqueBody } from '../contract/body.ts'
import type { Ended } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import { ByteList } from '../lib/byte-list.ts'
import { type CapturedForm, captureForm } from './form.ts'

/** The most bytes of a request and of a reply that are copied. */
const mostBytes = 256 * 1024

const nothing: Buffer = Buffer.alloc(0)

/** The beginning of a body, and its size. */
export interface CapturedBody {
  readonly bytes: Buffer
  readonly size: number
}

/** Copies the exchange of one key. Bytes of other keys are never copied. */
export class Recorder implements ExchangeCapture {
  readonly #exchange: Ended
  readonly #isWanted: (keyId: string) => boolean
  readonly #reply = new ByteList()
  #size = 0
  /** The body of the request. Absent: no body was read. */
  asked: CapturedBody | undefined
  /** The form of the request. Absent: the request has no form, or the gateway refuses it. */
  form: CapturedForm | undefined
  status: number | undefined
  headers: Readonly<Record<string, string>> = {}

  /** `isWanted`: whether the exchanges of a key are captured. */
  constructor(exchange: Ended, isWanted: (keyId: string) => boolean) {
    this.#exchange = exchange
    this.#isWanted = isWanted
  }

  /** The body of the reply so far. */
  get answered(): CapturedBody {
    const bytes = this.#reply.take()
    // Several captures may ask.
    this.#reply.add(bytes)
    return { bytes, size: this.#size }
  }

  readBody(bytes: Buffer): void {
    if (!this.#wants()) return
    this.asked = { bytes: Buffer.from(bytes.subarray(0, mostBytes)), size: bytes.length }
  }

  readForm(form: Form): void {
    if (this.#wants()) this.form = captureForm(form, mostBytes)
  }

  async readOpaque(body: OpaqueBody, encoding: string | undefined): Promise<void> {
    if (!this.#wants()) return
    // Compressed bytes are no text.
    const most = encoding === undefined ? mostBytes : 0
    const bytes = await body.read(most).catch(() => nothing)
    this.asked = { bytes, size: body.length }
  }

  replied({ status, headers, body }: Reply): void {
    if (!this.#wants()) return
    this.status = status
    this.headers = headers
    if (typeof body === 'string') this.#keep(Buffer.from(body))
    else if (Buffer.isBuffer(body)) this.#keep(body)
  }

  wrote(bytes: Buffer): void {
    if (this.#wants()) this.#keep(bytes)
  }

  /** The caller is known by the time of the first bytes. */
  #wants(): boolean {
    const { caller } = this.#exchange
    return caller !== undefined && this.#isWanted(caller.keyId)
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length
    const piece = bytes.subarray(0, mostBytes - this.#reply.size)
    // A copy, since the memory of a chunk is used again.
    if (piece.length > 0) this.#reply.add(Buffer.from(piece))
  }
}
