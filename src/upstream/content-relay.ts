import type { RelayedContent } from '../contract/attempt.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Outcome, Reply, Usage } from '../contract/outcome.ts'
import { passedContentHeaders } from '../exchange/headers.ts'
import { PassingBytes } from '../kit/secrets/passing-bytes.ts'
import { ByteList } from '../lib/byte-list.ts'
import { essenceOf } from '../lib/media-type.ts'
import type { AttemptEnvironment } from './environment.ts'
import { abandonedAttempt, brokenAttempt } from './failure.ts'
import { parsed } from './reply-collector.ts'
import type { ReplyHeaders, ReplyReader } from './reply-reader.ts'
import { ReplyStream, type StreamWriter } from './reply-stream.ts'
import { RunningAttempt } from './running-attempt.ts'
import type { AttemptContext } from './settle.ts'

/** Creates an attempt that relays content. */
export function contentRelay(
  context: AttemptContext,
  environment: AttemptEnvironment,
  content: RelayedContent = file,
): RunningAttempt {
  return new RunningAttempt(context, environment, (attempt) => new ContentRelay(attempt, content))
}

/** In bytes. */
const longestCopy = 64 * 1024

/** A file of an account. It stays available there, and its bytes cost nothing. */
const file: RelayedContent = {
  mayBeEmpty: true,
  accept(status) {
    // Other 2xx statuses carry neither the file nor a part of it (RFC 9110, 15.3).
    if (status === 200 || status === 206) return
    const message = `The upstream replied to a file download with status ${status}.`
    throw new GatewayError('upstream_invalid_reply', message)
  },
}

/**
 * The bytes of the content go to the client as they arrive, at the client's pace, with the headers that describe them,
 * and with stars in place of the account's key. The first bytes commit the attempt. A broken reply resets the client's connection then, the only way to mark the
 * content as incomplete.
 */
class ContentRelay implements ReplyReader, StreamWriter {
  /** The client gets the bytes unchanged, and ranges refer to them. */
  readonly passesEncoding = true
  readonly #attempt: RunningAttempt
  readonly #content: RelayedContent
  readonly #stream = new ReplyStream(this)
  #status = 200
  #headers: Record<string, string> = {}
  #isCommitted = false
  readonly #passing: PassingBytes
  /** The first bytes, until it is known that the content begins with them. */
  #start: Buffer | undefined
  /** A copy of a short JSON reply, to read its usage. */
  #copy: ByteList | undefined
  /** The usage that the reply reports. */
  #read: Usage | undefined

  constructor(attempt: RunningAttempt, content: RelayedContent) {
    this.#attempt = attempt
    this.#content = content
    this.#passing = new PassingBytes(attempt.attempt.candidate.account)
  }

  onAccepted(status: number, headers: ReplyHeaders): void {
    this.#content.accept(status, headers)
    const { exchange, attempt } = this.#attempt
    this.#status = status
    const passed = passedContentHeaders(headers, attempt.candidate.account)
    this.#headers = { ...passed, ...this.#content.headers }
    const isJson = essenceOf(passed['content-type'] ?? '') === 'application/json'
    if (this.#content.usageIn && isJson) this.#copy = new ByteList()
    if (exchange.request.method !== 'HEAD') return
    // Many providers do not support HEAD, so the gateway sends GET and drops the body.
    this.#commit()
    this.onComplete()
  }

  #commit(): void {
    const { progress } = this.#attempt.exchange
    this.#isCommitted = true
    progress.firstOutputAt ??= performance.now()
    progress.stream = this.#stream
    this.#attempt.commit({ status: this.#status, headers: this.#headers, body: this.#stream })
  }

  onBytes(chunk: Buffer): void {
    const bytes = this.#passing.pass(chunk)
    if (bytes.length === 0) return
    if (this.#isCommitted || !this.#content.begins) return this.#write(bytes)
    const start = this.#start ? Buffer.concat([this.#start, bytes]) : bytes
    this.#start = this.#content.begins(start) ? undefined : start
    if (!this.#start) this.#write(start)
  }

  #write(bytes: Buffer): void {
    if (!this.#isCommitted) this.#commit()
    const { progress } = this.#attempt.exchange
    progress.bytesOut += bytes.length
    if (this.#content !== file) progress.capture?.wrote(bytes)
    this.#copy?.add(bytes)
    if (this.#copy && this.#copy.size > longestCopy) this.#copy = undefined
    if (!this.#stream.write(bytes)) this.#attempt.upstream.pause('client')
  }

  /** Resumes the upstream: the client can take more. */
  onReady(): void {
    this.#attempt.upstream.resume('client')
  }

  onComplete(): void {
    for (const bytes of [this.#start, this.#passing.rest()]) if (bytes) this.#write(bytes)
    if (this.#copy) this.#read = this.#content.usageIn?.(parsed(this.#copy.take().toString()))
    const outcome = this.#outcome('completed', 'none')
    if (!this.#isCommitted) {
      if (!this.#content.mayBeEmpty) throw empty()
      const reply = { status: this.#status, headers: this.#headers, body: null }
      return this.#attempt.complete(reply, outcome)
    }
    this.#attempt.stop()
    this.#attempt.exchange.progress.concluded = true
    const settled = this.#attempt.settle(outcome)
    if (settled) void settled.then(() => this.#stream.finish())
    else this.#stream.finish()
  }

  onBroken(error: GatewayError): void {
    if (!this.#isCommitted) return this.#attempt.giveUpBroken(error)
    const { exchange } = this.#attempt
    this.#attempt.stop()
    exchange.progress.error = error
    void this.#attempt.settle({ ...this.#used, ...brokenAttempt(error).outcome })
    this.#stream.reset(error, () => exchange.client.reset())
  }

  /** Cancels always: nothing behind the bytes so far says more about what the account has used. */
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
    void this.#attempt.settle(this.#outcome('cancelled', 'client'))
    this.#stream.destroy()
  }

  #outcome(status: Outcome['status'], fault: Outcome['fault']): Outcome {
    return { status, fault, ...this.#used }
  }

  get #used(): { readonly usage?: Usage } {
    const usage = this.#read ?? this.#content.usage
    return usage ? { usage } : {}
  }
}

function empty(): GatewayError {
  return new GatewayError('upstream_invalid_reply', "The upstream's reply is empty.")
}
