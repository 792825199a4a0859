import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import type { Transform } from 'node:stream'

/** Content codings that are undone one after another. More serve no purpose but to cost time. */
const mostCodings = 2

/** Output of this size, in bytes, is accepted however small the input is. */
const freeBytes = 64 * 1024

/** RFC 9659 requires no larger window of zstd for HTTP; the decoder's own limit is 128 MiB. */
const zstdWindowLog = 23

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
  [
    'zstd',
    () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } }),
  ],
])

/** The codings of a `content-encoding` header, the last applied first, or the reason to refuse it. */
export function readCodings(header: string): readonly string[] | CodingRefusal {
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > mostCodings) return { refused: `more than ${mostCodings} codings` }
  const unknown = names.find((name) => !decoders.has(name))
  return unknown === undefined ? names.toReversed() : { refused: `"${unknown}"` }
}

/** Codings that cannot be undone. */
interface CodingRefusal {
  readonly refused: string
}

/** The limits of decoding. */
export interface DecodingLimits {
  /** Bytes that all codings together may yield. */
  readonly bytes: number
  /** Times that the output may be as large as the input, above 64 KiB. */
  readonly expansionRatio: number
}

/** A reason to stop decoding. `bytes` and `ratio` are the limits. */
export type DecodingFault = 'bytes' | 'ratio' | 'invalid'

/** Receives the output of a decoder. Nothing follows a fault or the end. */
export interface DecoderSink {
  onDecoded(chunk: Buffer): void
  onDecodedAll(): void
  onDecodingFault(fault: DecodingFault): void
  /** The decoder accepts input again, after `write` returned false. */
  onDecoderReady(): void
}

/** Undoes the codings of a body piece by piece. All codings share the same limits. */
export class ContentDecoder {
  readonly #layers: readonly Transform[]
  readonly #limits: DecodingLimits
  readonly #sink: DecoderSink
  #read = 0
  #written = 0
  #isOver = false

  /** `codings`: as `readCodings` returns them, at least one. */
  constructor(codings: readonly string[], limits: DecodingLimits, sink: DecoderSink) {
    this.#limits = limits
    this.#sink = sink
    this.#layers = codings.map((name) => decoders.get(name)!())
    for (const [index, layer] of this.#layers.entries()) this.#connect(layer, index)
  }

  /** Decodes input. Returns whether more is welcome at once. */
  write(chunk: Buffer): boolean {
    if (this.#isOver) return true
    this.#read += chunk.length
    return this.#first.write(chunk)
  }

  /** Ends the input. */
  end(): void {
    if (!this.#isOver) this.#first.end()
  }

  /** Stops the output until `resume`. */
  pause(): void {
    this.#last.pause()
  }

  resume(): void {
    this.#last.resume()
  }

  /** Ends without a further call of the sink. */
  destroy(): void {
    this.#isOver = true
    for (const layer of this.#layers) layer.destroy()
  }

  get #first(): Transform {
    return this.#layers[0]!
  }

  get #last(): Transform {
    return this.#layers.at(-1)!
  }

  #connect(layer: Transform, index: number): void {
    const next = this.#layers[index + 1]
    layer.on('data', (chunk: Buffer) => {
      if (!this.#count(chunk.length)) return
      if (!next) this.#sink.onDecoded(chunk)
      else if (!next.write(chunk)) layer.pause()
    })
    layer.on('end', () => {
      if (this.#isOver) return
      if (next) return void next.end()
      this.#isOver = true
      this.#sink.onDecodedAll()
    })
    layer.on('error', () => this.#stop('invalid'))
    next?.on('drain', () => layer.resume())
    if (index === 0) {
      layer.on('drain', () => {
        if (!this.#isOver) this.#sink.onDecoderReady()
      })
    }
  }

  /** Counts output of any layer. Returns false once the decoder has stopped. */
  #count(bytes: number): boolean {
    if (this.#isOver) return false
    this.#written += bytes
    const { bytes: most, expansionRatio } = this.#limits
    if (this.#written > most) this.#stop('bytes')
    else if (this.#written > freeBytes + expansionRatio * this.#read) this.#stop('ratio')
    return !this.#isOver
  }

  #stop(fault: DecodingFault): void {
    if (this.#isOver) return
    this.destroy()
    this.#sink.onDecodingFault(fault)
  }
}
