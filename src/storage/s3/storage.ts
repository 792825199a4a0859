import { isPublicUrl } from '../is-public-url.ts'
import { encodePath } from '../paths.ts'
import type { FileName, StoragePlace, Storage, UploadTerms } from '../../contract/storage.ts'
import { type S3Kind, type S3KindName, s3Kinds } from './kinds.ts'
import { type Credentials, presign } from './presign.ts'
import { readS3Object } from './read-object.ts'

/** A storage of the S3 family, complete. */
export interface S3Setting extends Credentials {
  readonly name: string
  readonly kind: S3KindName
  /** Before every key in the bucket: `''`, or ending in a slash. */
  readonly prefix: string
  /** Absent: as the kind has it, and in the path for names with a dot, which fit no certificate. */
  readonly pathStyle?: boolean | undefined
  /** Whether every URL may replace a file, for clients that send no headers with their `PUT`. */
  readonly overwrite?: boolean | undefined
  /** Each in a bucket of another name. */
  readonly buckets: readonly S3Bucket[]
}

export interface S3Bucket {
  readonly region: string
  readonly bucket: string
  /** Scheme, host and port. */
  readonly endpoint: string
}

export interface S3Options {
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Signs by itself; asks the provider only for what operations read. */
export function createS3Storage(setting: S3Setting, { now }: S3Options): Storage {
  const { name, kind, prefix, buckets } = setting
  const places = new Map<StoragePlace, S3Bucket>(
    buckets.map((bucket) => [
      { region: bucket.region, root: `${bucket.bucket}/${prefix}` },
      bucket,
    ]),
  )

  const sign = (
    { place, owner, path }: FileName,
    method: 'GET' | 'PUT',
    expiresAt: number,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const bucket = places.get(place)
    if (!bucket) throw new Error(`The storage "${name}" has no such place.`)
    const signedAt = now()
    return presign({
      ...setting,
      method,
      url: `${addressOf(setting, bucket)}/${encodePath(`${prefix}${owner}/${path}`)}`,
      region: bucket.region,
      headers,
      signedAt,
      lifetimeSeconds: Math.max(1, Math.round((expiresAt - signedAt) / 1_000)),
    })
  }

  return {
    name,
    places: [...places.keys()],
    inspects: false,
    isPublic: buckets.every(({ endpoint }) => isPublicUrl(endpoint)),
    async upload(file, terms) {
      const overwrite = setting.overwrite ?? terms.overwrite
      const asked = askedFor({ ...terms, overwrite }, s3Kinds[kind])
      // Every client sends the length of what it sends by itself.
      const length = terms.size === undefined ? {} : { 'content-length': String(terms.size) }
      const url = await sign(file, 'PUT', terms.expiresAt, { ...asked, ...length })
      return Object.keys(asked).length === 0 ? { url } : { url, headers: asked }
    },
    visit: (file, expiresAt) => sign(file, 'GET', expiresAt),
    async open(file) {
      return readS3Object(await sign(file, 'GET', now() + readMs))
    },
  }
}

/** How long a URL lives by which the gateway itself reads, in milliseconds. */
const readMs = 60_000

/** What a `PUT` has to send for its signature to fit. */
function askedFor({ type, overwrite }: UploadTerms, { onlyNew }: S3Kind) {
  return { ...(!overwrite && onlyNew), ...(type !== undefined && { 'content-type': type }) }
}

function addressOf({ kind, pathStyle }: S3Setting, { bucket, endpoint }: S3Bucket): string {
  const inPath = pathStyle ?? (s3Kinds[kind].pathStyle || bucket.includes('.'))
  return inPath ? `${endpoint}/${bucket}` : endpoint.replace('://', `://${bucket}.`)
}
