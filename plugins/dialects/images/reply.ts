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

/** So much base64 shows what an image is. A multiple of four. */
const headCharacters = 64 * 1024

/** What a reply is to answer. */
export interface ImageReplyContext {
  readonly values: Values
  /** Absent: images pass in whichever field they are. */
  readonly due: ImageField | undefined
  /** Asked for where an image is not in the field that is due. */
  turning(): ConversionOptions
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * An account's reply with the contract's fields. What an account leaves out is told as far as the
 * request or the first image shows it, and images come in the field that is due; everything else is
 * the account's.
 */
export function readImages(json: unknown, asked: ImageReplyContext): MaybePromise<ReadReply> {
  const images = objectsIn((json as { data?: unknown } | null)?.data).filter(isImage)
  const error = images.length === 0 ? errorIn(json) : undefined
  if (error) return { outcome: failedOutcome(statusOfError(error), error) }
  const [first] = images
  if (!first) return imageless
  const outcome = { status: 'completed', fault: 'none', usage: imageUsage(json) } as const
  const reply = json as Values
  const { due } = asked
  const others = due ? images.filter((image) => needsConversion(image, due)) : []
  if (!due || others.length === 0) {
    return { outcome, ...changedBody(reply, missingFields(reply, first, asked)) }
  }
  // Only while its bytes are here can be seen what an image is.
  const known = due === 'url' ? missingFields(reply, first, asked) : undefined
  return convertImages(others, due, asked.turning()).then(() => {
    const isTurned = others.some((image) => !needsConversion(image, due))
    const missing = known ?? missingFields(reply, first, asked)
    return { outcome, ...changedBody(reply, missing, isTurned) }
  })
}

/** None where the account's own bytes will do. */
function changedBody(reply: Values, missing: Values, isTurned = false): Pick<ReadReply, 'body'> {
  if (!isTurned && Object.keys(missing).length === 0) return {}
  return { body: Buffer.from(JSON.stringify({ ...reply, ...missing })) }
}

/** What images cost in tokens, where the account tells. */
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

const imageless: ReadReply = {
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
  const wants = (name: string) => stringAt(json, name) === undefined
  const tell = (name: string, value: string | undefined) => {
    if (value !== undefined) missing[name] = value
  }
  if (wants('background')) tell('background', asked(values, 'background'))
  if (wants('quality')) tell('quality', asked(values, 'quality'))
  if (!wants('size') && !wants('output_format')) return missing
  const shown = look(first)
  if (wants('output_format')) tell('output_format', shown.format ?? asked(values, 'output_format'))
  if (wants('size')) tell('size', shown.size ?? asked(values, 'size'))
  return missing
}

/** `auto` says nothing of what came of it. */
function asked(values: Values, name: string): string | undefined {
  const value = stringAt(values, name)
  return value === 'auto' ? undefined : value
}

function look(image: ReplyImage): { format?: string; size?: string } {
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
