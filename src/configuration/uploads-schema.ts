import { z } from 'zod'

import { s3KindNames } from '../storage/s3/kinds.ts'
import { bytes, described, expects, flag, secret } from './schema-nodes.ts'
import { defaults } from './settings.ts'

const word = z.string().regex(/^[\w.-]{1,128}$/)
const bucketName = word.meta(expects('the name of a bucket', 'media-files'))
const region = word.meta(expects('the name of a region', 'eu-west-1'))

const endpoint = z
  .string()
  .refine(isOrigin)
  .meta({
    ...expects('an http(s) URL of scheme, host and port', 'https://storage.example.com'),
    pattern: '^https?://[^/?#]+$',
  })

/** The schema of a storage of the S3 family. */
export const storageSchema = z.strictObject({
  kind: described(
    z.enum(s3KindNames).meta(expects(`one of ${s3KindNames.join(', ')}`, 's3')),
    'The kind of storage.',
    { defaultText: 'the name of the storage, if that is a kind' },
  ).optional(),
  bucket: described(bucketName, 'Name of the bucket.'),
  region: described(region, 'Region of the bucket. `s3` and `oss` require it.', {
    defaultText: '`auto` for `r2` and `gcs`, `us-east-1` for `minio`',
  }).optional(),
  endpoint: described(
    endpoint,
    'Scheme, host and port of the storage. `r2` and `minio` require it.',
    { defaultText: "the provider's, for `s3`, `gcs` and `oss`" },
  ).optional(),
  regions: described(
    z
      .record(
        region,
        z.strictObject({
          bucket: described(bucketName, 'Name of the bucket, unlike that of any other region.'),
          endpoint: described(endpoint, 'Scheme, host and port of the storage in this region.', {
            defaultText: "the storage's for `r2` and `minio`, otherwise the provider's",
          }).optional(),
        }),
      )
      .meta(expects('a map from regions to buckets', { 'us-east-1': { bucket: 'media-us' } })),
    'Further regions that a request may name, each with a bucket of its own name.',
    { default: {} },
  ).optional(),
  accessKeyId: described(
    secret,
    'Id of the access key; for `gcs`, of an HMAC key. `env:NAME` reads it from the environment, `file:/path` from a file.',
  ),
  secretAccessKey: described(
    secret,
    'Secret of the access key. `env:NAME` reads it from the environment, `file:/path` from a file.',
  ),
  sessionToken: described(
    secret,
    'Session token of temporary credentials. `env:NAME` reads it from the environment, `file:/path` from a file.',
    { defaultText: 'none' },
  ).optional(),
  prefix: described(
    z
      .string()
      .regex(/^[\w.-]+(?:\/[\w.-]+)*\/?$/)
      .meta(expects('names separated by slashes', 'uploads/')),
    'Prefix of every key in the bucket: `uploads/`.',
    { defaultText: 'no prefix' },
  ).optional(),
  pathStyle: described(flag, 'Whether the bucket is in the path of URLs instead of the host.', {
    defaultText: '`true` for `r2`, `minio`, `gcs` and bucket names with a dot',
  }).optional(),
  overwrite: described(
    flag,
    "Lets every URL replace files, for clients that do not send the descriptor's `headers`.",
    { default: false },
  ).optional(),
})

const mediaTypes = z
  .array(z.string().regex(/^[a-z]+\/(?:\*|[a-z\d.+-]+)$/))
  .min(1)
  .meta(expects('a list of media types or families', ['image/*', 'video/mp4']))

const days = z.union([z.int().positive().max(36_500), z.literal(false)]).meta({
  ...expects('a whole number of days from 1 to 36500, or false for no end', 30),
  unit: 'days',
})

const { uploads } = defaults

/** The schema of `uploads`. `checkUploads` checks rules that concern several fields. */
export const uploadsSchema = z
  .strictObject({
    default: described(
      z.string().min(1).meta(expects('the name of a storage', 'local')),
      'Name of the storage for requests that name none.',
      { defaultText: '`local`; without it the first of `storages`' },
    ).optional(),
    directory: described(
      z
        .union([z.string().min(1), z.literal(false)])
        .meta(expects('a directory, or false for none', '.dragoman/uploads')),
      "Directory of the gateway's own storage, `local`; a relative path starts at the configuration file. `false` removes this storage. Replicas must share the directory.",
      {
        defaultText: '`uploads` in the directory of a `file:` store, otherwise `.dragoman/uploads`',
      },
    ).optional(),
    maxBytes: described(
      bytes,
      'Largest file. If it is set, requests for a bucket must announce the `size`.',
      { default: uploads.maxBytes },
    ).optional(),
    keepDays: described(
      days,
      'After so many days `local` deletes a file; `false` keeps files. Buckets have their own lifecycle rules.',
      { default: uploads.keepDays },
    ).optional(),
    types: described(
      mediaTypes,
      'Accepted media types and families (`image/*`). If it is set, requests for a bucket must announce the `content_type`.',
      { defaultText: 'all types' },
    ).optional(),
    secret: described(
      secret,
      'Signs the URLs of `local`: at least 16 characters. `env:NAME` reads it from the environment, `file:/path` from a file.',
      { defaultText: 'generated, and saved in the store' },
    ).optional(),
    storages: described(
      z.record(z.string(), storageSchema).meta(expects('a map from names to storages', {})),
      'Storages of the S3 family, by the name that requests and paths use for them.',
      { default: {} },
    ).optional(),
  })
  .meta(expects('an object of settings', { maxBytes: 67_108_864 }))

/** The schema of `publicUrl`. */
export const publicUrlSchema = z
  .string()
  .refine(isBase)
  .meta({
    ...expects('an http(s) URL without credentials, query or fragment', 'https://llm.example.com'),
    pattern: '^https?://[^?#\\s]+$',
  })

function isBase(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return !url.username && !url.password && !url.search && !url.hash && !/[?#\s]/.test(text)
}

function isOrigin(text: string): boolean {
  return isBase(text) && URL.parse(text)?.pathname === '/' && !text.endsWith('/')
}
