import { isPublicUrl } from '../is-public-url.ts'
import { encodePath } from '../paths.ts'
import type { FileName, StoragePlace, Storage, UploadTerms } from '../../contract/storage.ts'
import { type S3Kind, type S3KindName, s3Kinds } from './kinds.ts'
import { type Credentials, presign } from './presign.ts'
import { readS3Object } from './read-object.ts'

/** The setting of an S3 storage, with defaults applied. */
export interface S3Setting extends Credentials {
  readonly name: string
  readonly kind: S3KindName
  /** The prefix of every key in the bucket: `''`, or ending in a slash. */
  readonly prefix: string
  /** Default: as the kind requires, and true for buckets with a dot, which match no certificate. */
  readonly pathStyle?: boolean | undefined
  /** Whether every URL may replace a file, for clients that send no headers with their `PUT`. */
  readonly overwrite?: boolean | undefined
  /** The buckets; their names differ. */
  readonly buckets: readonly S3Bucket[]
}

/** A bucket and its endpoint. */
export interface S3Bucket {
  readonly region: string
  readonly bucket: string
  /** Scheme, host and port. */
  readonly endpoint: string
}

/** The clock of an S3 storage. */
interface S3Options {
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Creates an S3 storage. It signs URLs locally and contacts the provider only to read files. */
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
    if (!bucket) throw new Error(`The storage "${name}" does not have this place.`)
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
      const overwrite = setting.overwrite === true || terms.overwrite
      const required = requiredHeaders({ ...terms, overwrite }, s3Kinds[kind])
      // Every HTTP client sends the length by itself, so it is signed but not listed.
      const length = terms.size === undefined ? {} : { 'content-length': String(terms.size) }
      const url = await sign(file, 'PUT', terms.expiresAt, { ...required, ...length })
      return Object.keys(required).length === 0 ? { url } : { url, headers: required }
    },
    visit: (file, expiresAt) => sign(file, 'GET', expiresAt),
    async open(file) {
      return readS3Object(await sign(file, 'GET', now() + readMs))
    },
  }
}

/** The lifetime of the URLs that the gateway itself reads, in milliseconds. */
const readMs = 60_000

/** The headers that a `PUT` must send to match its signature. */
function requiredHeaders({ type, overwrite }: UploadTerms, { createOnlyHeaders }: S3Kind) {
  return {
    ...(!overwrite && createOnlyHeaders),
    ...(type !== undefined && { 'content-type': type }),
  }
}

function addressOf({ kind, pathStyle }: S3Setting, { bucket, endpoint }: S3Bucket): string {
  const inPath = pathStyle ?? (s3Kinds[kind].pathStyle || bucket.includes('.'))
  return inPath ? `${endpoint}/${bucket}` : endpoint.replace('://', `://${bucket}.`)
}
