import { buffer } from 'node:stream/consumers'

import { wrong } from '../../../src/checks.ts'
import type { Caller } from '../../../src/exchange.ts'
import type { Files } from '../../../src/files.ts'
import { readDataUrl, writeDataUrl } from '../../../src/generate/data-url.ts'
import { text } from '../../../src/usage.ts'
import { imageFields } from './json-pictures.ts'
import type { CheckedPicture, Pictures } from './pictures.ts'
import type { Values } from './values.ts'

/** Whether accounts take a JSON body as it came: images in a list of objects, and told truly. */
export function isPlainJson(json: Values, { images, mask }: Pictures<CheckedPicture>): boolean {
  const list: unknown = json['images']
  if (!Array.isArray(list)) return false
  const values: unknown[] = [...list, ...(mask ? [json['mask']] : [])]
  return [...images, ...(mask ? [mask] : [])].every((picture, index) => {
    const { kind } = picture.place
    if (typeof values[index] !== 'object' || kind === 'upload') return false
    const told = kind === 'data' ? readDataUrl(text(values[index], 'image_url') ?? '') : undefined
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
  readonly caller: Caller
}

/** A JSON body in the words of accounts. */
export async function rewriteJson(
  json: Values,
  { images, mask }: Pictures<CheckedPicture>,
  { model, untold, files, caller }: Telling,
): Promise<Buffer> {
  const left = new Set<string>([...imageFields, 'mask', ...untold])
  const rest = Object.fromEntries(Object.entries(json).filter(([name]) => !left.has(name)))
  const references: unknown[] = []
  for (const picture of images) references.push(await referenceTo(picture, files, caller))
  const masked = mask && { mask: await referenceTo(mask, files, caller) }
  return Buffer.from(JSON.stringify({ ...rest, model, images: references, ...masked }))
}

/** What has to stand in the JSON has to fit into memory, more than once. */
const largestInline = 16 * 1024 * 1024

async function referenceTo(
  { param, place, facts }: CheckedPicture,
  files: Files,
  caller: Caller,
): Promise<unknown> {
  switch (place.kind) {
    case 'elsewhere':
      return place.value
    case 'data':
      return { image_url: writeDataUrl(facts?.type ?? '', place.base64) }
    case 'part':
      throw new Error('There are no parts in JSON.')
    case 'upload': {
      const url = await files.urlFor(place.path, caller)
      if (url !== undefined) return { image_url: url }
      // Only this gateway can reach it.
      if (place.content.size > largestInline) {
        throw wrong(
          param,
          `at most ${largestInline} bytes in JSON; send its path in a form instead`,
        )
      }
      const { stream } = await files.open(place.path, caller)
      const bytes = await buffer(stream)
      return { image_url: writeDataUrl(facts?.type ?? '', bytes.toString('base64')) }
    }
  }
}
