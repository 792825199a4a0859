import type { Duplex } from 'node:stream'

import type { Dispatcher } from 'undici'

import type { Outbound } from '../contract/outbound.ts'
import { credentialFailureIn } from '../contract/credential.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import type { Timeouts } from '../contract/limits.ts'
import type { Outcome, Reply, Usage } from '../contract/outcome.ts'
import type { ClientWatcher } from '../contract/request.ts'
import { finishWork } from '../exchange/record.ts'
import { showsOutput } from '../kit/spend.ts'
import { tooMuchReply } from '../kit/too-deep.ts'
import type { Watched } from '../lib/ticker.ts'
import { type AttemptEnvironment, timeoutsOf } from './environment.ts'
import {
  type AttemptFailure,
  abandonedAttempt,
  brokenAttempt,
  defect,
  networkError,
  timeout,
  withoutCredential,
} from './failure.ts'
import type { ReplyHeaders, ReplyReader } from './reply-reader.ts'
import { type AttemptContext, settle } from './settle.ts'
import type { Connection, UpstreamHandler } from './tracked-client.ts'
import { UpstreamReply } from './upstream-reply.ts'

/**
 * How far the account is:
 *
 *     waiting --head of the reply--> reading --its end, or a cut--> ended
 *        |                              |                             |
 *        +------------------------------+-----------------------------+--> over
 *
 * - `waiting`: the request is on its way, or the account works on it
 * - `reading`: the account sends its reply, or its error
 * - `ended`: the connection is free; what it brought is still decoded, settled or read by the client
 * - `over`: the attempt has its reply or its failure; later events of the connection are ignored
 */
type State = 'waiting' | 'reading' | 'ended' | 'over'

/**
 * The account's side of an attempt, from its begin to its end: sends the request, reads the reply for a
 * `ReplyReader`, enforces deadlines, collects error replies, and ends when the client leaves or the process is about
 * to. It has one reply or one failure, and settles one outcome. undici calls the `onRequest...` and `onResponse...`
 * methods.
 */
export class RunningAttempt implements Watched, ClientWatcher, UpstreamHandler {
  /** Resolves at commitment; rejects with an `AttemptFailure`. */
  readonly reply: Promise<Reply>
  #resolve!: (reply: Reply) => void
  #reject!: (failure: AttemptFailure) => void
  readonly exchange: Routed
  readonly attempt: Attempt
  readonly environment: AttemptEnvironment
  readonly timeouts: Timeouts
  readonly #context: AttemptContext
  readonly #reader: ReplyReader
  readonly upstream: UpstreamReply
  readonly #startedAt = performance.now()
  #state: State = 'waiting'
  /** Set once the attempt has failed without a reply. */
  failure: AttemptFailure | undefined
  /** Another request of the same attempt has the reply. */
  #isReplaced = false
  /** When the client left, while the upstream is still read to its end. */
  #clientLeftAt: number | undefined
  /** Whether the ticker and the client know this attempt. */
  #isWatching = false
  connection: Connection | undefined
  /** When the last bytes came. */
  lastByteAt = 0
  /** `readerOf` creates the reader of the reply. */
  constructor(
    context: AttemptContext,
    environment: AttemptEnvironment,
    readerOf: (attempt: RunningAttempt) => ReplyReader,
  ) {
    this.#context = context
    this.exchange = context.exchange
    this.attempt = context.attempt
    this.environment = environment
    this.timeouts = timeoutsOf(environment, context.attempt.candidate.account)
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // A hook may stop waiting for it; an unhandled rejection would end the process.
    void this.reply.catch(() => {})
    context.attempt.startedAt = this.#startedAt
    this.#reader = readerOf(this)
    if (context.exchange.call.stream) context.attempt.counter = this.#reader
    this.upstream = new UpstreamReply(this, this.#reader)
  }

  /** Sends the request, unless the client has left already. */
  begin(outbound: Outbound): void {
    this.#attach()
    if (this.isOver) return
    this.environment.client.send(outbound, this, this.attempt.candidate.account)
  }

  /** Whether the attempt has ended. */
  get isOver(): boolean {
    return this.#state === 'over'
  }

  /** Whether the client still waits for the reply. */
  get hasClient(): boolean {
    return this.#clientLeftAt === undefined
  }

  get owner(): object {
    return this.exchange
  }

  /** Whether `body` is this attempt's stream, or another reader consumes that stream. */
  serves(body: Reply['body'] | undefined): boolean {
    return this.#reader.serves?.(body) ?? false
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.upstream.begin(controller)
    if (this.isOver) return controller.abort(new Error('The attempt is over.'))
    const { attempt, connection } = this
    attempt.isSent = true
    attempt.isReused = connection?.isUsed === true
    attempt.peer = connection?.peer
    if (connection) connection.isUsed = true
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ReplyHeaders,
  ): void {
    if (status < 200) {
      this.attempt.isReused = false
      return
    }
    if (this.isOver) return
    this.#state = 'reading'
    this.lastByteAt = performance.now()
    this.attempt.firstByteAt = this.lastByteAt
    this.attempt.status = status
    if (status === 401 || status === 403)
      this.attempt.candidate.account.authorizer?.refused?.(status)
    this.exchange.progress.trace?.answered(this.attempt, status, headers)
    this.upstream.open(status, headers)
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ReplyHeaders,
    socket: Duplex,
  ): void {
    const { attempt } = this
    attempt.firstByteAt = performance.now()
    attempt.status = status
    this.#endConnection()
    if (this.isOver || !this.#reader.onUpgraded) return void socket.destroy()
    this.exchange.progress.trace?.answered(attempt, status, headers)
    this.guard(() => this.#reader.onUpgraded?.(headers, socket))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // undici gives an empty chunk where a connection ends while the reply is paused.
    if (this.isOver || chunk.length === 0) return
    this.lastByteAt = performance.now()
    this.upstream.write(chunk)
  }

  onResponseEnd(): void {
    this.#endConnection()
    if (!this.isOver) this.upstream.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#endConnection()
    if (this.isOver) return
    const failure = credentialFailureIn(error)
    if (failure) this.giveUp(withoutCredential(failure))
    else this.upstream.interrupt(networkError(error))
  }

  #endConnection(): void {
    if (!this.isOver) this.#state = 'ended'
    this.attempt.endedAt = performance.now()
  }

  tick(now: number): void {
    if (this.isOver) return
    if (this.#reader.tick) this.#reader.tick(now)
    else this.checkDeadlines(now)
  }

  /** Ends an attempt that takes too long. */
  checkDeadlines(now: number): void {
    const { firstByteMs, totalMs, drainMs, idleMs } = this.timeouts
    const taken = now - this.#startedAt
    const isDraining = !this.hasClient && !this.exchange.call.finishWithoutClient
    if (isDraining && now - (this.#clientLeftAt ?? now) > drainMs) this.cancel()
    // The reply is complete, so no upstream deadline applies; its reader has its own.
    else if (this.#state === 'ended') return
    else if (taken > totalMs) this.breakOff(timeout('finish'))
    else if (this.#state === 'waiting') {
      if (taken > firstByteMs) this.breakOff(timeout('reply'))
    } else if (this.upstream.refuseLate(now)) return
    // An upstream that is paused does not count as idle.
    else if (this.upstream.isPaused) this.lastByteAt = now
    else if (now - this.lastByteAt > idleMs) this.breakOff(timeout('continue'))
  }

  /** Reads the upstream to its end if the configuration, a limit or the call requires it; cancels otherwise. */
  onClientGone(): void {
    if (this.#reader.onClientGone) this.#reader.onClientGone()
    else this.leaveClient()
  }

  /** As `onClientGone`, without asking the reader. */
  leaveClient(): void {
    const { call, progress } = this.exchange
    const readsUsage = progress.needsUsage || this.environment.clientGone === 'drain'
    // An account that has not got the request has nothing to count.
    if (call.finishWithoutClient || (readsUsage && this.attempt.isSent)) {
      this.#clientLeftAt = performance.now()
    } else this.cancel()
  }

  interrupt(reason?: Error): void {
    const error = GatewayError.isInstance(reason)
      ? reason
      : new GatewayError('draining', 'The gateway is shutting down.')
    this.breakOff(error)
  }

  /**
   * Cancels the attempt, because the hooks dropped its reply. If the hooks keep the reply of another attempt, `kept`,
   * the outcome of `kept` is the outcome of this attempt.
   */
  abandonFor(kept: RunningAttempt | undefined): void {
    if (this.isOver) return
    this.#isReplaced = kept !== undefined
    this.cancel()
  }

  /** Settles the attempt. Resolves when the reply's last bytes may be sent; see `settle`. */
  settle(outcome: Outcome): Promise<void> | undefined {
    if (this.#isReplaced) return undefined
    this.#noteOutput(outcome.usage)
    return settle(this.#context, outcome)
  }

  /** Notes the size of an output whose tokens the account does not report. */
  #noteOutput(usage: Usage | undefined): void {
    const isUnknown = usage?.outputTokens === undefined && showsOutput(this.exchange)
    if (isUnknown) this.attempt.outputTokens = this.#reader.outputTokens
  }

  /** Commits to a reply whose body is still on its way. */
  commit(reply: Reply): void {
    this.#resolve(reply)
  }

  /** Ends the attempt with a whole reply, which the client gets once the outcome is settled. */
  complete(reply: Reply, outcome: Outcome): void {
    this.stop(outcome.usage)
    const settled = this.settle(outcome)
    if (settled) void settled.then(() => this.#resolve(reply))
    else this.#resolve(reply)
  }

  /** Ends the attempt because its reply is no longer needed. */
  cancel(): void {
    if (this.#reader.cancel) this.#reader.cancel()
    else this.giveUp(abandonedAttempt())
  }

  /** Ends the attempt, and rejects its reply. */
  giveUp(failure: AttemptFailure): void {
    this.stop()
    this.failure = failure
    this.#reject(failure)
  }

  /** As `giveUp`, for a reply that broke. `known`: the outcome as the dialect read it. */
  giveUpBroken(error: GatewayError, known?: Outcome): void {
    this.giveUp(brokenAttempt(error, known))
  }

  /**
   * Ends the attempt, and aborts the upstream request unless its reply has ended. `usage`: as far as it is known. An
   * output whose tokens are known is not estimated: that would take 0.5 us of a JSON call.
   */
  stop(usage?: Usage): void {
    if (this.isOver) return
    const isEnded = this.#state === 'ended'
    this.#state = 'over'
    this.attempt.counter = undefined
    try {
      this.#reader.onStop?.()
      // The usage of a stream is known once its reader has stopped.
      if (!this.attempt.outcome) this.#noteOutput(usage ?? this.attempt.usage)
    } finally {
      this.upstream.stop(isEnded)
      this.#detach()
    }
  }

  /** Runs `work`; an error that it throws ends this attempt, not the process. */
  guard(work: () => void): void {
    if (this.isOver) return
    try {
      work()
    } catch (error) {
      this.onDefect(error)
    }
  }

  /** Breaks the attempt for an error that its reader or the gateway itself has thrown. */
  onDefect(error: unknown): void {
    const known = GatewayError.isInstance(error) ? error : tooMuchReply(error)
    this.#reader.onBroken(known ?? defect(error))
  }

  /** Breaks the attempt for a deadline, or because the process ends. */
  breakOff(error: GatewayError): void {
    this.guard(() => this.#reader.onBroken(error))
  }

  /** Registers with the ticker and the client. Calls `onClientGone` at once if the client has left. */
  #attach(): void {
    this.exchange.progress.pending++
    this.#context.slot?.hold()
    this.environment.ticker.add(this)
    this.#isWatching = true
    this.exchange.client.watch(this)
  }

  #detach(): void {
    if (!this.#isWatching) return
    this.#isWatching = false
    this.environment.ticker.delete(this)
    this.exchange.client.unwatch(this)
    this.#context.slot?.release()
    finishWork(this.exchange.progress)
  }
}
