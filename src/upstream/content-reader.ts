import { GatewayError } from '../contract/errors.ts'
import { freeBytes } from '../contract/memory.ts'
import { ByteList } from '../lib/byte-list.ts'
import type { DecodingLimits } from '../lib/content-decoder.ts'
import type { AttemptEnvironment } from './environment.ts'
import type { ReplyHeaders, ReplyReader } from './reply-reader.ts'
import { RunningAttempt } from './running-attempt.ts'
import type { AttemptContext } from './settle.ts'

/** The most memory that is taken at a time, in bytes. */
const stepBytes = 1024 * 1024

/**
 * Creates an attempt that downloads a whole file, of `limit` bytes at most, into memory for the gateway's own use. A
 * broken download is a failure of the attempt and never resets the client's connection.
 */
export function contentReader(
  context: AttemptContext,
  environment: AttemptEnvironment,
  limit: number,
): RunningAttempt {
  return new RunningAttempt(context, environment, (attempt) => new ContentReader(attempt, limit))
}

class ContentReader implements ReplyReader {
  readonly decodingLimits: DecodingLimits
  readonly #attempt: RunningAttempt
  readonly #limit: number
  readonly #chunks = new ByteList()
  #granted = freeBytes

  constructor(attempt: RunningAttempt, limit: number) {
    const { expansionRatio } = attempt.environment.limits
    this.#attempt = attempt
    this.#limit = limit
    this.decodingLimits = { bytes: limit, expansionRatio }
  }

  onAccepted(status: number, headers: ReplyHeaders): void {
    // A server may send a part unasked (RFC 9110, 15.3.7).
    if (status !== 200) throw unusableReply(status)
    this.#checkSize(Number(headers['content-length'] ?? 0))
  }

  onBytes(chunk: Buffer): void {
    this.#chunks.add(chunk)
    const { size } = this.#chunks
    this.#checkSize(size)
    if (size <= this.#granted) return
    this.#granted = size + Math.min(size, stepBytes)
    this.#attempt.upstream.hold(this.#granted)
  }

  #checkSize(size: number): void {
    if (size <= this.#limit) return
    throw new GatewayError(
      'upstream_reply_too_large',
      'The file is too large to be read into memory.',
    )
  }

  onComplete(): void {
    const reply = { status: 200, headers: {}, body: this.#chunks.take() }
    this.#attempt.complete(reply, { status: 'completed', fault: 'none' })
  }

  onBroken(error: GatewayError): void {
    this.#attempt.giveUpBroken(error)
  }
}

function unusableReply(status: number): GatewayError {
  const message = `The upstream replied to a file download with status ${status}.`
  return new GatewayError('upstream_invalid_reply', message)
}
