import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { type S3Kind, type S3KindName, s3Kinds } from '../../src/storage/s3/kinds.ts'
import { createS3Storage } from '../../src/storage/s3/storage.ts'

/** URLs that the official SDK has signed at a fixed time. */
interface Vectors {
  readonly signedAt: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly prefix: string
  readonly owner: string
  readonly vectors: readonly Vector[]
}

interface Vector {
  readonly kind: S3KindName
  readonly name: string
  readonly storage: {
    readonly bucket: string
    readonly region: string
    readonly endpoint?: string
    readonly sessionToken?: string
  }
  readonly method: 'GET' | 'PUT'
  readonly path: string
  readonly overwrite?: boolean
  readonly contentType?: string
  readonly size?: number
  readonly url: string
}

const fixture = new URL('fixtures/aws-sdk.json', import.meta.url)
const recorded = JSON.parse(readFileSync(fixture, 'utf8')) as Vectors
const { signedAt, accessKeyId, secretAccessKey, prefix, owner, vectors } = recorded
const now = Date.parse(signedAt)
const expiresAt = now + 15 * 60_000

async function signAs({ kind, storage, method, path, ...vector }: Vector): Promise<string> {
  const { bucket, region, endpoint = (s3Kinds[kind] as S3Kind).endpoint?.(region) ?? '' } = storage
  const { sessionToken } = storage
  const signing = createS3Storage(
    {
      name: kind,
      kind,
      prefix,
      accessKeyId,
      secretAccessKey,
      sessionToken,
      buckets: [{ region, bucket, endpoint }],
    },
    { now: () => now },
  )
  const [place] = signing.places
  if (!place) throw new Error('The storage has no place.')
  const file = { place, owner, path }
  if (method === 'GET') return signing.visit(file, expiresAt)
  const { overwrite = false, contentType: type, size } = vector
  return (await signing.upload(file, { expiresAt, maxBytes: 1e9, overwrite, type, size })).url
}

/** A URL, whatever the order of its parameters. */
function partsOf(text: string) {
  const url = new URL(text)
  return { at: url.origin + url.pathname, query: Object.fromEntries(url.searchParams) }
}

describe.each(['s3', 's3-dotted', 's3-session', 'r2', 'minio', 'gcs', 'oss'])('for %s', (name) => {
  const own = vectors.filter((vector) => vector.name === name)

  test('there are recorded URLs to write and to read', () => {
    expect(new Set(own.map(({ method }) => method))).toEqual(new Set(['PUT', 'GET']))
    expect(own.length).toBeGreaterThanOrEqual(5)
  })

  test.each(own)('$method of $path is signed as the official SDK signs it', async (vector) => {
    expect(partsOf(await signAs(vector))).toEqual(partsOf(vector.url))
  })
})
