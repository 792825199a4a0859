import { GatewayError } from '../contract/errors.ts'
import { type MemoryLease, freeBytes } from '../contract/memory.ts'
import {
  ContentDecoder,
  type DecoderSink,
  type DecodingFault,
  readCodings,
} from '../lib/content-decoder.ts'
import { bodyTooLarge } from '../kit/body-limits.ts'

/** The limits of a decompressed body. */
interface DecompressionLimits {
  readonly jsonBodyBytes: number
  readonly expansionRatio: number
}

/** Compressed bytes that are given to the decoder at a time. */
const sliceBytes = 16 * 1024

/** The most memory that is taken for decompressed bytes at a time. */
const stepBytes = 1024 * 1024

/**
 * Undoes `content-encoding`. Rejects with `GatewayError` 400 for bytes that are not in this coding, 413
 * beyond the limits, 415 for a coding that is not supported, and 503 without memory.
 */
export async function decompress(
  raw: Buffer,
  encoding: string,
  limits: DecompressionLimits,
  lease: () => MemoryLease,
): Promise<Buffer> {
  const codings = readCodings(encoding)
  if ('refused' in codings) throw unsupported(codings.refused)
  if (codings.length === 0) return raw
  return new Promise((resolve, reject) => {
    const decompression = new Decompression(raw, lease, {
      resolve,
      reject,
      faultOf: (fault) => errorOf(fault, encoding.trim(), limits),
    })
    const { jsonBodyBytes: bytes, expansionRatio } = limits
    decompression.run(new ContentDecoder(codings, { bytes, expansionRatio }, decompression))
  })
}

interface Ending {
  readonly resolve: (bytes: Buffer) => void
  readonly reject: (error: unknown) => void
  readonly faultOf: (fault: DecodingFault) => GatewayError
}

/** One body on its way through a decoder, with memory taken step by step. */
class Decompression implements DecoderSink {
  readonly #raw: Buffer
  readonly #lease: () => MemoryLease
  readonly #ending: Ending
  readonly #chunks: Buffer[] = []
  #decoder!: ContentDecoder
  #position = 0
  #size = 0
  #granted = freeBytes

  constructor(raw: Buffer, lease: () => MemoryLease, ending: Ending) {
    this.#raw = raw
    this.#lease = lease
    this.#ending = ending
  }

  run(decoder: ContentDecoder): void {
    this.#decoder = decoder
    this.onDecoderReady()
  }

  onDecoderReady(): void {
    const raw = this.#raw
    while (this.#position < raw.length) {
      const slice = raw.subarray(this.#position, (this.#position += sliceBytes))
      if (!this.#decoder.write(slice)) return
    }
    if (this.#position < Infinity) this.#decoder.end()
    this.#position = Infinity
  }

  onDecoded(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size <= this.#granted) return
    this.#granted = this.#size + Math.min(this.#size, stepBytes)
    const waiting = this.#lease().hold('decoded', this.#granted)
    if (!waiting) return
    this.#decoder.pause()
    waiting.then(
      () => this.#decoder.resume(),
      (error: unknown) => {
        this.#decoder.destroy()
        this.#ending.reject(error)
      },
    )
  }

  onDecodedAll(): void {
    if (this.#granted > freeBytes) void this.#lease().hold('decoded', this.#size)
    this.#ending.resolve(Buffer.concat(this.#chunks, this.#size))
  }

  onDecodingFault(fault: DecodingFault): void {
    this.#ending.reject(this.#ending.faultOf(fault))
  }
}

function errorOf(
  fault: DecodingFault,
  encoding: string,
  { jsonBodyBytes, expansionRatio }: DecompressionLimits,
): GatewayError {
  if (fault === 'bytes') return bodyTooLarge(jsonBodyBytes)
  if (fault === 'invalid') {
    const message = `The request body is not valid ${encoding.slice(0, 100)}.`
    return new GatewayError('invalid_encoding', message)
  }
  const message = `The request body is more than ${expansionRatio} times as large decompressed as compressed.`
  return new GatewayError('request_too_large', message)
}

function unsupported(refused: string): GatewayError {
  return new GatewayError(
    'unsupported_media_type',
    `Content-Encoding: ${refused.slice(0, 100)} is not supported; use gzip, br or zstd.`,
  )
}
