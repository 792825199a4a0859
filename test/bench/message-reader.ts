/**
 * Finds where one HTTP/1.1 message ends, and nothing else: load generator and upstream share a
 * core, so a general parser would spend what the subject under test should be the one to spend.
 *
 * It relies on what the bench sends: no pipelining, and bodies without a carriage return, so the
 * five bytes `0\r\n\r\n` at the end of what has arrived can only be the last chunk.
 */
export class MessageReader {
  #head: Buffer | undefined
  /** Bytes of a body of known length still to come; -1 when chunked. */
  #remaining = 0
  #inBody = false
  #tail = ''
  /** The status of the last reply read; meaningless for requests. */
  status = 0

  /** Takes what arrived; true when that completes the message, and the next call starts anew. */
  push(bytes: Buffer): boolean {
    const done = this.#inBody ? this.#pushBody(bytes) : this.#pushHead(bytes)
    if (done) this.#inBody = false
    return done
  }

  #pushHead(arrived: Buffer): boolean {
    const bytes = this.#head === undefined ? arrived : Buffer.concat([this.#head, arrived])
    const end = bytes.indexOf('\r\n\r\n')
    if (end === -1) {
      // Copied, because the caller reads into the same buffer again.
      this.#head = Buffer.from(bytes)
      return false
    }
    this.#head = undefined
    this.#readHead(bytes.toString('latin1', 0, end + 2))
    this.#inBody = true
    return this.#pushBody(bytes.subarray(end + 4))
  }

  #readHead(head: string): void {
    this.status = Number(head.slice(9, 12))
    this.#tail = ''
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)
    if (length === null && !/\r\ntransfer-encoding: *chunked/i.test(head)) {
      throw new Error(`a message whose end cannot be told: ${head.slice(0, 200)}`)
    }
    this.#remaining = length === null ? -1 : Number(length[1])
  }

  #pushBody(bytes: Buffer): boolean {
    if (this.#remaining >= 0) {
      this.#remaining -= bytes.length
      if (this.#remaining < 0) throw new Error('more bytes than content-length announced')
      return this.#remaining === 0
    }
    const last = bytes.toString('latin1', Math.max(0, bytes.length - 5))
    this.#tail = last.length === 5 ? last : (this.#tail + last).slice(-5)
    return this.#tail === '0\r\n\r\n'
  }
}
