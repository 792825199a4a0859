import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import type { Files } from '../../../src/contract/files.ts'
import { largestStored, readStored } from '../../../src/jobs/stored.ts'
import { imageTypeOf } from '../../../src/lib/image-type.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { instancesIn } from './request.ts'

/** Where an instance can name a file (docs/wire/gemini.md 2.1), besides its `referenceImages`. */
const places = ['image', 'lastFrame', 'mask', 'video']

/**
 * The request with the content of uploaded files in place of their paths; the same without any.
 * Throws `GatewayError`: 404 for what is no file of the caller's, 413 for more than fits into a request.
 */
export async function withStored(
  json: JsonObject,
  exchange: Authenticated,
  files: Files | undefined,
): Promise<JsonObject> {
  if (!files) return json
  const known = files
  let room = largestStored

  async function readInstance(instance: unknown, prefix: string): Promise<unknown> {
    if (typeof instance !== 'object' || instance === null) return instance
    let read = instance as JsonObject
    for (const place of places) read = await readMember(read, place, prefix)
    const references = read['referenceImages']
    if (!Array.isArray(references)) return read
    const images = await mapInOrder(references, (reference: unknown, index) =>
      readMember(reference, 'image', `${prefix}referenceImages[${index}].`),
    )
    return images === references ? read : { ...read, referenceImages: images }
  }

  async function readMember<T>(object: T, name: string, prefix: string): Promise<T> {
    const place = objectAt(object, name)
    const path = [stringAt(place, 'gcsUri'), stringAt(place, 'uri')].find(
      (one) => one && known.owns(one),
    )
    if (!place || path === undefined) return object
    const field = prefix + name
    const { bytes, type } = await readStored(known, path, { exchange, field, limit: room })
    room -= bytes.length
    return {
      ...object,
      [name]: name === 'video' ? heldVideo(place, bytes, type) : heldPicture(place, bytes, type),
    }
  }

  const instances = instancesIn(json)
  const read = await mapInOrder(instances, (instance, index) =>
    readInstance(instance, `instances[${index}].`),
  )
  return read === instances ? json : { ...json, instances: read }
}

/** It is what its bytes show, whatever the client has called it. */
function heldPicture(place: JsonObject, bytes: Buffer, type: string | undefined): JsonObject {
  const { uri: _, gcsUri: __, ...rest } = place
  const mimeType = imageTypeOf(bytes) ?? type ?? stringAt(place, 'mimeType') ?? 'image/png'
  return { ...rest, bytesBase64Encoded: bytes.toString('base64'), mimeType }
}

function heldVideo(place: JsonObject, bytes: Buffer, type: string | undefined): JsonObject {
  const { uri: _, gcsUri: __, mimeType, encoding: told = mimeType, ...rest } = place
  const encoding = type ?? told ?? 'video/mp4'
  return { ...rest, encodedVideo: bytes.toString('base64'), encoding }
}

/** One after the other; the same list where nothing has changed. */
async function mapInOrder(
  list: readonly unknown[],
  change: (item: unknown, index: number) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const changed: unknown[] = []
  for (const [index, item] of list.entries()) changed.push(await change(item, index))
  return changed.every((item, index) => item === list[index]) ? list : changed
}
