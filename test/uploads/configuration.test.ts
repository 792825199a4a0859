import { describe, expect, test } from 'vitest'

import type { Config } from '../../src/configuration/config.generated.ts'
import { checkConfiguration } from '../../src/configuration/resolve.ts'
import type { StorageConfig } from '../../src/configuration/config.generated.ts'

const env = { KEY_ID: 'AKIDOFTHETEST', KEY: 'the-secret-of-the-test', SHORT: 'short' }
const credentials = { accessKeyId: 'env:KEY_ID', secretAccessKey: 'env:KEY' }

function examine(uploads: Config['uploads'], more: Config = {}) {
  return checkConfiguration({ ...more, uploads }, { env, file: '/etc/dragoman/config.ts' })
}

function bucketsOf(storages: Record<string, StorageConfig>) {
  const { settings, problems } = examine({ storages })
  expect(problems).toEqual([])
  return settings.uploads.storages[0]?.buckets
}

test('without a word uploads go beside the records of the store', () => {
  const { settings } = checkConfiguration({ store: 'file:/var/lib/dragoman' }, { env })
  expect(settings.uploads).toEqual({
    default: 'local',
    directory: '/var/lib/dragoman/uploads',
    keepDays: 30,
    maxBytes: 512 * 1024 * 1024,
    storages: [],
  })
  const redis = checkConfiguration({ store: 'redis://localhost:6379' }, { env })
  expect(redis.settings.uploads.directory).toBe('.dragoman/uploads')
})

test('uploads are kept for thirty days, for others, or for ever', () => {
  expect(examine({}).settings.uploads.keepDays).toBe(30)
  expect(examine({ keepDays: 7 }).settings.uploads.keepDays).toBe(7)
  expect(examine({ keepDays: false }).settings.uploads).not.toHaveProperty('keepDays')
})

test('a directory begins where the file is that names it', () => {
  expect(examine({ directory: 'files' }).settings.uploads.directory).toBe('/etc/dragoman/files')
  expect(examine({ directory: '/files' }).settings.uploads.directory).toBe('/files')
})

test('without a storage of its own the gateway takes the first of the others', () => {
  const s3 = { bucket: 'media', region: 'eu-1', ...credentials }
  const { settings } = examine({ directory: false, storages: { s3 } })
  expect(settings.uploads).toMatchObject({ default: 's3' })
  expect(settings.uploads).not.toHaveProperty('directory')
  expect(examine({ storages: { s3 } }).settings.uploads.default).toBe('local')
  expect(examine({ default: 's3', storages: { s3 } }).settings.uploads.default).toBe('s3')
})

test('credentials are read from the environment', () => {
  const { settings } = examine({
    secret: 'env:KEY',
    storages: { s3: { bucket: 'b', region: 'eu-1', ...credentials, sessionToken: 'env:KEY_ID' } },
  })
  expect(settings.uploads.secret).toBe(env.KEY)
  expect(settings.uploads.storages[0]).toMatchObject({
    name: 's3',
    kind: 's3',
    accessKeyId: env.KEY_ID,
    secretAccessKey: env.KEY,
    sessionToken: env.KEY_ID,
  })
})

describe('what a kind knows by itself', () => {
  const bucket = { bucket: 'media', ...credentials }
  const r2 = 'https://account.r2.cloudflarestorage.com'

  test.each([
    ['s3', { region: 'eu-1' }, 'eu-1', 'https://s3.eu-1.amazonaws.com'],
    ['r2', { endpoint: r2 }, 'auto', r2],
    ['minio', { endpoint: 'http://minio:9000' }, 'us-east-1', 'http://minio:9000'],
    ['gcs', {}, 'auto', 'https://storage.googleapis.com'],
    ['oss', { region: 'cn-hangzhou' }, 'cn-hangzhou', 'https://s3.oss-cn-hangzhou.aliyuncs.com'],
  ])('%s', (name, fields, region, endpoint) => {
    expect(bucketsOf({ [name]: { ...bucket, ...fields } })).toEqual([
      { region, bucket: 'media', endpoint },
    ])
  })

  test('a storage of another name says its kind', () => {
    expect(bucketsOf({ archive: { ...bucket, kind: 'gcs' } })?.[0]?.region).toBe('auto')
  })

  test('further regions have buckets and, where it is not known, the same address', () => {
    expect(
      bucketsOf({ s3: { ...bucket, region: 'eu-1', regions: { 'us-1': { bucket: 'us' } } } }),
    ).toEqual([
      { region: 'eu-1', bucket: 'media', endpoint: 'https://s3.eu-1.amazonaws.com' },
      { region: 'us-1', bucket: 'us', endpoint: 'https://s3.us-1.amazonaws.com' },
    ])
    const minio = { ...bucket, endpoint: 'http://minio:9000', regions: { x: { bucket: 'x' } } }
    expect(bucketsOf({ minio })?.[1]?.endpoint).toBe('http://minio:9000')
  })
})

const s3 = { bucket: 'media', region: 'eu-1', ...credentials }

test.each<[string, unknown, string]>([
  ['an unknown default', { default: 'azure' }, 'uploads.default'],
  ['no storage for a default', { default: 'local', directory: false }, 'uploads.default'],
  ['no day to keep anything', { keepDays: 0 }, 'uploads.keepDays'],
  ['days without a number', { keepDays: true }, 'uploads.keepDays'],
  ['a size of none', { maxBytes: 0 }, 'uploads.maxBytes'],
  ['types that are none', { types: ['images'] }, 'uploads.types[0]'],
  ['a short secret', { secret: 'env:SHORT' }, 'uploads.secret'],
  ['a variable that is not set', { secret: 'env:MISSING' }, 'uploads.secret'],
  ['a storage of no kind', { storages: { other: s3 } }, 'uploads.storages.other.kind'],
  [
    'a storage called as a scheme',
    { storages: { https: { ...s3, kind: 's3' } } },
    'uploads.storages.https',
  ],
  ['a second local', { storages: { local: { ...s3, kind: 's3' } } }, 'uploads.storages.local'],
  ['no region', { storages: { s3: { ...s3, region: undefined } } }, 'uploads.storages.s3.region'],
  [
    'no region of its kind',
    { storages: { oss: { ...s3, region: 'hangzhou' } } },
    'uploads.storages.oss.region',
  ],
  [
    'a region as another of its interfaces has it',
    { storages: { oss: { ...s3, region: 'oss-cn-hangzhou' } } },
    'uploads.storages.oss.region',
  ],
  [
    'a further region that is none',
    { storages: { oss: { ...s3, region: 'cn-beijing', regions: { x: { bucket: 'x' } } } } },
    'uploads.storages.oss.regions.x',
  ],
  ['no address', { storages: { r2: s3 } }, 'uploads.storages.r2.endpoint'],
  [
    'an address with a path',
    { storages: { r2: { ...s3, endpoint: 'https://a/b' } } },
    'uploads.storages.r2.endpoint',
  ],
  [
    'one bucket for two regions',
    { storages: { s3: { ...s3, regions: { x: { bucket: 'media' } } } } },
    'uploads.storages.s3.regions',
  ],
  [
    'a bucket that climbs',
    { storages: { s3: { ...s3, bucket: 'a/../b' } } },
    'uploads.storages.s3.bucket',
  ],
  [
    'a prefix that climbs',
    { storages: { s3: { ...s3, prefix: '/a' } } },
    'uploads.storages.s3.prefix',
  ],
  [
    'credentials not set',
    { storages: { s3: { ...s3, accessKeyId: 'env:NO' } } },
    'uploads.storages.s3.accessKeyId',
  ],
])('a configuration with %s is told where', (_, uploads, path) => {
  const { problems } = examine(uploads as Config['uploads'])
  expect(problems.map((problem) => problem.path)).toContain(path)
  expect(JSON.stringify(problems)).not.toContain(env.KEY)
})

test.each(['llm.example.com', 'ftp://a', 'https://a/?x', 'https://u:p@a', 'https://a#b', ''])(
  'the public address %j is refused',
  (publicUrl) => {
    const { problems } = checkConfiguration({ publicUrl }, { env })
    expect(problems.map(({ path }) => path)).toEqual(['publicUrl'])
  },
)

test('the public address comes from the flag, the environment or the file', () => {
  const config = { publicUrl: 'https://file' }
  const of = (surroundings: Parameters<typeof checkConfiguration>[1]) =>
    checkConfiguration(config, surroundings).settings.publicUrl
  const variable = { DRAGOMAN_PUBLIC_URL: 'https://variable' }
  expect(of({ env: {} })).toBe('https://file')
  expect(of({ env: variable })).toBe('https://variable')
  expect(of({ env: variable, flags: { publicUrl: 'https://flag' } })).toBe('https://flag')
  const { problems } = checkConfiguration({}, { env: { DRAGOMAN_PUBLIC_URL: 'x' } })
  expect(problems.map(({ path }) => path)).toEqual(['DRAGOMAN_PUBLIC_URL'])
})
