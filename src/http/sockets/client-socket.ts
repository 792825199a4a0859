import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { WebSocket } from 'ws'

import type { MemoryBudget, MemoryLease } from '../../contract/memory.ts'
import type {
  ClientSocket,
  ReplyReader,
  ServeSocket,
  SocketEnding,
  SocketExchange,
  SocketReader,
  SocketRequest,
} from '../../contract/socket.ts'
import { type LeastPace, Pace } from '../../kit/body-limits.ts'
import { noteWork } from '../../lib/ticker.ts'
import { isLongTurn, lateTurn } from '../../lib/turns.ts'
import { serveMessage } from './socket-response.ts'

/** The bytes of a message that take no memory of the pool. */
const freeBytes = 64 * 1024

/** The frames without content, such as pings, that a client may send between two beats. */
const mostControlFrames = 1_000

/** The size of a control frame of a client besides its content, in bytes. */
const controlHead = 6

/** Beats without a sign of life, after which a client counts as gone. */
const mostSilentBeats = 3

/** Codes of close frames (RFC 6455 section 7.4.1), and the texts that go with them. */
const closings = {
  unsupported: [1003, 'Messages are texts.'],
  tooSlow: [1008, 'A message arrives too slowly.'],
  tooManyFrames: [1008, 'Too many control frames.'],
  memoryFull: [1013, 'The memory for requests is full at the moment. Try again shortly.'],
  failed: [1011, 'The gateway failed to serve this message.'],
} as const

/** What a socket needs of the door and its gateway. */
interface SocketParts {
  readonly handshake: IncomingMessage
  readonly keyId: string
  readonly memory: MemoryBudget
  readonly pace: LeastPace
  /** How long a client may leave what waits for it without taking a byte, in milliseconds. */
  readonly stalledMs: number
  handle(request: IncomingMessage, response: ServerResponse): void
  report(message: string, error: unknown): void
}

/** A client's WebSocket, with the limits on what its client may do with it. */
export class OpenSocket implements ClientSocket {
  readonly openedAt = performance.now()
  readonly #socket: WebSocket
  readonly #connection: Socket
  readonly #parts: SocketParts
  readonly #reader: SocketReader
  readonly #exchanges = new Set<SocketExchange>()
  /** The bytes that have arrived of the message that is not whole yet. */
  #partial = 0
  #granted = freeBytes
  #lease: MemoryLease | undefined
  #pace: Pace | undefined
  #controlFrames = 0
  #silentBeats = 0
  /** What the client had taken at the last beat, and since when it is the same. */
  #taken = { bytes: 0, since: 0 }
  #isPaused = false
  #isWaiting = false

  constructor(socket: WebSocket, connection: Socket, parts: SocketParts, serve: ServeSocket) {
    this.#socket = socket
    this.#connection = connection
    this.#parts = parts
    this.#reader = serve(this)
    const onControlFrame = ({ length }: Buffer) => {
      this.#partial = Math.max(0, this.#partial - length - controlHead)
      if (++this.#controlFrames > mostControlFrames) this.#close('tooManyFrames')
    }
    // Runs before `ws` reads the bytes: a message that ends with them resets the count.
    connection.prependListener('data', ({ length }: Buffer) => this.#onBytes(length))
    connection.on('drain', () => this.#onDrain())
    socket.on('ping', onControlFrame).on('pong', onControlFrame)
    // The connection of a broken frame ends with a close frame that names the fault.
    socket.on('error', () => {})
    socket.on('message', (data, isBinary) => this.#onMessage(data as Buffer, isBinary))
    socket.on('close', () => this.#onClose())
  }

  send(text: string | Buffer): boolean {
    const socket = this.#socket
    if (socket.readyState !== socket.OPEN) return true
    socket.send(text, { binary: false })
    return !this.#connection.writableNeedDrain
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    if (!this.#isWaiting) this.#socket.resume()
  }

  close(code: number, reason: string): void {
    // A paused socket would not read the answer to its close frame.
    this.#socket.resume()
    this.#socket.close(code, reason)
  }

  request(request: SocketRequest, reader: ReplyReader): SocketExchange {
    const { handshake, handle } = this.#parts
    const exchange = serveMessage(
      handshake,
      request,
      {
        onHead: (status, headers) => reader.onHead(status, headers),
        onBytes: (bytes) => reader.onBytes(bytes),
        onEnd: (isWhole) => {
          this.#exchanges.delete(exchange)
          reader.onEnd(isWhole)
        },
      },
      handle,
    )
    this.#exchanges.add(exchange)
    return exchange
  }

  /** Asks the reader for the end of the socket. */
  end(cause: SocketEnding): void {
    this.#reader.onEnding(cause)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  /** Called from time to time: asks whether the client is still there, and ends the socket of one that is too slow. */
  beat(now: number): void {
    this.#controlFrames = 0
    if (this.#pace?.isTooSlow(now) && !this.#isPaused && !this.#isWaiting) this.#close('tooSlow')
    const { bytesWritten, writableLength } = this.#connection
    const taken = bytesWritten - writableLength
    if (writableLength > 0) {
      if (taken !== this.#taken.bytes) this.#taken = { bytes: taken, since: now }
      else if (now - this.#taken.since > this.#parts.stalledMs) this.terminate()
      return
    }
    this.#taken = { bytes: taken, since: now }
    // Its answer would not be read.
    if (this.#isPaused || this.#isWaiting) return
    if (++this.#silentBeats > mostSilentBeats) this.terminate()
    else this.#socket.ping()
  }

  #onBytes(length: number): void {
    this.#silentBeats = 0
    this.#partial += length
    this.#pace?.add(length, performance.now())
    if (this.#partial > this.#granted) this.#makeRoom()
  }

  /** Takes memory for a message whose size is unknown: for twice as much as has arrived. */
  #makeRoom(): void {
    const now = performance.now()
    this.#pace ??= new Pace(this.#parts.pace, now)
    this.#granted = 2 * this.#partial
    try {
      this.#lease ??= this.#parts.memory.lease(this.#parts.keyId)
    } catch {
      return this.#close('memoryFull')
    }
    const waiting = this.#lease.hold('body', this.#granted)
    if (!waiting) return
    this.#isWaiting = true
    this.#socket.pause()
    waiting.then(
      () => {
        this.#isWaiting = false
        this.#pace?.pass(performance.now() - now)
        if (!this.#isPaused) this.#socket.resume()
      },
      () => this.#close('memoryFull'),
    )
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#partial = 0
    this.#granted = freeBytes
    this.#pace = undefined
    const lease = this.#lease
    this.#lease = undefined
    // Less than before, which never waits.
    void lease?.hold('body', data.length)
    if (isBinary) this.#close('unsupported')
    else void this.#read(data).finally(() => lease?.[Symbol.dispose]())
  }

  async #read(text: Buffer): Promise<void> {
    noteWork()
    try {
      // As requests over HTTP: many messages of one turn would make a long one.
      if (isLongTurn()) await lateTurn(this.#connection.remoteAddress)
      await this.#reader.onMessage(text)
    } catch (error) {
      this.#fail(error)
    }
  }

  #onDrain(): void {
    for (const exchange of this.#exchanges) exchange.ready()
    this.#guard(() => this.#reader.onReady())
  }

  #onClose(): void {
    this.#lease?.[Symbol.dispose]()
    this.#lease = undefined
    for (const exchange of this.#exchanges) exchange.cancel()
    this.#guard(() => this.#reader.onClose())
  }

  #guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#parts.report('a socket failed', error)
    this.#close('failed')
  }

  #close(why: keyof typeof closings): void {
    const [code, reason] = closings[why]
    this.close(code, reason)
  }
}
