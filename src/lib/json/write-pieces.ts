import { cutIn } from '../cut-in.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { Turns } from '../turns.ts'

/** Values up to about this size, in characters, are written at once. */
const pieceLength = 64 * 1024

/** Characters that are collected before they become bytes. */
const textLength = 256 * 1024

/**
 * Writes a value as `JSON.stringify` does, as UTF-8, but in pieces and in turns of the event loop. The
 * value must be JSON: without cycles and `toJSON`. Members without a value are left out.
 */
async function writeInPieces(value: unknown, turns: Turns): Promise<Buffer> {
  const writer = new PieceWriter(turns)
  await writer.write(value)
  return writer.bytes()
}

/** Writes a value: at once if it is small, else in turns of the event loop. */
export function writeJson(value: unknown): MaybePromise<Buffer> {
  return isLargeJson(value) ? writeInPieces(value, new Turns()) : Buffer.from(JSON.stringify(value))
}

/**
 * Objects of half of `pieceLength` or more: V8 collects all names of an object before the first of them can be read,
 * and an object may have a hundred thousand.
 */
const largeObjects = new WeakSet<object>()

/** Whether a value is so long that it is worth several turns of the event loop. Looks at a small part only. */
export function isLargeJson(value: unknown): boolean {
  return leftAfter(value, pieceLength) <= 0
}

class PieceWriter {
  readonly #turns: Turns
  readonly #parts: Buffer[] = []
  #text = ''

  constructor(turns: Turns) {
    this.#turns = turns
  }

  /** All bytes. Copied in turns: fresh memory for a large text can take long to get. */
  async bytes(): Promise<Buffer> {
    this.#parts.push(Buffer.from(this.#text))
    const length = this.#parts.reduce((sum, part) => sum + part.length, 0)
    const bytes = Buffer.allocUnsafeSlow(length)
    let at = 0
    for (const part of this.#parts) {
      at += part.copy(bytes, at)
      if (this.#turns.isOver) await this.#turns.next()
    }
    return bytes
  }

  async write(value: unknown): Promise<void> {
    if (typeof value === 'string') await this.#writeString(value)
    else if (!isLargeJson(value)) this.#add(JSON.stringify(value) ?? 'null')
    else if (Array.isArray(value)) await this.#writeList(value)
    else await this.#writeObject(value as object)
    if (this.#turns.isOver) await this.#turns.next()
  }

  #add(text: string): void {
    this.#text += text
    if (this.#text.length < textLength) return
    this.#parts.push(Buffer.from(this.#text))
    this.#text = ''
  }

  async #writeList(list: readonly unknown[]): Promise<void> {
    this.#add('[')
    for (const [index, value] of list.entries()) {
      if (index > 0) this.#add(',')
      await this.write(value)
    }
    this.#add(']')
  }

  async #writeObject(object: object): Promise<void> {
    let before = '{'
    // Not the entries: a list of a hundred thousand pairs takes several times as long.
    for (const name of Object.keys(object)) {
      const value = (object as Record<string, unknown>)[name]
      if (value === undefined) continue
      this.#add(before)
      await this.#writeString(name)
      this.#add(':')
      await this.write(value)
      before = ','
    }
    this.#add(before === '{' ? '{}' : '}')
  }

  async #writeString(text: string): Promise<void> {
    if (text.length <= pieceLength) return this.#add(JSON.stringify(text))
    this.#add('"')
    for (let at = 0; at < text.length;) {
      const cut = cutIn(text, at + pieceLength)
      this.#add(JSON.stringify(text.slice(at, cut)).slice(1, -1))
      at = cut
      if (this.#turns.isOver) await this.#turns.next()
    }
    this.#add('"')
  }
}

/** The characters left of `length` after a value; not positive for a value that is as long. */
function leftAfter(value: unknown, length: number): number {
  if (typeof value === 'string') return length - value.length - 2
  if (typeof value !== 'object' || value === null) return length - 8
  if (largeObjects.has(value)) return 0
  let left = length - 2
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left > 0; index++) {
      left = leftAfter(value[index], left)
    }
  } else {
    for (const name in value) {
      left = leftAfter((value as Record<string, unknown>)[name], left - name.length)
      if (left <= 0) break
    }
  }
  if (length - left >= pieceLength / 2) largeObjects.add(value)
  return left
}
