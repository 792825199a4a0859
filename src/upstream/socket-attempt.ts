import type { Duplex } from 'node:stream'

import type { WebSocket } from 'ws'

import type { AccountSocket, AccountSocketReader, SocketPlan } from '../contract/attempt.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Reply } from '../contract/outcome.ts'
import { newHandshake, openAccountSocket } from './account-socket.ts'
import type { AttemptEnvironment } from './environment.ts'
import { abandonedAttempt, streamBroken, timeout } from './failure.ts'
import type { ReplyHeaders, ReplyReader } from './reply-reader.ts'
import { RunningAttempt } from './running-attempt.ts'
import type { AttemptContext } from './settle.ts'

/** Creates an attempt that opens a WebSocket, and lasts as long as that does. */
export function socketAttempt(
  context: AttemptContext,
  environment: AttemptEnvironment,
  plan: SocketPlan,
): RunningAttempt {
  return new SocketRunningAttempt(context, environment, plan)
}

class SocketRunningAttempt extends RunningAttempt {
  readonly #headers: Readonly<Record<string, string>>

  constructor(context: AttemptContext, environment: AttemptEnvironment, plan: SocketPlan) {
    const { headers, accept } = newHandshake()
    super(context, environment, (attempt) => new SocketReader(attempt, plan, accept))
    this.#headers = headers
  }

  override begin(outbound: Parameters<RunningAttempt['begin']>[0]): void {
    const headers = { ...outbound.headers, ...this.#headers }
    super.begin({ ...outbound, headers, upgrade: 'websocket' })
  }
}

/** The bytes that may wait for a slow account. */
const highWaterMark = 64 * 1024

/** How often a silent account is asked whether it is still there, in milliseconds. */
const beatMs = 30_000

/** Beats without a sign of life, after which an account counts as gone. */
const mostSilentBeats = 3

/** How long an account's handshake may take, in milliseconds: no model thinks before it. */
const handshakeMs = 30_000

/** An account's WebSocket. The handshake is what the attempt is settled with. */
class SocketReader implements ReplyReader, AccountSocket {
  readonly #attempt: RunningAttempt
  readonly #plan: SocketPlan
  readonly #accept: string
  #socket: WebSocket | undefined
  #reader: AccountSocketReader | undefined
  #reply: Reply | undefined
  #isPaused = false
  #beatAt = 0
  #silentBeats = 0

  constructor(attempt: RunningAttempt, plan: SocketPlan, accept: string) {
    this.#attempt = attempt
    this.#plan = plan
    this.#accept = accept
  }

  /** An answer of success without an upgrade opens no socket. */
  onAccepted(status: number): void {
    throw new GatewayError(
      'upstream_invalid_reply',
      `The upstream replied to a WebSocket's handshake with status ${status}.`,
    )
  }

  onBytes(): void {}

  onComplete(): void {}

  onUpgraded(headers: ReplyHeaders, connection: Duplex): void {
    // Errors of the connection are followed by its end.
    connection.on('error', () => {})
    if (headers['sec-websocket-accept'] !== this.#accept) {
      connection.destroy()
      throw new GatewayError('upstream_invalid_reply', "The upstream's handshake is not valid.")
    }
    const { environment, attempt } = this.#attempt
    const socket = openAccountSocket(connection, environment.limits.frameBytes)
    this.#socket = socket
    this.#beatAt = performance.now()
    socket.on('error', () => {})
    connection.on('drain', () => this.#guard(() => this.#reader?.onReady()))
    socket.on('pong', () => (this.#silentBeats = 0))
    socket.on('ping', () => (this.#silentBeats = 0))
    socket.on('message', (data, isBinary) => {
      this.#silentBeats = 0
      this.#guard(() => this.#reader?.onMessage(data as Buffer, isBinary))
    })
    socket.on('close', (code, reason) => this.#end({ code, reason: reason.toString() }))
    const { reader, reply } = this.#plan.connect(this)
    this.#reader = reader
    this.#reply = reply
    attempt.status = 101
    const settled = this.#attempt.settle({ status: 'completed', fault: 'none', httpStatus: 101 })
    if (settled) void settled.then(() => this.#attempt.commit(reply))
    else this.#attempt.commit(reply)
  }

  send(text: string | Buffer): boolean {
    const socket = this.#socket
    if (!socket || socket.readyState !== socket.OPEN) return true
    socket.send(text, { binary: false })
    return socket.bufferedAmount < highWaterMark
  }

  pause(): void {
    this.#isPaused = true
    this.#socket?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#silentBeats = 0
    this.#socket?.resume()
  }

  close(): void {
    // A paused socket would not read the answer to its close frame.
    this.#socket?.resume()
    this.#socket?.close(1000)
  }

  tick(now: number): void {
    const socket = this.#socket
    if (!socket)
      return this.#isLate(now) ? this.onBroken(timeout('reply')) : this.#attempt.checkDeadlines(now)
    if (now - this.#beatAt < beatMs) return
    this.#beatAt = now
    // A paused socket reads no answer.
    if (this.#isPaused || socket.readyState !== socket.OPEN) return
    if (++this.#silentBeats > mostSilentBeats) this.onBroken(gone())
    else socket.ping()
  }

  #isLate(now: number): boolean {
    const { startedAt = now, status } = this.#attempt.attempt
    return status === undefined && now - startedAt > handshakeMs
  }

  onBroken(error: GatewayError): void {
    if (this.#reply) return this.#end(error)
    this.#socket?.terminate()
    this.#attempt.giveUpBroken(error)
  }

  /** From the client's handshake on, the reader knows of the client's end. */
  onClientGone(): void {
    if (this.#reply) this.#end(abandonedAttempt().error)
    else this.cancel()
  }

  cancel(): void {
    if (this.#reply) return this.#end(abandonedAttempt().error)
    this.#socket?.terminate()
    this.#attempt.giveUp(abandonedAttempt())
  }

  serves(body: Reply['body'] | undefined): boolean {
    return this.#reply !== undefined && body === this.#reply.body
  }

  #guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#end(
        GatewayError.isInstance(error)
          ? error
          : new GatewayError('internal_error', 'A session failed.', { cause: error }),
      )
    }
  }

  #end(end: { readonly code: number; readonly reason: string } | GatewayError): void {
    const attempt = this.#attempt
    if (attempt.isOver) return
    if (!this.#reply) return attempt.giveUpBroken(gone())
    attempt.stop()
    if (GatewayError.isInstance(end)) this.#socket?.terminate()
    this.#reader?.onEnd(end)
  }
}

function gone(): GatewayError {
  return streamBroken('before its end')
}
