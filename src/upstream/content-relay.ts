import { GatewayError } from '../contract/errors.ts'
import type { Reply } from '../contract/outcome.ts'
import { passedContentHeaders } from '../exchange/headers.ts'
import { AttemptHandler } from './attempt-handler.ts'
import { brokenAttempt } from './failure.ts'
import { ReplyStream, type StreamWriter } from './reply-stream.ts'

type Headers = Record<string, string | string[] | undefined>

/**
 * An attempt whose answer is a file. Its bytes go to the client as they come, and no faster than the
 * client takes them; headers that say what they are go along. A file that breaks off is a reset,
 * since nothing that could be written would tell.
 */
export class ContentRelay extends AttemptHandler implements StreamWriter {
  readonly #stream = new ReplyStream(this)
  #committed = false

  protected override onAccepted(status: number, headers: Headers): void {
    if (status !== 200 && status !== 206) throw noFile(status)
    this.#committed = true
    this.exchange.progress.firstOutputAt ??= performance.now()
    this.exchange.progress.stream = this.#stream
    this.resolve({ status, headers: passedContentHeaders(headers), body: this.#stream })
    // Many accounts have no HEAD: the file is asked for, and left there.
    if (this.exchange.request.method === 'HEAD') this.onComplete()
  }

  protected override onBytes(chunk: Buffer): void {
    this.exchange.progress.bytesOut += chunk.length
    if (!this.#stream.write(chunk)) this.controller?.pause()
  }

  /** The client has taken what was there. */
  onReady(): void {
    this.controller?.resume()
  }

  protected override onComplete(): void {
    this.stop()
    this.exchange.progress.concluded = true
    const settled = this.settle({ status: 'completed', fault: 'none' })
    if (settled) void settled.then(() => this.#stream.finish())
    else this.#stream.finish()
  }

  protected override onBroken(error: GatewayError): void {
    if (!this.#committed) return this.giveUpBroken(error)
    this.stop()
    this.exchange.progress.error = error
    void this.settle(brokenAttempt(error).outcome)
    this.#stream.reset(error, () => this.exchange.client.reset())
  }

  /** An upstream that is paused for a slow client is not idle. */
  protected override isIdle(now: number): boolean {
    if (this.controller?.paused) this.lastByteAt = now
    return super.isIdle(now)
  }

  /** There is nothing to read on for: the file stays where it is. */
  override onClientGone(): void {
    this.leave()
  }

  protected override ownsBody(body: Reply['body'] | undefined): boolean {
    return body === this.#stream || this.#stream.readableFlowing !== null
  }

  onAbandoned(): void {
    if (!this.isOver && !this.exchange.client.gone) this.leave()
  }

  protected override leave(): void {
    if (!this.#committed) return this.abandon()
    this.stop()
    void this.settle({ status: 'cancelled', fault: 'client' })
    this.#stream.destroy()
  }
}

/** No other answer has the file, or a part of it (RFC 9110, 15.3). */
function noFile(status: number): GatewayError {
  const message = `Asked for a file, the upstream answered ${status} without one.`
  return new GatewayError('upstream_invalid_reply', message)
}
