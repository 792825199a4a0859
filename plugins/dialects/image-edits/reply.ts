import { errorIn, failedOutcome, statusOfWords } from '../../../src/error-reply.ts'
import { GatewayError } from '../../../src/errors.ts'
import type { Usage } from '../../../src/exchange.ts'
import type { ReadReply } from '../../../src/upstream/approach.ts'
import { count, knownUsage, objectsIn, part, text, tokens } from '../../../src/usage.ts'
import { measure, typeOf } from './read-image.ts'
import type { Values } from './values.ts'

/** So much base64 shows what an image is. A multiple of four. */
const headCharacters = 64 * 1024

/**
 * An account's reply with the contract's fields. What an account leaves out is told as far as the
 * request or the first image shows it; everything else is the account's.
 */
export function readImages(json: unknown, values: Values, now: () => number): ReadReply {
  const images = objectsIn((json as { data?: unknown } | null)?.data).filter(isImage)
  const error = images.length === 0 ? errorIn(json) : undefined
  if (error) return { outcome: failedOutcome(statusOfWords(error), error) }
  const [first] = images
  if (!first) return imageless
  const outcome = { status: 'completed', fault: 'none', usage: imageUsage(json) } as const
  const missing = missingFields(json as Values, values, { first, now })
  if (Object.keys(missing).length === 0) return { outcome }
  return { outcome, body: Buffer.from(JSON.stringify({ ...(json as object), ...missing })) }
}

/** What images cost in tokens, where the account tells. */
export function imageUsage(json: unknown): Usage | undefined {
  const usage = part(json, 'usage')
  return (
    usage &&
    knownUsage({
      inputTokens: tokens(usage, 'input_tokens'),
      outputTokens: tokens(usage, 'output_tokens'),
      cachedTokens: tokens(part(usage, 'input_tokens_details'), 'cached_tokens'),
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

function isImage(item: Values): boolean {
  return typeof item['b64_json'] === 'string' || typeof item['url'] === 'string'
}

function missingFields(
  json: Values,
  values: Values,
  { first, now }: { first: Values; now: () => number },
): Values {
  const missing: Record<string, unknown> = {}
  if (count(json, 'created') === undefined) missing['created'] = Math.floor(now() / 1_000)
  const wants = (name: string) => text(json, name) === undefined
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
  const value = text(values, name)
  return value === 'auto' ? undefined : value
}

function look(image: Values): { format?: string; size?: string } {
  const base64 = text(image, 'b64_json')
  if (base64 === undefined) return {}
  const head = Buffer.from(base64.slice(0, headCharacters), 'base64')
  const type = typeOf(head)
  if (!type) return {}
  const size = measure(head, type)
  return {
    format: type.slice('image/'.length),
    ...(size && { size: `${size.width}x${size.height}` }),
  }
}
