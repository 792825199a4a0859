import { errorIn, failedOutcome, statusOfError } from '../../../src/kit/upstream-error.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import type { MaybePromise } from '../../../src/lib/maybe-promise.ts'
import type { ReadReply } from '../../../src/contract/attempt.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import { objectsIn, objectAt, stringAt, tokensAt } from '../../../src/lib/json/read.ts'
import { type ImageField, requestedCount } from './call.ts'
import {
  type ReplyImage,
  type ConversionOptions,
  needsConversion,
  convertImages,
} from './convert-format.ts'
import {
  type ResultContext,
  createdAt,
  ownWords,
  resultUsage,
  resultWord,
  wordFields,
} from './result-fields.ts'
import type { Values } from './values.ts'

/** Facts about the request that a reply depends on. */
interface ImageReplyContext extends ResultContext {
  /** Absent: images stay in the field that the account used. */
  readonly replyField: ImageField | undefined
  /** Returns the conversion options; called only if an image needs conversion. */
  conversion(): ConversionOptions
}

/**
 * Reads an account's reply and brings it to docs/wire/contract.md 6: fields have the words and types
 * of a result, from the account, the first image or the request, and images are converted to
 * `replyField`. Other members stay.
 */
export function readImages(json: unknown, context: ImageReplyContext): MaybePromise<ReadReply> {
  const reply = (json ?? {}) as Values
  const all = objectsIn(reply['data']).map(withoutOthers).filter(isImage)
  const images = all.slice(0, requestedCount(context.values))
  const error = images.length === 0 ? errorIn(json) : undefined
  if (error) return { outcome: failedOutcome(statusOfError(error), error) }
  const [first] = images
  if (!first) return noImageReply
  const outcome = {
    status: 'completed',
    fault: 'none',
    usage: imageUsage(json, images.length, context),
  } as const
  const { replyField } = context
  // The first image's bytes are gone after the conversion to a URL.
  const known = replyField === 'b64_json' ? undefined : resultFields(reply, first, context)
  const others = replyField ? images.filter((image) => needsConversion(image, replyField)) : []
  if (!replyField || others.length === 0) {
    const fields = known ?? resultFields(reply, first, context)
    return { outcome, ...changedBody(reply, { ...fields, data: sameItems(reply['data'], images) }) }
  }
  return convertImages(others, replyField, context.conversion()).then(() => {
    const fields = known ?? resultFields(reply, first, context)
    return { outcome, ...changedBody(reply, { ...fields, data: [...images] }) }
  })
}

/** Returns no body if the account's own bytes can pass unchanged. */
function changedBody(reply: Values, changes: Values): Pick<ReadReply, 'body'> {
  const isSame = Object.entries(changes).every(
    ([name, value]) => reply[name] === value && (value !== undefined || !(name in reply)),
  )
  return isSame ? {} : { body: Buffer.from(JSON.stringify({ ...reply, ...changes })) }
}

/** Returns the account's list if it has the same items. */
function sameItems(list: unknown, images: readonly ReplyImage[]): unknown {
  const isSame =
    Array.isArray(list) &&
    list.length === images.length &&
    images.every((image, index) => image === list[index])
  return isSame ? list : images
}

/** Returns the usage of a reply, or of an event of one: its images, and its tokens if the account reports them. */
export function imageUsage(
  json: unknown,
  images: number,
  { kind, values }: Pick<ResultContext, 'kind' | 'values'>,
): Usage {
  const usage = objectAt(json, 'usage')
  const usual = kind === 'legacy' ? usualKind : {}
  return knownUsage({
    inputTokens: tokensAt(usage, 'input_tokens'),
    outputTokens: tokensAt(usage, 'output_tokens'),
    cachedTokens: tokensAt(usage?.['input_tokens_details'], 'cached_tokens'),
    imageInputTokens: tokensAt(usage?.['input_tokens_details'], 'image_tokens') || undefined,
    imageOutputTokens: tokensAt(usage?.['output_tokens_details'], 'image_tokens') || undefined,
    images,
    imageSize: kindAt(json, 'size') ?? kindAt(values, 'size') ?? usual.size,
    imageQuality: kindAt(json, 'quality') ?? kindAt(values, 'quality') ?? usual.quality,
  })
}

/** The images of legacy models if a request names no kind (docs/wire/contract.md 6). */
const usualKind: Readonly<Partial<Record<'size' | 'quality', string>>> = {
  size: '1024x1024',
  quality: 'standard',
}

function kindAt(owner: unknown, name: keyof typeof ownWords): string | undefined {
  const word = stringAt(owner, name)
  return word !== undefined && ownWords[name].test(word) ? word : undefined
}

const noImageReply: ReadReply = {
  failedHere: true,
  outcome: {
    status: 'failed',
    fault: 'account',
    error: new GatewayError('upstream_invalid_reply', 'The upstream’s reply has no image.'),
  },
}

const imageFields = ['url', 'b64_json'] as const

/** Returns an image without fields that carry none, such as `url: null`; the same object if it has no such. */
function withoutOthers(image: ReplyImage): ReplyImage {
  const wrong = imageFields.filter((name) => name in image && !isText(image[name]))
  if (wrong.length === 0) return image
  const entries = Object.entries(image).filter(([name]) => !wrong.some((one) => one === name))
  return Object.fromEntries(entries)
}

function isImage(image: ReplyImage): boolean {
  return imageFields.some((name) => isText(image[name]))
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function resultFields(reply: Values, first: ReplyImage, context: ResultContext): Values {
  return {
    created: createdAt(reply['created'], context.now),
    ...Object.fromEntries(
      wordFields.map((name) => [name, resultWord(name, reply[name], first, context)]),
    ),
    usage: resultUsage(reply['usage'], context),
  }
}
