import { Readable } from 'node:stream'

/** How much may wait for a slow client before the upstream is asked to pause. */
const highWaterMark = 64 * 1024

/** The body of a streamed reply: a relay writes, the client's connection reads. */
export class ReplyStream extends Readable {
  /** The client can take more again. */
  onReady: () => void = () => {}
  #finished = false

  constructor() {
    super({ highWaterMark })
  }

  /** Returns whether the client can take more; `false` is a request to pause. */
  write(bytes: Buffer): boolean {
    return this.destroyed ? true : this.push(bytes)
  }

  /** A clean end. */
  finish(): void {
    this.#finished = true
    if (!this.destroyed) this.push(null)
  }

  /** Resets the connection, after what was written so far if the client takes it soon. */
  reset(error: Error): void {
    this.#finished = true
    let patience = 100
    const whenTaken = () => {
      if (this.destroyed) return
      if (this.readableLength === 0 || patience-- === 0) this.destroy(error)
      else setTimeout(whenTaken, 10).unref()
    }
    setImmediate(whenTaken)
  }

  get finished(): boolean {
    return this.#finished
  }

  override _read(): void {
    this.onReady()
  }
}
