import { GatewayError } from '../contract/errors.ts'
import { AttemptHandler } from './attempt-handler.ts'
import type { AttemptContext } from './settle.ts'
import type { AttemptEnvironment } from './environment.ts'

type Headers = Record<string, string | string[] | undefined>

/**
 * An attempt whose answer is a file that the gateway reads for itself. It is whole or a failure,
 * which is nothing that the client's connection is broken for.
 */
export class ContentReader extends AttemptHandler {
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  #size = 0

  /** `limit` in bytes. */
  constructor(context: AttemptContext, environment: AttemptEnvironment, limit: number) {
    super(context, environment)
    this.#limit = limit
  }

  protected override onAccepted(status: number, headers: Headers): void {
    // A server may send a part of it, or compress it, unasked (RFC 9110, 15.3.7 and 12.5.3).
    if (status !== 200) throw unusable(`an answer of status ${status}`)
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw unusable('it compressed')
    this.#checkSize(Number(headers['content-length'] ?? 0))
  }

  protected override onBytes(chunk: Buffer): void {
    this.#size += chunk.length
    this.#checkSize(this.#size)
    this.#chunks.push(chunk)
  }

  #checkSize(size: number): void {
    if (size <= this.#limit) return
    throw new GatewayError('upstream_reply_too_large', 'The file is too large to be read whole.')
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

  protected override leave(): void {
    this.abandon()
  }
}

function unusable(what: string): GatewayError {
  return new GatewayError('upstream_invalid_reply', `Asked for a file, the upstream sent ${what}.`)
}
