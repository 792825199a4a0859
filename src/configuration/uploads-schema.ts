import { z } from 'zod'

import { s3KindNames } from '../storage/s3/kinds.ts'
import { defaultUploads } from '../storage/settings.ts'
import { isBaseUrl } from './endpoints.ts'
import { bytes, expects, flag, optional, required, secret, withDefault } from './schema-nodes.ts'

const word = z.string().regex(/^[\w.-]{1,128}$/)
const bucketName = word.meta(expects('the name of a bucket', 'media-files'))
const region = word.meta(expects('the name of a region', 'eu-west-1'))

const endpoint = z
  .string()
  .refine(isOrigin)
  .meta({
    ...expects('an http(s) URL of scheme, host and port', 'https://storage.example.com'),
    url: true,
    pattern: '^https?://[^/?#]+$',
  })

/** The schema of a storage of the S3 family. */
export const storageSchema = z.strictObject({
  kind: optional(
    z.enum(s3KindNames).meta(expects(`one of ${s3KindNames.join(', ')}`, 's3')),
    'The kind of storage.',
    'the name of the storage, if that is a kind',
  ),
  bucket: required(bucketName, 'Name of the bucket.'),
  region: optional(
    region,
    'Region of the bucket. `s3` and `oss` require it.',
    '`auto` for `r2` and `gcs`, `us-east-1` for `minio`',
  ),
  endpoint: optional(
    endpoint,
    'Scheme, host and port of the storage. `r2` and `minio` require it.',
    "the provider's, for `s3`, `gcs` and `oss`",
  ),
  regions: withDefault(
    z
      .record(
        region,
        z.strictObject({
          bucket: required(
            bucketName,
            'Name of the bucket; each region has a bucket of its own name.',
          ),
          endpoint: optional(
            endpoint,
            'Scheme, host and port of the storage in this region.',
            "the storage's for `r2` and `minio`, otherwise the provider's",
          ),
        }),
      )
      .meta(expects('a map from regions to buckets', { 'us-east-1': { bucket: 'media-us' } })),
    'Further regions that a request may name, each with a bucket of its own name.',
    {},
  ),
  accessKeyId: required(
    secret,
    'Id of the access key; for `gcs`, of an HMAC key. `env:NAME` reads it from the environment, `file:/path` from a file.',
  ),
  secretAccessKey: required(
    secret,
    'Secret of the access key. `env:NAME` reads it from the environment, `file:/path` from a file.',
  ),
  sessionToken: optional(
    secret,
    'Session token of temporary credentials. `env:NAME` reads it from the environment, `file:/path` from a file.',
    'none',
  ),
  prefix: optional(
    z
      .string()
      .regex(/^[\w.-]+(?:\/[\w.-]+)*\/?$/)
      .meta(expects('names separated by slashes', 'uploads/')),
    'Prefix of every key in the bucket: `uploads/`.',
    'no prefix',
  ),
  pathStyle: optional(
    flag,
    'Whether the bucket is in the path of URLs instead of the host.',
    '`true` for `r2`, `minio`, `gcs` and bucket names with a dot',
  ),
  overwrite: withDefault(
    flag,
    "Lets every URL replace files, for clients that do not send the descriptor's `headers`.",
    false,
  ),
})

const mediaTypes = z
  .array(z.string().regex(/^[a-z]+\/(?:\*|[a-z\d.+-]+)$/))
  .min(1)
  .meta(expects('a list of media types or families', ['image/*', 'video/mp4']))

const days = z.union([z.int().positive().max(36_500), z.literal(false)]).meta({
  ...expects('a whole number of days from 1 to 36500, or false for no end', 30),
  unit: 'days',
})

/** The schema of `uploads`. `checkUploads` checks rules that concern several fields. */
export const uploadsSchema = z
  .strictObject({
    default: optional(
      z.string().min(1).meta(expects('the name of a storage', 'local')),
      'Name of the storage for requests that name none.',
      '`local`; without it the first of `storages`',
    ),
    directory: optional(
      z
        .union([z.string().min(1), z.literal(false)])
        .meta(expects('a directory, or false for none', '.dragoman/uploads')),
      "Directory of the gateway's own storage, `local`; a relative path starts at the configuration file. `false` removes this storage. Replicas must share the directory.",
      '`uploads` in the directory of a `file:` store, otherwise `.dragoman/uploads`',
    ),
    maxBytes: withDefault(
      bytes,
      'Largest file. If it is set, requests for a bucket must announce the `size`.',
      defaultUploads.maxBytes,
    ),
    keepDays: withDefault(
      days,
      'After so many days `local` deletes a file; `false` keeps files. Buckets have their own lifecycle rules.',
      defaultUploads.keepDays ?? false,
    ),
    types: optional(
      mediaTypes,
      'Accepted media types and families (`image/*`). If it is set, requests for a bucket must announce the `content_type`.',
      'all types',
    ),
    secret: optional(
      secret,
      'Signs the URLs of `local`: at least 16 characters. `env:NAME` reads it from the environment, `file:/path` from a file.',
      'generated, and saved in the store',
    ),
    storages: withDefault(
      z.record(z.string(), storageSchema).meta(expects('a map from names to storages', {})),
      'Storages of the S3 family, by the name that requests and paths use for them.',
      {},
    ),
  })
  .meta(expects('an object of settings', { maxBytes: 67_108_864 }))

function isOrigin(text: string): boolean {
  return isBaseUrl(text) && URL.parse(text)?.pathname === '/' && !text.endsWith('/')
}
