import { GatewayError } from '../contract/errors.ts'
import type { Reply } from '../contract/outcome.ts'
import { passedContentHeaders } from '../exchange/headers.ts'
import { AttemptHandler } from './attempt-handler.ts'
import { brokenAttempt } from './failure.ts'
import { ReplyStream, type StreamWriter } from './reply-stream.ts'

type Headers = Record<string, string | string[] | undefined>

/**
 * An attempt that relays a file. Its bytes go to the client as they arrive, at the client's pace,
 * with the headers that describe the content. A broken download resets the client's connection, the
 * only way to mark the file as incomplete.
 */
export class ContentRelay extends AttemptHandler implements StreamWriter {
  readonly #stream = new ReplyStream(this)
  #isCommitted = false

  /** The client gets the bytes unchanged, and ranges refer to them. */
  protected override get passesEncoding(): boolean {
    return true
  }

  protected override onAccepted(status: number, headers: Headers): void {
    if (status !== 200 && status !== 206) throw notAFile(status)
    this.#isCommitted = true
    this.exchange.progress.firstOutputAt ??= performance.now()
    this.exchange.progress.stream = this.#stream
    const passed = passedContentHeaders(headers, this.attempt.candidate.account)
    this.resolve({ status, headers: passed, body: this.#stream })
    // Many providers do not support HEAD, so the gateway sends GET and drops the body.
    if (this.exchange.request.method === 'HEAD') this.onComplete()
  }

  protected override onBytes(chunk: Buffer): void {
    this.exchange.progress.bytesOut += chunk.length
    if (!this.#stream.write(chunk)) this.pause('client')
  }

  /** Resumes the upstream: the client can take more. */
  onReady(): void {
    this.resume('client')
  }

  protected override onComplete(): void {
    this.stop()
    this.exchange.progress.concluded = true
    const settled = this.settle({ status: 'completed', fault: 'none' })
    if (settled) void settled.then(() => this.#stream.finish())
    else this.#stream.finish()
  }

  protected override onBroken(error: GatewayError): void {
    if (!this.#isCommitted) return this.giveUpBroken(error)
    this.stop()
    this.exchange.progress.error = error
    void this.settle(brokenAttempt(error).outcome)
    this.#stream.reset(error, () => this.exchange.client.reset())
  }

  /** An upstream that is paused for a slow client does not count as idle. */
  protected override isIdle(now: number): boolean {
    if (this.controller?.paused) this.lastByteAt = now
    return super.isIdle(now)
  }

  /** Cancels always: the file stays available at the account. */
  override onClientGone(): void {
    this.cancel()
  }

  override serves(body: Reply['body'] | undefined): boolean {
    return body === this.#stream || this.#stream.readableFlowing !== null
  }

  onAbandoned(): void {
    if (!this.isOver && !this.exchange.client.gone) this.cancel()
  }

  protected override cancel(): void {
    if (!this.#isCommitted) return this.abandon()
    this.stop()
    void this.settle({ status: 'cancelled', fault: 'client' })
    this.#stream.destroy()
  }
}

/** Other 2xx statuses carry neither the file nor a part of it (RFC 9110, 15.3). */
function notAFile(status: number): GatewayError {
  const message = `The upstream replied to a file download with status ${status}.`
  return new GatewayError('upstream_invalid_reply', message)
}
