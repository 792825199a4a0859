import { buffer } from 'node:stream/consumers'

import { wrong } from '../../../src/kit/checks.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import type { Files } from '../../../src/contract/files.ts'
import { readDataUrl, writeDataUrl } from '../../../src/generate/data-url.ts'
import { largestStored } from '../../../src/jobs/stored.ts'
import { reserveMemory } from '../../../src/kit/reserve-memory.ts'
import { rereadFile } from '../../../src/storage/read-opened.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { imageFields } from './json-images.ts'
import type { CheckedImage, InputImages } from './input-images.ts'
import type { Values } from './values.ts'

/**
 * Whether accounts accept a JSON body unchanged: `images` is a list of objects, none is an upload,
 * and data URLs have the type of their bytes.
 */
export function isPlainJson(json: Values, { images, mask }: InputImages<CheckedImage>): boolean {
  const list: unknown = json['images']
  if (!Array.isArray(list)) return false
  const values: unknown[] = [...list, ...(mask ? [json['mask']] : [])]
  return [...images, ...(mask ? [mask] : [])].every((image, index) => {
    const { kind } = image.place
    if (typeof values[index] !== 'object' || kind === 'upload') return false
    const data =
      kind === 'data' ? readDataUrl(stringAt(values[index], 'image_url') ?? '') : undefined
    return kind !== 'data' || data?.mediaType === image.facts?.type
  })
}

/** Options of `rewriteJson`. */
interface RewriteOptions {
  /** The upstream model. */
  readonly model: string
  /** Names of fields to leave out. */
  readonly omitted: readonly string[]
  readonly files: Files
  /** The exchange whose caller owns the uploads; it reserves the memory. */
  readonly exchange: Authenticated
}

/**
 * Rewrites a JSON body for the account. Throws `GatewayError`: 400 for uploads that are too large for
 * JSON, 503 for uploads that cannot be read or if the upload memory is exhausted.
 */
export async function rewriteJson(
  json: Values,
  { images, mask }: InputImages<CheckedImage>,
  options: RewriteOptions,
): Promise<Buffer> {
  const { model, omitted } = options
  const excluded = new Set<string>([...imageFields, 'mask', ...omitted])
  const rest = Object.fromEntries(Object.entries(json).filter(([name]) => !excluded.has(name)))
  const referenceTo = createReferenceWriter(options)
  const references: unknown[] = []
  for (const image of images) references.push(await referenceTo(image))
  const masked = mask && { mask: await referenceTo(mask) }
  return Buffer.from(JSON.stringify({ ...rest, model, images: references, ...masked }))
}

/** Maximum size of an upload inlined in JSON, in bytes; it is in memory more than once. */
const maxInlineBytes = 16 * 1024 * 1024

/** Returns a function that encodes an input image as a reference in the account's JSON. */
function createReferenceWriter({
  files,
  exchange,
}: RewriteOptions): (image: CheckedImage) => Promise<unknown> {
  const { caller } = exchange
  let remaining = largestStored

  /** Reads an upload that has no URL for the account. */
  async function inline(path: string, size: number, param: string): Promise<Buffer> {
    if (size > maxInlineBytes) throw tooLarge(param, `at most ${maxInlineBytes} bytes in JSON`)
    remaining -= size
    if (remaining < 0)
      throw tooLarge(param, `at most ${largestStored} bytes in total with the other images in JSON`)
    await reserveMemory(exchange, size)
    return buffer(rereadFile({ path, size }, files, caller))
  }

  return async ({ param, place, facts }) => {
    switch (place.kind) {
      case 'elsewhere':
        return place.value
      case 'data':
        return { image_url: writeDataUrl(facts?.type ?? '', place.base64) }
      case 'part':
        throw new Error('A JSON body has no form parts.')
      case 'upload': {
        const { path, content } = place
        const url = await files.urlFor(path, caller)
        if (url !== undefined) return { image_url: url }
        const bytes = await inline(path, content.size, param)
        return { image_url: writeDataUrl(facts?.type ?? '', bytes.toString('base64')) }
      }
    }
  }
}

function tooLarge(param: string, allowed: string): GatewayError {
  return wrong(param, `${allowed}; send its path in a form instead`)
}
