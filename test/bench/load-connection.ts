/** One keep-alive connection that sends the same request again as soon as it has its reply. */

import { connect, type Socket } from 'node:net'
import { MessageReader } from './message-reader.ts'

export class LoadConnection {
  readonly #request: Buffer
  readonly #onReply: (micros: number) => void
  readonly #onFailure: (reason: string) => void
  readonly #reader = new MessageReader()
  readonly #socket: Socket
  readonly #ended = Promise.withResolvers<void>()
  #sentAt = 0
  #stopping = false

  constructor(
    port: number,
    request: Buffer,
    onReply: (micros: number) => void,
    onFailure: (reason: string) => void,
  ) {
    this.#request = request
    this.#onReply = onReply
    this.#onFailure = onFailure
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      // Reads into one buffer, without a stream in between: the load has to be the cheap side.
      onread: {
        buffer: Buffer.allocUnsafe(64 * 1024),
        callback: (length, buffer) => this.#receive((buffer as Buffer).subarray(0, length)),
      },
    })
    this.#socket.on('connect', () => this.#send())
    this.#socket.on('error', (error) => this.#fail(error.message))
    this.#socket.on('close', () => this.#fail('connection closed'))
  }

  /** Lets the request under way finish, so that no subject has to clean up after the load. */
  async stop(cut = false): Promise<void> {
    this.#stopping = true
    if (cut) this.#end()
    const impatience = setTimeout(() => this.#end(), 2000)
    await this.#ended.promise
    clearTimeout(impatience)
  }

  #send(): void {
    this.#sentAt = performance.now()
    this.#socket.write(this.#request)
  }

  #receive(bytes: Buffer): boolean {
    try {
      if (!this.#reader.push(bytes)) return true
    } catch (error) {
      this.#fail((error as Error).message)
      return false
    }
    if (this.#reader.status !== 200) this.#fail(`status ${this.#reader.status}`)
    else this.#succeed()
    return true
  }

  #succeed(): void {
    this.#onReply((performance.now() - this.#sentAt) * 1000)
    if (this.#stopping) this.#end()
    else this.#send()
  }

  #fail(reason: string): void {
    if (!this.#stopping) this.#onFailure(reason)
    this.#end()
  }

  #end(): void {
    this.#stopping = true
    this.#socket.destroy()
    this.#ended.resolve()
  }
}
