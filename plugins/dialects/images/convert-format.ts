import { GatewayError } from '../../../src/contract/errors.ts'
import { readDataUrl } from '../../../src/generate/data-url.ts'
import { type Log, describeError } from '../../../src/lib/log.ts'
import { imageTypeOf } from '../../../src/lib/image-type.ts'
import type { RemoteFetch } from '../../../src/contract/services.ts'
import { startDeadline } from '../../../src/remote/deadline.ts'
import type { Results } from '../../../src/storage/results.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import type { ImageField } from './call.ts'

/** How long a URL of an image lives (docs/wire/contract.md 6): 60 minutes. */
export const imageUrlLifetimeMs = 60 * 60_000

/** Of a reply, and no call is for more. */
const mostFetched = 10

/** Of all images of a reply that are fetched, together. */
const mostFetchedBytes = 50 * 1024 * 1024

/** The client has waited for the images themselves by then. Milliseconds. */
const longestTurningMs = 60_000

/** An image of a reply, with whatever its account says of it. */
export type ReplyImage = Record<string, unknown>

/** What it takes to give images in another field than the account did. */
export interface ConversionOptions {
  /** Absent: there is nowhere to keep an image. */
  readonly results: Pick<Results, 'publish'> | undefined
  readonly fetch: RemoteFetch
  /** Fires when the client leaves. */
  readonly signal: AbortSignal
  readonly log: Pick<Log, 'warn'>
  /** How long it may take, in milliseconds; a minute where absent. */
  readonly withinMs?: number
}

/** Whether an image is there in the other field alone. */
export function needsConversion(image: ReplyImage, due: ImageField): boolean {
  return !holds(image, due) && holds(image, due === 'url' ? 'b64_json' : 'url')
}

/**
 * Gives these images the field that is due in place of the one that they have; what else they have
 * stays. They are paid for by now: where it cannot be done, or not in time, they stay as they are,
 * and the log says why. Never rejects.
 */
export async function convertImages(
  images: readonly ReplyImage[],
  due: ImageField,
  turning: ConversionOptions,
): Promise<void> {
  const { log, withinMs = longestTurningMs } = turning
  const late = () => new Error(`It took more than ${withinMs} ms.`)
  using deadline = startDeadline(withinMs, late, turning.signal)
  const { signal } = deadline
  const given = { ...turning, signal }
  try {
    await Promise.race([
      due === 'url' ? toUrls(images, given) : toBase64(images, given),
      endOf(signal),
    ])
  } catch (error) {
    if (turning.signal.aborted) return
    const reason: unknown = signal.aborted ? signal.reason : error
    log.warn(`a client gets images without \`${due}\``, describeError(reason))
  }
}

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** One after the other, so that base64 and bytes of one image alone are there at once. */
async function toUrls(
  images: readonly ReplyImage[],
  { results, signal }: ConversionOptions,
): Promise<void> {
  if (!results)
    throw new Error('There is no storage of the gateway’s own: see `uploads.directory`.')
  let unclear = 0
  for (const image of images) {
    const bytes = bytesIn(image)
    const type = imageTypeOf(bytes)
    if (type) {
      const url = await results.publish(bytes, type, imageUrlLifetimeMs)
      give(image, { url }, signal)
    } else unclear++
  }
  if (unclear > 0) throw new Error(`The base64 of ${unclear} of them is no PNG, JPEG or WebP.`)
}

/** Some accounts write a whole `data:` URL there. */
function bytesIn(image: ReplyImage): Buffer {
  const written = stringAt(image, 'b64_json') ?? ''
  return Buffer.from(readDataUrl(written)?.base64 ?? written, 'base64')
}

/** In place of what it has. What comes too late is given to nobody. */
function give(
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
  { fetch, signal }: ConversionOptions,
): Promise<void> {
  if (images.length > mostFetched) throw new Error(`There are more than ${mostFetched} images.`)
  let left = mostFetchedBytes
  const onBytes = (count: number) => {
    left -= count
    if (left < 0) throw tooLarge()
  }
  const asked = images.map(async (image) => {
    const url = stringAt(image, 'url') ?? ''
    const use = { field, accepted: ['image/png', 'image/jpeg', 'image/webp', 'image/*'], onBytes }
    const base64 =
      readDataUrl(url)?.base64 ?? (await fetch(url, signal, use)).bytes.toString('base64')
    give(image, { b64_json: base64 }, signal)
  })
  for (const { reason } of (await Promise.allSettled(asked)).filter(isRejected)) throw reason
}

const field = { param: 'data', label: 'An image of the account' }

function holds(image: ReplyImage, name: ImageField): boolean {
  return (stringAt(image, name) ?? '') !== ''
}

function tooLarge(): GatewayError {
  const message = `The images of the account are larger than ${mostFetchedBytes} bytes together.`
  return new GatewayError('invalid_value', message)
}

function isRejected(result: PromiseSettledResult<unknown>): result is PromiseRejectedResult {
  return result.status === 'rejected'
}
