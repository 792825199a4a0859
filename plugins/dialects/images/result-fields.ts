import { imageTypeOf } from '../../../src/lib/image-type.ts'
import { objectAt, stringAt, tokensAt } from '../../../src/lib/json/read.ts'
import { wholeSeconds } from '../../../src/lib/time.ts'
import type { ChosenModel } from './models.ts'
import { sizeOfHead } from './image-size.ts'
import type { Values } from './values.ts'

/** The values that a result may have (docs/wire/contract.md 6). A request may have others, such as `auto`. */
const words = {
  background: ['transparent', 'opaque'],
  output_format: ['png', 'jpeg', 'webp'],
  quality: ['low', 'medium', 'high'],
  size: ['1024x1024', '1024x1536', '1536x1024'],
}

/** The fields of a result that have words. */
export const wordFields = ['background', 'quality', 'size', 'output_format'] as const

type WordField = (typeof wordFields)[number]

/** Later models have sizes and qualities of their own. */
export const ownWords = { size: /^[1-9]\d{0,4}x[1-9]\d{0,4}$/, quality: /^(?!auto$)[a-z]{1,20}$/ }

/** Facts about the request that a result depends on. */
export interface ResultContext extends Pick<ChosenModel, 'kind'> {
  readonly values: Values
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}

/** Returns the value if it is a word of a result of such a model. */
function wordOf(name: WordField, value: unknown, kind: ChosenModel['kind']): string | undefined {
  if (typeof value !== 'string') return undefined
  const isOwn = kind === 'later' && (name === 'size' || name === 'quality')
  const isWord = isOwn ? ownWords[name].test(value) : words[name].includes(value)
  return isWord ? value : undefined
}

/**
 * Returns the value of a field of a result: the account's if it is one of the result's words, else the
 * image's, else the request's. `first` is the first image; its bytes are read only if they are needed.
 */
export function resultWord(
  name: WordField,
  reported: unknown,
  first: Values,
  { kind, values }: ResultContext,
): string | undefined {
  const known = wordOf(name, reported, kind)
  if (known !== undefined) return known
  const found = name === 'size' || name === 'output_format' ? inspect(first)[name] : undefined
  return wordOf(name, found, kind) ?? wordOf(name, values[name], kind)
}

/** Number of base64 characters decoded to identify an image. A multiple of four. */
const headCharacters = 64 * 1024

function inspect(image: Values): { output_format?: string; size?: string } {
  const base64 = stringAt(image, 'b64_json')
  if (base64 === undefined) return {}
  const head = Buffer.from(base64.slice(0, headCharacters), 'base64')
  const type = imageTypeOf(head)
  if (!type) return {}
  const size = sizeOfHead(head, type)
  return {
    output_format: type.slice('image/'.length),
    ...(size && { size: `${size.width}x${size.height}` }),
  }
}

/** Returns a time in whole seconds: the time that the account reports, or now if it reports no valid time. */
export function createdAt(reported: unknown, now: () => number): number {
  return wholeSeconds(reported) ?? Math.floor(now() / 1_000)
}

const counts = ['input_tokens', 'output_tokens', 'total_tokens']
const detailCounts = ['image_tokens', 'text_tokens']

/**
 * Returns the usage of a result, whose counts are integers: the account's own object if it is so.
 * `undefined` for other values, and for legacy models, whose results have no usage.
 */
export function resultUsage(
  usage: unknown,
  { kind }: Pick<ResultContext, 'kind'>,
): object | undefined {
  if (kind === 'legacy' || typeof usage !== 'object' || usage === null) return undefined
  if (Array.isArray(usage)) return undefined
  const counted = withCounts(usage, counts)
  const details = objectAt(usage, 'input_tokens_details')
  const limited = details && !Array.isArray(details) ? withCounts(details, detailCounts) : undefined
  if (counted === usage && limited === (usage as Values)['input_tokens_details']) return usage
  return { ...counted, input_tokens_details: limited }
}

/** Returns an object without those counts that are no counts; the same object if all are. */
function withCounts(object: object, names: readonly string[]): object {
  const wrong = names.filter((name) => name in object && tokensAt(object, name) === undefined)
  if (wrong.length === 0) return object
  return Object.fromEntries(Object.entries(object).filter(([name]) => !wrong.includes(name)))
}
