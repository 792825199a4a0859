import { GatewayError } from '../contract/errors.ts'
import { AttemptHandler } from './attempt-handler.ts'
import type { AttemptContext } from './settle.ts'
import type { AttemptEnvironment } from './environment.ts'

type Headers = Record<string, string | string[] | undefined>

/**
 * An attempt that downloads a whole file into memory for the gateway's own use. A broken download is
 * a failure of the attempt and never resets the client's connection.
 */
export class ContentReader extends AttemptHandler {
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  #size = 0

  /** `limit`: the largest file to accept, in bytes. */
  constructor(context: AttemptContext, environment: AttemptEnvironment, limit: number) {
    super(context, environment)
    this.#limit = limit
  }

  protected override onAccepted(status: number, headers: Headers): void {
    // A server may send a part or a compressed file unasked (RFC 9110, 15.3.7 and 12.5.3).
    if (status !== 200) throw unusableReply(`status ${status}`)
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw unusableReply('a compressed body')
    this.#checkSize(Number(headers['content-length'] ?? 0))
  }

  protected override onBytes(chunk: Buffer): void {
    this.#size += chunk.length
    this.#checkSize(this.#size)
    this.#chunks.push(chunk)
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
    const reply = { status: 200, headers: {}, body: Buffer.concat(this.#chunks) }
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

function unusableReply(received: string): GatewayError {
  const message = `The upstream replied to a file download with ${received}.`
  return new GatewayError('upstream_invalid_reply', message)
}
