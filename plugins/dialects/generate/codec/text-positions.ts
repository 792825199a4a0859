/** The code units of a text between two entries of its table. */
const blockLength = 256

/**
 * Converts positions in a text between UTF-8 bytes and UTF-16 code units. The first position of a text
 * that is not ASCII takes one pass over it, and each further one about the same short time: an account may
 * cite a long text at tens of thousands of positions.
 */
export class TextPositions {
  readonly #text: string
  /** The bytes before each block; none for ASCII. */
  #blocks: readonly number[] | undefined
  #bytes = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The length of the text's first `bytes` bytes once they are decoded. Part of a character counts as one unit. */
  unitsIn(bytes: number): number {
    const blocks = this.#table()
    const { length } = this.#text
    if (bytes >= this.#bytes) return length
    if (blocks.length === 0) return Math.trunc(Math.max(0, bytes))
    return this.#unitAt(Math.trunc(Math.max(0, bytes)), blocks)
  }

  /** The length of `text.slice(0, position)` in bytes. Half of a character counts as three bytes. */
  bytesIn(position: number): number {
    const blocks = this.#table()
    const unit = endOfSlice(position, this.#text.length)
    if (blocks.length === 0) return unit
    const block = Math.floor(unit / blockLength)
    let bytes = blocks[block]!
    for (let at = block * blockLength; at < unit; at++) bytes += bytesAt(this.#text, at)
    return isPair(this.#text, unit - 1) ? bytes - 1 : bytes
  }

  #table(): readonly number[] {
    if (this.#blocks) return this.#blocks
    const text = this.#text
    this.#bytes = Buffer.byteLength(text)
    return (this.#blocks = this.#bytes === text.length ? [] : blocksOf(text))
  }

  #unitAt(bytes: number, blocks: readonly number[]): number {
    const block = lastUpTo(bytes, blocks)
    let before = blocks[block]!
    for (let unit = block * blockLength; unit < this.#text.length; unit++) {
      const width = bytesAt(this.#text, unit)
      if (before + width > bytes) return before === bytes ? unit : unit + 1
      before += width
    }
    return this.#text.length
  }
}

/** Returns the bytes before each block of a text, also before an empty last one. */
function blocksOf(text: string): number[] {
  const blocks: number[] = []
  let bytes = 0
  for (let unit = 0; unit <= text.length; unit++) {
    if (unit % blockLength === 0) blocks.push(bytes)
    bytes += bytesAt(text, unit)
  }
  return blocks
}

/** Returns the index of the last block with at most `bytes` bytes before it. */
function lastUpTo(bytes: number, blocks: readonly number[]): number {
  let low = 0
  let high = blocks.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (blocks[middle]! <= bytes) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the bytes of a code unit. The first unit of a pair has all four of its bytes. */
function bytesAt(text: string, unit: number): number {
  const code = text.charCodeAt(unit)
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  if (isPair(text, unit)) return 4
  return isPair(text, unit - 1) ? 0 : 3
}

/** Whether a pair of surrogates begins at a code unit. */
function isPair(text: string, unit: number): boolean {
  return isFirstOfPair(text.charCodeAt(unit)) && isSecondOfPair(text.charCodeAt(unit + 1))
}

function isFirstOfPair(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

function isSecondOfPair(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}

/** Returns where a slice ends: a negative position counts from the end of the text. */
function endOfSlice(position: number, length: number): number {
  const end = Math.trunc(position) || 0
  return end < 0 ? Math.max(0, length + end) : Math.min(end, length)
}
