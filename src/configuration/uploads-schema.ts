import { z } from 'zod'

import { s3KindNames } from '../storage/s3/kinds.ts'
import { bytes, expects } from './schema-nodes.ts'

const word = z.string().regex(/^[\w.-]{1,128}$/)
const bucketName = word.meta(expects('the name of a bucket', 'media-files'))
const region = word.meta(expects('the name of a region', 'eu-west-1'))

const endpoint = z
  .string()
  .refine(isOrigin)
  .meta(expects('an http(s) URL of scheme, host and port', 'https://storage.example.com'))

const credential = z
  .string()
  .min(1)
  .meta({ ...expects('a non-empty string, or env:NAME', 'env:NAME'), hidden: true })

const flag = z.boolean().meta(expects('true or false', true))

export const storageSchema = z.strictObject({
  kind: z
    .enum(s3KindNames)
    .meta(expects(`one of ${s3KindNames.join(', ')}`, 's3'))
    .optional(),
  bucket: bucketName,
  region: region.optional(),
  endpoint: endpoint.optional(),
  regions: z
    .record(region, z.strictObject({ bucket: bucketName, endpoint: endpoint.optional() }))
    .meta(expects('a map from regions to buckets', { 'us-east-1': { bucket: 'media-us' } }))
    .optional(),
  accessKeyId: credential,
  secretAccessKey: credential,
  sessionToken: credential.optional(),
  prefix: z
    .string()
    .regex(/^[\w.-]+(?:\/[\w.-]+)*\/?$/)
    .meta(expects('plain words between slashes', 'uploads/'))
    .optional(),
  pathStyle: flag.optional(),
  overwrite: flag.optional(),
})

const mediaTypes = z
  .array(z.string().regex(/^[a-z]+\/(?:\*|[a-z\d.+-]+)$/))
  .min(1)
  .meta(expects('a list of media types or families', ['image/*', 'video/mp4']))

const days = z
  .union([z.int().positive().max(36_500), z.literal(false)])
  .meta(expects('a whole number of days from 1 to 36500, or false for no end', 30))

/** Where uploads go. Each storage is checked by itself: see `checkUploads`. */
export const uploadsSchema = z
  .strictObject({
    default: z.string().min(1).meta(expects('the name of a storage', 'local')).optional(),
    directory: z
      .union([z.string().min(1), z.literal(false)])
      .meta(expects('a directory, or false for none', '.dragoman/uploads'))
      .optional(),
    maxBytes: bytes.optional(),
    keepDays: days.optional(),
    types: mediaTypes.optional(),
    secret: credential.optional(),
    storages: z
      .record(z.string(), storageSchema)
      .meta(expects('a map from names to storages', {}))
      .optional(),
  })
  .meta(expects('an object of settings', { maxBytes: 67_108_864 }))

export const publicUrlSchema = z
  .string()
  .refine(isBase)
  .meta(expects('an http(s) URL without credentials, query or fragment', 'https://llm.example.com'))

function isBase(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return !url.username && !url.password && !url.search && !url.hash && !/[?#\s]/.test(text)
}

function isOrigin(text: string): boolean {
  return isBase(text) && URL.parse(text)?.pathname === '/' && !text.endsWith('/')
}
