import type { RequestBody } from '../contract/body.ts'
import type { Routed } from '../contract/exchange.ts'
import { JsonMeasure } from '../lib/json/measure.ts'
import { isObject, mostJson } from '../lib/json/object.ts'

/** Bytes of text for a token. */
const textBytes = 4
/** Bytes of a picture, a sound or a document in base64 for a token. */
const mediaBytes = 500

/** An estimate of the tokens of texts of so many bytes. */
export function tokensOfText(bytes: number): number {
  return Math.ceil(Math.max(0, bytes) / textBytes)
}

/** An estimate of the tokens of a request, by the size of its body. What it names by ids and URLs does not count. */
export function tokensOfRequest(exchange: Pick<Routed, 'body' | 'progress'>): number {
  return requestTokens(exchange).all
}

/** The same, and how many of the tokens are of pictures, sounds and documents. */
export function requestTokens({ body, progress }: Pick<Routed, 'body' | 'progress'>): {
  readonly all: number
  readonly media: number
} {
  const { all: sent, media } = tokensOfBody(body)
  const { decoded, routing } = progress
  if (!decoded || !routing?.stored) return { all: sent, media }
  // The turns before the request are the gateway's own.
  return { all: Math.max(sent, tokensOfText(textBytesIn(decoded.turns))), media }
}

/** The same of a body alone. */
export function tokensOfBody(body: RequestBody): { readonly all: number; readonly media: number } {
  const { bytes, mediaBytes: encoded } = body.measured ?? measured(body.bytes)
  const media = Math.ceil(encoded / mediaBytes)
  return { all: tokensOfText(bytes - encoded) + media, media }
}

function measured(bytes: Buffer): NonNullable<RequestBody['measured']> {
  const { mediaBytes } = JsonMeasure.of(bytes, mostJson)
  return { bytes: bytes.length, mediaBytes }
}

/** An estimate of the tokens that a model has written, by its words in a reply of any dialect. */
export function tokensOfOutput(reply: unknown): number {
  return tokensOfText(textBytesIn(reply))
}

/** Members of replies, in any dialect, that have the words of a model. */
const texts: ReadonlySet<string> = new Set([
  'arguments',
  'content',
  'delta',
  'partial_json',
  'reasoning',
  'reasoning_content',
  'refusal',
  'text',
  'thinking',
])

/** Members with the arguments of a call as an object. */
const objects: ReadonlySet<string> = new Set(['args', 'input'])

/** The bytes of the words of a model in a reply, or in an event of one. */
export function textBytesIn(value: unknown, name = ''): number {
  if (typeof value === 'string') return texts.has(name) ? Buffer.byteLength(value) : 0
  if (Array.isArray(value))
    return value.reduce<number>((sum, one) => sum + textBytesIn(one, name), 0)
  if (!isObject(value)) return 0
  if (objects.has(name)) return Buffer.byteLength(JSON.stringify(value))
  let sum = 0
  // Entries of a hundred thousand names would be as many arrays.
  for (const key of Object.keys(value)) sum += textBytesIn(value[key], key)
  return sum
}
