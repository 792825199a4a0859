import type { Routed } from '../contract/exchange.ts'
import type { Timeouts } from '../contract/limits.ts'
import { ReplyStream, type StreamWriter } from './reply-stream.ts'

/** The attempt whose frames a client's stream has. */
export interface StreamedAttempt extends StreamWriter {
  /** Whether the client still reads. */
  readonly hasClient: boolean
  /** Takes the stream as the reply: failures are reported inside it from now on. */
  onCommitted(stream: ReplyStream): void
  /** The client can take no more until `onReady`. */
  onFull(): void
}

/** The options of a client's stream. */
interface ClientStreamOptions {
  readonly exchange: Routed
  readonly attempt: StreamedAttempt
  /** The most bytes that are held before the first output. */
  readonly holdBytes: number
}

/**
 * The client's side of a streamed attempt. Frames before the first output are held, within limits of size and time:
 * until then another account can still serve the call. The commitment to this account begins the client's stream.
 */
export class ClientStream {
  readonly #stream: ReplyStream
  readonly #exchange: Routed
  readonly #attempt: StreamedAttempt
  readonly #holdBytes: number
  #held: Buffer[] = []
  #heldBytes = 0
  #heldSince = 0
  isCommitted = false
  /** Starts when the request arrives, so that keep-alives are due across failed attempts. */
  lastWriteAt: number

  constructor({ exchange, attempt, holdBytes }: ClientStreamOptions) {
    this.#stream = new ReplyStream(attempt)
    this.#exchange = exchange
    this.#attempt = attempt
    this.#holdBytes = holdBytes
    this.lastWriteAt = exchange.receivedAt
  }

  /** Whether bytes wait for the client. */
  get isWaiting(): boolean {
    return this.#stream.isWaiting
  }

  /** Whether `body` is this stream, or another reader consumes it. */
  serves(body: unknown): boolean {
    return body === this.#stream || this.#stream.readableFlowing !== null
  }

  /** Holds frames that come before the first output. After the commitment they are written. */
  hold(frames: Buffer): void {
    if (this.isCommitted) return this.write(frames)
    if (frames.length === 0) return
    if (this.#heldBytes === 0) this.#heldSince = performance.now()
    this.#held.push(frames)
    this.#heldBytes += frames.length
    if (this.#heldBytes > this.#holdBytes) this.commit()
  }

  /** Commits to the account: the client gets its stream. */
  commit(): void {
    if (this.isCommitted) return
    this.isCommitted = true
    for (const frames of this.#held) this.write(frames)
    this.#held = []
    this.#heldBytes = 0
    this.#exchange.progress.stream = this.#stream
    this.#attempt.onCommitted(this.#stream)
  }

  /** Commits, and writes frames of the output. */
  pass(frames: Buffer | undefined): void {
    this.commit()
    if (!frames || !this.#attempt.hasClient) return
    // A commitment is no output: a hold that ends and a keep-alive commit as well.
    this.#exchange.progress.firstOutputAt ??= performance.now()
    this.write(frames)
  }

  /** Writes bytes, unless the client has left. */
  write(bytes: Buffer): void {
    if (!this.#attempt.hasClient || bytes.length === 0) return
    const { progress } = this.#exchange
    this.lastWriteAt = performance.now()
    progress.bytesOut += bytes.length
    progress.trace?.wrote?.(bytes)
    progress.capture?.wrote(bytes)
    if (!this.#stream.write(bytes)) this.#attempt.onFull()
  }

  /** Commits if frames have been held for too long, and sends a keep-alive when one is due. */
  tick(
    now: number,
    { holdMs, keepAliveMs }: Pick<Timeouts, 'holdMs' | 'keepAliveMs'>,
    keepAlive: () => Buffer,
  ): void {
    if (this.#heldBytes > 0 && now - this.#heldSince > holdMs) return this.commit()
    if (now - this.lastWriteAt <= keepAliveMs) return
    this.commit()
    if (!this.isWaiting) this.write(keepAlive())
  }

  /** Ends the stream. */
  finish(): void {
    this.#stream.finish()
  }

  /** Breaks the stream off once the client has what was written. */
  reset(error: Error): void {
    this.#stream.reset(error, () => this.#exchange.client.reset())
  }

  /** Drops the stream, for a client that has left. */
  destroy(): void {
    this.#stream.destroy()
  }
}
