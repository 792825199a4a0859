import { GatewayError } from '../contract/errors.ts'
import type { Caller } from '../contract/request.ts'
import { type UploadsSetting, urlLifetimeMs } from './settings.ts'
import { checkAllowed, isMediaType } from './media-type.ts'
import { checkPath, pathOwnerOf } from './paths.ts'
import type { StorageRegistry } from './registry.ts'
import type { ReachedAt, StoragePlace, Storage } from '../contract/storage.ts'

/** A client's request for an upload URL. */
export interface UploadRequest {
  /** The path of the file among the files of the caller's API key. */
  readonly path: string
  /** The name of a storage. Default: the one that the operator has configured. */
  readonly provider?: string | undefined
  readonly region?: string | undefined
  /** The media type of the file. */
  readonly type?: string | undefined
  /** The size of the file, in bytes. */
  readonly size?: number | undefined
  /** Whether the upload may replace a file at this path. */
  readonly overwrite?: boolean | undefined
}

/** The reply to an upload request: the URLs, and the headers that the `PUT` must send. */
export interface UploadDescriptor {
  readonly upload_url: string
  readonly method: 'PUT'
  readonly path: string
  readonly visit_url: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The caller, and the storages and settings that apply. */
interface IssueOptions {
  readonly caller: Caller
  readonly registry: StorageRegistry
  readonly settings: UploadsSetting
  readonly now: () => number
  /** The one that gets the URLs. */
  readonly clientRequest?: ReachedAt | undefined
}

/** Checks an upload request and signs its URLs. Rejects with `GatewayError` 400, 413 or 415. */
export async function issueUpload(
  request: UploadRequest,
  { caller, registry, settings, now, clientRequest }: IssueOptions,
): Promise<UploadDescriptor> {
  const { path, provider = settings.default, region, type, size, overwrite = false } = request
  checkPath(path)
  const storage = registry.storage(provider ?? '')
  const place = placeIn(storage, region)
  checkType(type, storage, settings)
  const { maxBytes, isLimited = false } = settings
  if (isLimited) checkAnnounced(size, storage)
  if (size !== undefined && size > maxBytes) throw tooLarge(maxBytes)
  const expiresAt = now() + urlLifetimeMs
  const file = { place, owner: pathOwnerOf(caller.keyId), path }
  const terms = { expiresAt, maxBytes, size, type, overwrite }
  const { url, headers } = await storage.upload(file, terms, clientRequest)
  return {
    upload_url: url,
    method: 'PUT',
    path: `${storage.name}://${place.root}${file.owner}/${path}`,
    visit_url: await storage.visit(file, expiresAt, clientRequest),
    ...(headers && { headers }),
  }
}

function placeIn({ name, places }: Storage, region: string | undefined): StoragePlace {
  const place =
    region === undefined ? places[0] : places.find((candidate) => candidate.region === region)
  if (place) return place
  const regions = places.flatMap((candidate) => candidate.region ?? [])
  const known = regions.length === 0 ? 'omit `region`' : `use ${regions.join(', ')}`
  throw new GatewayError(
    'invalid_value',
    `The storage ${name} does not have this region: ${known}.`,
    {
      param: 'region',
    },
  )
}

/** Checks the media type; required if types are limited and the storage does not check uploads. */
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

/** Requires the size if the storage does not check uploads. */
function checkAnnounced(size: number | undefined, { name, inspects }: Storage): void {
  if (size !== undefined || inspects) return
  const message = `\`size\` is required for the storage ${name}, since the size of files is limited.`
  throw new GatewayError('missing_required_parameter', message, { param: 'size' })
}

function tooLarge(maxBytes: number): GatewayError {
  const message = `Files of more than ${maxBytes} bytes are not accepted.`
  return new GatewayError('request_too_large', message, { param: 'size' })
}
