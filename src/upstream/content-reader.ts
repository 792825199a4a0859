import { GatewayError } from '../contract/errors.ts'
import { ByteList } from '../lib/byte-list.ts'
import type { DecodingLimits } from '../lib/content-decoder.ts'
import { AttemptHandler } from './attempt-handler.ts'
import type { AttemptContext } from './settle.ts'
import type { AttemptEnvironment } from './environment.ts'

/** Memory that is taken at a time, in bytes. */
const stepBytes = 1024 * 1024

type Headers = Record<string, string | string[] | undefined>

/**
 * An attempt that downloads a whole file into memory for the gateway's own use. A broken download is
 * a failure of the attempt and never resets the client's connection.
 */
export class ContentReader extends AttemptHandler {
  readonly #limit: number
  readonly #chunks = new ByteList()
  #granted = stepBytes

  /** `limit`: the largest file to accept, in bytes. */
  constructor(context: AttemptContext, environment: AttemptEnvironment, limit: number) {
    super(context, environment)
    this.#limit = limit
  }

  protected override onAccepted(status: number, headers: Headers): void {
    // A server may send a part unasked (RFC 9110, 15.3.7).
    if (status !== 200) throw unusableReply(status)
    this.#checkSize(Number(headers['content-length'] ?? 0))
  }

  protected override decodingLimits(): DecodingLimits {
    return { ...super.decodingLimits(), bytes: this.#limit }
  }

  protected override onBytes(chunk: Buffer): void {
    this.#chunks.add(chunk)
    const { size } = this.#chunks
    this.#checkSize(size)
    if (size <= this.#granted) return
    this.#granted = size + stepBytes
    this.holdReply(this.#granted)
  }

  #checkSize(size: number): void {
    if (size <= this.#limit) return
    throw new GatewayError(
      'upstream_reply_too_large',
      'The file is too large to be read into memory.',
    )
  }

  protected override onComplete(): void {
    this.stop()
    const reply = { status: 200, headers: {}, body: this.#chunks.take() }
    const settled = this.settle({ status: 'completed', fault: 'none' })
    if (settled) void settled.then(() => this.resolve(reply))
    else this.resolve(reply)
  }

  protected override onBroken(error: GatewayError): void {
    this.giveUpBroken(error)
  }

  protected override cancel(): void {
    this.abandon()
  }
}

function unusableReply(status: number): GatewayError {
  const message = `The upstream replied to a file download with status ${status}.`
  return new GatewayError('upstream_invalid_reply', message)
}
