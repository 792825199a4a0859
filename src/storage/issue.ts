import { GatewayError } from '../contract/errors.ts'
import type { Caller } from '../contract/request.ts'
import { type UploadsSetting, urlLifetimeMs } from './settings.ts'
import { checkAllowed, isMediaType } from './media-type.ts'
import { checkPath, pathOwnerOf } from './paths.ts'
import type { StorageRegistry } from './registry.ts'
import type { StoragePlace, Storage } from '../contract/storage.ts'

/** What a client asks for. */
export interface UploadRequest {
  /** Where the file is to lie, among the files of the caller's key. */
  readonly path: string
  /** The name of a storage. Absent: the operator's choice. */
  readonly provider?: string | undefined
  readonly region?: string | undefined
  /** The media type that will be sent. */
  readonly type?: string | undefined
  /** How many bytes will be sent. */
  readonly size?: number | undefined
  /** Whether a file of this path may be replaced. */
  readonly overwrite?: boolean | undefined
}

/** What it gets: the contract's fields, and what its `PUT` has to send besides. */
export interface Descriptor {
  readonly upload_url: string
  readonly method: 'PUT'
  readonly path: string
  readonly visit_url: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface IssueOptions {
  readonly caller: Caller
  readonly shelf: StorageRegistry
  readonly settings: UploadsSetting
  readonly now: () => number
}

/** Checks what is asked for and has its storage sign it. Throws `GatewayError` 400, 413 or 415. */
export async function issueUpload(
  request: UploadRequest,
  { caller, shelf, settings, now }: IssueOptions,
): Promise<Descriptor> {
  const { path, provider = settings.default, region, type, size, overwrite = false } = request
  checkPath(path)
  const storage = shelf.storage(provider ?? '')
  const place = placeIn(storage, region)
  checkType(type, storage, settings)
  const { maxBytes, isLimited = false } = settings
  if (isLimited) checkAnnounced(size, storage)
  if (size !== undefined && size > maxBytes) throw tooLarge(maxBytes)
  const expiresAt = now() + urlLifetimeMs
  const file = { place, owner: pathOwnerOf(caller.keyId), path }
  const { url, headers } = await storage.upload(file, {
    expiresAt,
    maxBytes,
    size,
    type,
    overwrite,
  })
  return {
    upload_url: url,
    method: 'PUT',
    path: `${storage.name}://${place.root}${file.owner}/${path}`,
    visit_url: await storage.visit(file, expiresAt),
    ...(headers && { headers }),
  }
}

function placeIn({ name, places }: Storage, region: string | undefined): StoragePlace {
  const place =
    region === undefined ? places[0] : places.find((candidate) => candidate.region === region)
  if (place) return place
  const regions = places.flatMap((candidate) => candidate.region ?? [])
  const known = regions.length === 0 ? 'leave `region` out' : `use ${regions.join(', ')}`
  throw new GatewayError('invalid_value', `The storage ${name} has no such region: ${known}.`, {
    param: 'region',
  })
}

/** A storage that does not look itself is told beforehand what it may take. */
function checkType(
  type: string | undefined,
  { name, inspects }: Storage,
  { types }: UploadsSetting,
): void {
  const param = 'content_type'
  if (type !== undefined && !isMediaType(type)) {
    const message = '`content_type` must be a media type such as `image/png`.'
    throw new GatewayError('invalid_value', message, { param })
  }
  if (type !== undefined) return checkAllowed(type, types)
  if (!types || inspects) return
  const message = `\`content_type\` is required for the storage ${name}.`
  throw new GatewayError('missing_required_parameter', message, { param })
}

/** So is one that does not count itself told how much. */
function checkAnnounced(size: number | undefined, { name, inspects }: Storage): void {
  if (size !== undefined || inspects) return
  const message = `\`size\` is required for the storage ${name}, which takes files up to a limit.`
  throw new GatewayError('missing_required_parameter', message, { param: 'size' })
}

function tooLarge(maxBytes: number): GatewayError {
  const message = `Files of more than ${maxBytes} bytes are not taken here.`
  return new GatewayError('request_too_large', message, { param: 'size' })
}
