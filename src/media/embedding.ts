/**
 * The neutral model of embeddings. Requests and replies of every dialect, on the side of clients and on the
 * side of accounts, are converted to and from it.
 */
import type { JsonObject } from '../lib/json/object.ts'

/** A request to embed inputs with one model. */
export interface EmbeddingRequest {
  readonly inputs: readonly EmbeddingInput[]
  /** The length of the vectors. Absent: the model's own. */
  readonly dimensions?: number
  /** Whether inputs that are too long are cut. Absent: as the account does it. */
  readonly truncates?: boolean
  /** The client's names of the members that it uses, for messages. */
  readonly names: EmbeddingNames
  /** Further members, by the names that the client uses: no account of another dialect gets them. */
  readonly further: readonly string[]
}

/** The client's names of the members of a request. */
export type EmbeddingNames = Readonly<
  Record<'inputs', string> & Partial<Record<'dimensions' | 'task' | 'title' | 'truncates', string>>
>

/** One thing to embed: a text, its tokens, or parts of which not all are texts. */
export interface EmbeddingInput {
  readonly text?: string
  readonly tokens?: readonly number[]
  /** In the words of Google's APIs. */
  readonly parts?: readonly JsonObject[]
  /** The use of the vector, in the words of Google's APIs: `RETRIEVAL_QUERY`. */
  readonly task?: string
  /** The title of a document. */
  readonly title?: string
}

/** The vectors of a request, in the order of its inputs. */
export interface EmbeddingResult {
  readonly vectors: readonly Vector[]
}

/** One vector, and what its account reports of its input. */
export interface Vector {
  readonly numbers: readonly number[]
  readonly tokens?: number
  readonly isTruncated?: boolean
}

/** The most numbers that are written as text. A reply of an account may have as many. */
const mostNumbers = 1_000_000

/** Bytes of a number in base64, and characters of four such bytes. */
const numberBytes = 4

/**
 * The numbers of an embedding that an account sends as numbers, or as little-endian 32-bit floats in base64. `undefined`
 * for another value.
 */
export function numbersOf(embedding: unknown): readonly number[] | undefined {
  return typeof embedding === 'string' ? numbersIn(embedding) : listedNumbers(embedding)
}

/** The numbers of a list. `undefined` for another value. */
export function listedNumbers(embedding: unknown): readonly number[] | undefined {
  if (!Array.isArray(embedding) || embedding.length === 0) return undefined
  const isList = embedding.every((one) => typeof one === 'number')
  return isList ? embedding : undefined
}

function numbersIn(base64: string): number[] | undefined {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0 || bytes.length % numberBytes !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return Array.from({ length: bytes.length / numberBytes }, (_, index) =>
    view.getFloat32(index * numberBytes, true),
  )
}

/** Whether embeddings in base64 have too many numbers to be written as text. */
export function hasTooManyNumbers(embeddings: readonly unknown[]): boolean {
  const characters = embeddings.reduce<number>(
    (sum, one) => sum + (typeof one === 'string' ? one.length : 0),
    0,
  )
  return (characters * 3) / 4 / numberBytes > mostNumbers
}

/** Numbers as little-endian 32-bit floats in base64. */
export function base64OfNumbers(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * numberBytes)
  numbers.forEach((number, index) => bytes.writeFloatLE(number, index * numberBytes))
  return bytes.toString('base64')
}
