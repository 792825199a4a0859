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

/** Whether accounts take a JSON body as it came: images in a list of objects, and told truly. */
export function isPlainJson(json: Values, { images, mask }: InputImages<CheckedImage>): boolean {
  const list: unknown = json['images']
  if (!Array.isArray(list)) return false
  const values: unknown[] = [...list, ...(mask ? [json['mask']] : [])]
  return [...images, ...(mask ? [mask] : [])].every((picture, index) => {
    const { kind } = picture.place
    if (typeof values[index] !== 'object' || kind === 'upload') return false
    const told =
      kind === 'data' ? readDataUrl(stringAt(values[index], 'image_url') ?? '') : undefined
    return kind !== 'data' || told?.mediaType === picture.facts?.type
  })
}

/** What a JSON body needs that is written anew. */
interface Telling {
  /** As the account calls it. */
  readonly model: string
  /** What it is not told. */
  readonly untold: readonly string[]
  readonly files: Files
  /** Its caller owns the uploads, and it holds the memory. */
  readonly exchange: Authenticated
}

/**
 * A JSON body in the words of accounts. Throws `GatewayError`: 400 for uploads that do not fit into it,
 * 503 where they cannot be read, or where those of other requests have taken all room.
 */
export async function rewriteJson(
  json: Values,
  { images, mask }: InputImages<CheckedImage>,
  telling: Telling,
): Promise<Buffer> {
  const { model, untold } = telling
  const left = new Set<string>([...imageFields, 'mask', ...untold])
  const rest = Object.fromEntries(Object.entries(json).filter(([name]) => !left.has(name)))
  const referenceTo = referencing(telling)
  const references: unknown[] = []
  for (const picture of images) references.push(await referenceTo(picture))
  const masked = mask && { mask: await referenceTo(mask) }
  return Buffer.from(JSON.stringify({ ...rest, model, images: references, ...masked }))
}

/** What has to stand in the JSON has to fit into memory, more than once. */
const largestInline = 16 * 1024 * 1024

/** What accounts are told of the pictures of one body. */
function referencing({ files, exchange }: Telling): (picture: CheckedImage) => Promise<unknown> {
  const { caller } = exchange
  let room = largestStored

  /** Only this gateway can reach it. */
  async function inline(path: string, size: number, param: string): Promise<Buffer> {
    if (size > largestInline) throw unfit(param, `at most ${largestInline} bytes in JSON`)
    room -= size
    if (room < 0)
      throw unfit(param, `at most ${largestStored} bytes together with the others in JSON`)
    reserveMemory(exchange, size)
    return buffer(rereadFile({ path, size }, files, caller))
  }

  return async ({ param, place, facts }) => {
    switch (place.kind) {
      case 'elsewhere':
        return place.value
      case 'data':
        return { image_url: writeDataUrl(facts?.type ?? '', place.base64) }
      case 'part':
        throw new Error('There are no parts in JSON.')
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

function unfit(param: string, allowed: string): GatewayError {
  return wrong(param, `${allowed}; send its path in a form instead`)
}
