import { errorIn, failedOutcome, statusOfError } from '../../../src/kit/upstream-error.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import type { MaybePromise } from '../../../src/lib/maybe-promise.ts'
import { imageTypeOf } from '../../../src/lib/image-type.ts'
import type { ReadReply } from '../../../src/contract/attempt.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import { numberAt, objectsIn, objectAt, stringAt, tokensAt } from '../../../src/lib/json/read.ts'
import type { ImageField } from './call.ts'
import {
  type ReplyImage,
  type ConversionOptions,
  needsConversion,
  convertImages,
} from './convert-format.ts'
import { measure } from './read-image.ts'
import type { Values } from './values.ts'

/** Number of base64 characters decoded to identify an image. A multiple of four. */
const headCharacters = 64 * 1024

/** Facts about the request that a reply depends on. */
interface ImageReplyContext {
  readonly values: Values
  /** Absent: images stay in the field that the account used. */
  readonly replyField: ImageField | undefined
  /** Returns the conversion options; called only if an image needs conversion. */
  conversion(): ConversionOptions
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Reads an account's reply and completes it to docs/wire/contract.md 6: missing fields are filled
 * from the request or the first image, and images are converted to `replyField`. Other members
 * stay.
 */
export function readImages(json: unknown, context: ImageReplyContext): MaybePromise<ReadReply> {
  const images = objectsIn((json as { data?: unknown } | null)?.data).filter(isImage)
  const error = images.length === 0 ? errorIn(json) : undefined
  if (error) return { outcome: failedOutcome(statusOfError(error), error) }
  const [first] = images
  if (!first) return noImageReply
  const outcome = { status: 'completed', fault: 'none', usage: imageUsage(json) } as const
  const reply = json as Values
  const { replyField } = context
  const others = replyField ? images.filter((image) => needsConversion(image, replyField)) : []
  if (!replyField || others.length === 0) {
    return { outcome, ...changedBody(reply, missingFields(reply, first, context)) }
  }
  // The first image's bytes are gone after the conversion to a URL.
  const known = replyField === 'url' ? missingFields(reply, first, context) : undefined
  return convertImages(others, replyField, context.conversion()).then(() => {
    const isConverted = others.some((image) => !needsConversion(image, replyField))
    const missing = known ?? missingFields(reply, first, context)
    return { outcome, ...changedBody(reply, missing, isConverted) }
  })
}

/** Returns no body if the account's own bytes can pass unchanged. */
function changedBody(reply: Values, missing: Values, isConverted = false): Pick<ReadReply, 'body'> {
  if (!isConverted && Object.keys(missing).length === 0) return {}
  return { body: Buffer.from(JSON.stringify({ ...reply, ...missing })) }
}

/** Returns the token usage of an image reply, if the account reports it. */
export function imageUsage(json: unknown): Usage | undefined {
  const usage = objectAt(json, 'usage')
  return (
    usage &&
    knownUsage({
      inputTokens: tokensAt(usage, 'input_tokens'),
      outputTokens: tokensAt(usage, 'output_tokens'),
      cachedTokens: tokensAt(objectAt(usage, 'input_tokens_details'), 'cached_tokens'),
      reasoningTokens: undefined,
    })
  )
}

const noImageReply: ReadReply = {
  failedHere: true,
  outcome: {
    status: 'failed',
    fault: 'account',
    error: new GatewayError('upstream_invalid_reply', 'The upstream’s reply has no image.'),
  },
}

function isImage(item: ReplyImage): boolean {
  return typeof item['b64_json'] === 'string' || typeof item['url'] === 'string'
}

function missingFields(
  json: Values,
  first: ReplyImage,
  { values, now }: ImageReplyContext,
): Values {
  const missing: Record<string, unknown> = {}
  if (numberAt(json, 'created') === undefined) missing['created'] = Math.floor(now() / 1_000)
  const isMissing = (name: string) => stringAt(json, name) === undefined
  const set = (name: string, value: string | undefined) => {
    if (value !== undefined) missing[name] = value
  }
  if (isMissing('background')) set('background', requestedValue(values, 'background'))
  if (isMissing('quality')) set('quality', requestedValue(values, 'quality'))
  if (!isMissing('size') && !isMissing('output_format')) return missing
  const found = inspect(first)
  if (isMissing('output_format'))
    set('output_format', found.format ?? requestedValue(values, 'output_format'))
  if (isMissing('size')) set('size', found.size ?? requestedValue(values, 'size'))
  return missing
}

/** Returns a requested value, unless it is `auto`, which does not determine the result. */
function requestedValue(values: Values, name: string): string | undefined {
  const value = stringAt(values, name)
  return value === 'auto' ? undefined : value
}

function inspect(image: ReplyImage): { format?: string; size?: string } {
  const base64 = stringAt(image, 'b64_json')
  if (base64 === undefined) return {}
  const head = Buffer.from(base64.slice(0, headCharacters), 'base64')
  const type = imageTypeOf(head)
  if (!type) return {}
  const size = measure(head, type)
  return {
    format: type.slice('image/'.length),
    ...(size && { size: `${size.width}x${size.height}` }),
  }
}
