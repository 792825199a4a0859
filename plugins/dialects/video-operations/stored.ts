import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import type { Files } from '../../../src/contract/files.ts'
import { largestStored, readStored } from '../../../src/jobs/stored.ts'
import { imageTypeOf } from '../../../src/lib/image-type.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { instancesIn } from './request.ts'

/**
 * Members of an instance that can name a file (docs/wire/gemini.md 2.1), besides `referenceImages`.
 */
const fileMembers = ['image', 'lastFrame', 'mask', 'video']

/**
 * Returns the request with uploads inlined instead of their paths; the same object without any.
 * Throws `GatewayError`: 404 for a file that the caller does not own, 413 if they are too large.
 */
export async function withStored(
  json: JsonObject,
  exchange: Authenticated,
  files: Files | undefined,
): Promise<JsonObject> {
  if (!files) return json
  const uploads = files
  let remaining = largestStored

  async function readInstance(instance: unknown, prefix: string): Promise<unknown> {
    if (typeof instance !== 'object' || instance === null) return instance
    let read = instance as JsonObject
    for (const name of fileMembers) read = await readMember(read, name, prefix)
    const references = read['referenceImages']
    if (!Array.isArray(references)) return read
    const images = await mapInOrder(references, (reference: unknown, index) =>
      readMember(reference, 'image', `${prefix}referenceImages[${index}].`),
    )
    return images === references ? read : { ...read, referenceImages: images }
  }

  async function readMember<T>(object: T, name: string, prefix: string): Promise<T> {
    const member = objectAt(object, name)
    const path = [stringAt(member, 'gcsUri'), stringAt(member, 'uri')].find(
      (one) => one && uploads.owns(one),
    )
    if (!member || path === undefined) return object
    const field = prefix + name
    const { bytes, type } = await readStored(uploads, path, { exchange, field, limit: remaining })
    remaining -= bytes.length
    return {
      ...object,
      [name]:
        name === 'video' ? inlineVideo(member, bytes, type) : inlineImage(member, bytes, type),
    }
  }

  const instances = instancesIn(json)
  const read = await mapInOrder(instances, (instance, index) =>
    readInstance(instance, `instances[${index}].`),
  )
  return read === instances ? json : { ...json, instances: read }
}

/** The type comes from the bytes, not from the client's declaration. */
function inlineImage(member: JsonObject, bytes: Buffer, type: string | undefined): JsonObject {
  const { uri: _, gcsUri: __, ...rest } = member
  const mimeType = imageTypeOf(bytes) ?? type ?? stringAt(member, 'mimeType') ?? 'image/png'
  return { ...rest, bytesBase64Encoded: bytes.toString('base64'), mimeType }
}

function inlineVideo(member: JsonObject, bytes: Buffer, type: string | undefined): JsonObject {
  const { uri: _, gcsUri: __, mimeType, encoding: declared = mimeType, ...rest } = member
  const encoding = type ?? declared ?? 'video/mp4'
  return { ...rest, encodedVideo: bytes.toString('base64'), encoding }
}

/** Maps sequentially; returns the same list if no item has changed. */
async function mapInOrder(
  list: readonly unknown[],
  change: (item: unknown, index: number) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const changed: unknown[] = []
  for (const [index, item] of list.entries()) changed.push(await change(item, index))
  return changed.every((item, index) => item === list[index]) ? list : changed
}
