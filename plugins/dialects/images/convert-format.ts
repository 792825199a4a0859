import { GatewayError } from '../../../src/contract/errors.ts'
import { readDataUrl } from '../../../src/generate/data-url.ts'
import { type Log, describeError } from '../../../src/lib/log.ts'
import { imageTypeOf } from '../../../src/lib/image-type.ts'
import type { RemoteFetch } from '../../../src/contract/services.ts'
import { startDeadline } from '../../../src/remote/deadline.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import type { Results } from '../../../src/storage/results.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import type { ImageField } from './call.ts'

/** Lifetime of an image URL, 60 minutes in milliseconds (docs/wire/contract.md 6). */
const imageUrlLifetimeMs = 60 * 60_000

/** Maximum total size of the fetched images of a reply, in bytes. */
const maxFetchedBytes = 50 * 1024 * 1024

/** Default time limit of a conversion, in milliseconds. */
const defaultTimeoutMs = 60_000

/** An image object of a reply, with all members that the account sent. */
export type ReplyImage = Record<string, unknown>

/** Options of `convertImages`. */
export interface ConversionOptions {
  /** Absent if the gateway has no storage for images. */
  readonly results: Pick<Results, 'publish'> | undefined
  /** The client's request, for URLs of this gateway. */
  readonly request?: ClientRequest
  readonly fetch: RemoteFetch
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** The id of the API key whose call it is. */
  readonly keyId?: string
  readonly log: Pick<Log, 'warn'>
  /** Time limit in milliseconds; default one minute. */
  readonly withinMs?: number
}

/** Whether an image has only the other field. */
export function needsConversion(image: ReplyImage, replyField: ImageField): boolean {
  return !hasField(image, replyField) && hasField(image, replyField === 'url' ? 'b64_json' : 'url')
}

/**
 * Converts images in place to the field `replyField`; other members stay. The images are already
 * billed, so on failure or timeout they stay unchanged and the reason is logged. Never rejects.
 */
export async function convertImages(
  images: readonly ReplyImage[],
  replyField: ImageField,
  options: ConversionOptions,
): Promise<void> {
  const { log, withinMs = defaultTimeoutMs } = options
  const timeoutError = () => new Error(`The conversion took more than ${withinMs} ms.`)
  using deadline = startDeadline(withinMs, timeoutError, options.signal)
  const { signal } = deadline
  const limited = { ...options, signal }
  try {
    await Promise.race([
      replyField === 'url' ? toUrls(images, limited) : toBase64(images, limited),
      rejectOnAbort(signal),
    ])
  } catch (error) {
    if (options.signal.aborted) return
    const reason: unknown = signal.aborted ? signal.reason : error
    log.warn(`image conversion to \`${replyField}\` failed`, describeError(reason))
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** Converts one image at a time to limit memory. */
async function toUrls(
  images: readonly ReplyImage[],
  { results, request, signal }: ConversionOptions,
): Promise<void> {
  if (!results) throw new Error('The gateway has no storage of its own: see `uploads.directory`.')
  let unreadable = 0
  for (const image of images) {
    const bytes = bytesIn(image)
    const type = imageTypeOf(bytes)
    if (type) {
      const url = await results.publish(bytes, type, imageUrlLifetimeMs, request)
      setField(image, { url }, signal)
    } else unreadable++
  }
  if (unreadable > 0) throw new Error(`${unreadable} images are no PNG, JPEG or WebP.`)
}

/** Decodes `b64_json`; some accounts send a `data:` URL there. */
function bytesIn(image: ReplyImage): Buffer {
  const encoded = stringAt(image, 'b64_json') ?? ''
  return Buffer.from(readDataUrl(encoded)?.base64 ?? encoded, 'base64')
}

/** Replaces the image field. Throws if the conversion has been aborted. */
function setField(
  image: ReplyImage,
  field: { readonly url: string } | { readonly b64_json: string },
  signal: AbortSignal,
): void {
  signal.throwIfAborted()
  delete image['url']
  delete image['b64_json']
  Object.assign(image, field)
}

async function toBase64(
  images: readonly ReplyImage[],
  { fetch, signal, keyId }: ConversionOptions,
): Promise<void> {
  let left = maxFetchedBytes
  const onBytes = (count: number) => {
    left -= count
    if (left < 0) throw tooLarge()
  }
  const fetches = images.map(async (image) => {
    const url = stringAt(image, 'url') ?? ''
    const accepted = ['image/png', 'image/jpeg', 'image/webp', 'image/*']
    const use = { field, accepted, onBytes, keyId }
    const base64 =
      readDataUrl(url)?.base64 ?? (await fetch(url, signal, use)).bytes.toString('base64')
    setField(image, { b64_json: base64 }, signal)
  })
  for (const { reason } of (await Promise.allSettled(fetches)).filter(isRejected)) throw reason
}

const field = { param: 'data', label: 'An image of the account' }

function hasField(image: ReplyImage, name: ImageField): boolean {
  return (stringAt(image, name) ?? '') !== ''
}

function tooLarge(): GatewayError {
  const message = `The account's images exceed ${maxFetchedBytes} bytes in total.`
  return new GatewayError('invalid_value', message)
}

function isRejected(result: PromiseSettledResult<unknown>): result is PromiseRejectedResult {
  return result.status === 'rejected'
}
