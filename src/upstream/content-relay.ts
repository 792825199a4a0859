import { GatewayError } from '../contract/errors.ts'
import type { Reply } from '../contract/outcome.ts'
import { passedContentHeaders } from '../exchange/headers.ts'
import type { AttemptEnvironment } from './environment.ts'
import { abandonedAttempt, brokenAttempt } from './failure.ts'
import type { ReplyHeaders, ReplyReader } from './reply-reader.ts'
import { ReplyStream, type StreamWriter } from './reply-stream.ts'
import { RunningAttempt } from './running-attempt.ts'
import type { AttemptContext } from './settle.ts'

/** Creates an attempt that relays a file. */
export function contentRelay(
  context: AttemptContext,
  environment: AttemptEnvironment,
): RunningAttempt {
  return new RunningAttempt(context, environment, (attempt) => new ContentRelay(attempt))
}

/**
 * The bytes of a file go to the client as they arrive, at the client's pace, with the headers that describe the
 * content. A broken download resets the client's connection, the only way to mark the file as incomplete.
 */
class ContentRelay implements ReplyReader, StreamWriter {
  /** The client gets the bytes unchanged, and ranges refer to them. */
  readonly passesEncoding = true
  readonly #attempt: RunningAttempt
  readonly #stream = new ReplyStream(this)
  #isCommitted = false

  constructor(attempt: RunningAttempt) {
    this.#attempt = attempt
  }

  onAccepted(status: number, headers: ReplyHeaders): void {
    if (status !== 200 && status !== 206) throw notAFile(status)
    const { exchange, attempt } = this.#attempt
    this.#isCommitted = true
    exchange.progress.firstOutputAt ??= performance.now()
    exchange.progress.stream = this.#stream
    const passed = passedContentHeaders(headers, attempt.candidate.account)
    this.#attempt.commit({ status, headers: passed, body: this.#stream })
    // Many providers do not support HEAD, so the gateway sends GET and drops the body.
    if (exchange.request.method === 'HEAD') this.onComplete()
  }

  onBytes(chunk: Buffer): void {
    this.#attempt.exchange.progress.bytesOut += chunk.length
    if (!this.#stream.write(chunk)) this.#attempt.upstream.pause('client')
  }

  /** Resumes the upstream: the client can take more. */
  onReady(): void {
    this.#attempt.upstream.resume('client')
  }

  onComplete(): void {
    this.#attempt.stop()
    this.#attempt.exchange.progress.concluded = true
    const settled = this.#attempt.settle({ status: 'completed', fault: 'none' })
    if (settled) void settled.then(() => this.#stream.finish())
    else this.#stream.finish()
  }

  onBroken(error: GatewayError): void {
    if (!this.#isCommitted) return this.#attempt.giveUpBroken(error)
    const { exchange } = this.#attempt
    this.#attempt.stop()
    exchange.progress.error = error
    void this.#attempt.settle(brokenAttempt(error).outcome)
    this.#stream.reset(error, () => exchange.client.reset())
  }

  /** Cancels always: the file stays available at the account. */
  onClientGone(): void {
    this.cancel()
  }

  serves(body: Reply['body'] | undefined): boolean {
    return body === this.#stream || this.#stream.readableFlowing !== null
  }

  onAbandoned(): void {
    if (!this.#attempt.isOver && !this.#attempt.exchange.client.gone) this.cancel()
  }

  cancel(): void {
    if (!this.#isCommitted) return this.#attempt.giveUp(abandonedAttempt())
    this.#attempt.stop()
    void this.#attempt.settle({ status: 'cancelled', fault: 'client' })
    this.#stream.destroy()
  }
}

/** Other 2xx statuses carry neither the file nor a part of it (RFC 9110, 15.3). */
function notAFile(status: number): GatewayError {
  const message = `The upstream replied to a file download with status ${status}.`
  return new GatewayError('upstream_invalid_reply', message)
}
