import type { Account } from '../../contract/account.ts'
import { shortestSearched } from './redact.ts'

const star = 0x2a

/**
 * Masks the secrets of an account in bytes that pass in pieces. Each byte of one becomes a star, so that the length and
 * the ranges of the whole stay as the account names them.
 */
export class PassingBytes {
  readonly #secrets: readonly Buffer[]
  /** The end of the last piece, with which a secret may begin. */
  #kept: Buffer | undefined

  constructor({ credential = '', secrets = [] }: Account) {
    this.#secrets = [credential, ...secrets]
      .filter(({ length }) => length >= shortestSearched)
      .map((secret) => Buffer.from(secret))
  }

  /** Returns the bytes that may pass now: the piece itself, if no secret and no beginning of one is in it. */
  pass(piece: Buffer): Buffer {
    const bytes = this.#kept ? Buffer.concat([this.#kept, piece]) : piece
    const clean = this.#masked(bytes)
    const end = this.#endOf(clean)
    this.#kept = end < clean.length ? clean.subarray(end) : undefined
    return this.#kept ? clean.subarray(0, end) : clean
  }

  /** Returns the bytes that are left when the last piece has passed. */
  rest(): Buffer | undefined {
    return this.#kept
  }

  #masked(bytes: Buffer): Buffer {
    let clean = bytes
    for (const secret of this.#secrets) {
      for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at + 1)) {
        if (clean === bytes) clean = Buffer.from(bytes)
        clean.fill(star, at, at + secret.length)
      }
    }
    return clean
  }

  /** Where the first secret begins of which the bytes have a part alone. */
  #endOf(bytes: Buffer): number {
    let end = bytes.length
    for (const secret of this.#secrets) {
      const first = Math.max(0, bytes.length - secret.length + 1)
      for (let at = first; at < end; at++) {
        if (bytes[at] !== secret[0]) continue
        const isBeginning = bytes.compare(secret, 0, bytes.length - at, at) === 0
        if (isBeginning) end = at
      }
    }
    return end
  }
}
