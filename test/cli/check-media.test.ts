import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

const keys = [{ id: 'team', secret: 'hush' }]
const accounts = [{ id: 'a', provider: 'openai', apiKey: 'hush', models: ['*'] }]

/** What `check` prints of a configuration, with plugins or without. */
async function shown(configuration: object, plugins = ''): Promise<string> {
  await using place = await openPlace()
  const text = JSON.stringify({ keys, accounts, ...configuration })
  const code = `export default { ...${text}, plugins: [${plugins}] }`
  await place.write('dragoman.config.mjs', code)
  const { stdout } = await place.call('check')
  return stdout.replaceAll(place.path, 'HERE')
}

test('where files and large forms go is shown, also where nobody has said it', async () => {
  const text = await shown({})
  expect(text).toMatch(/ {2}public URL +not set: the listen address is used\n/)
  expect(text).toMatch(/ {2}spool +\S+, 4294967296 bytes at most\n/)
  expect(text).toMatch(/ {2}uploads +to local, of 536870912 bytes at most, deleted after 30 days\n/)
  expect(text).toMatch(
    / {2}image models +legacy dall-e-2; current gpt-image-1; later gpt-image-2\*\n/,
  )
  expect(text).toMatch(/^Storages\n {2}NAME +KIND +PLACE\n {2}local +directory +\S*uploads\n/m)
})

test('so is what an operator has set', async () => {
  const credentials = { accessKeyId: 'hush-id', secretAccessKey: 'hush-secret' }
  const text = await shown({
    publicUrl: 'https://llm.example.com/ai',
    spool: 'forms',
    limits: { spoolBytes: 2 ** 33, formBytes: 2 ** 33 },
    imageModels: { legacy: ['dall-e-*'], current: 'gpt-image-3', later: ['gpt-image-3'] },
    uploads: {
      default: 's3',
      directory: 'files',
      maxBytes: 1000,
      keepDays: false,
      types: ['image/*', 'video/mp4'],
      storages: {
        s3: {
          bucket: 'media-eu',
          region: 'eu-west-1',
          regions: { 'us-east-1': { bucket: 'media-us' } },
          prefix: 'up',
          ...credentials,
        },
        archive: { kind: 'minio', endpoint: 'http://minio:9000', bucket: 'old', ...credentials },
      },
    },
  })
  expect(text).toMatch(/public URL +https:\/\/llm\.example\.com\/ai\n/)
  expect(text).toMatch(/spool +HERE\/forms, 8589934592 bytes at most\n/)
  expect(text).toMatch(
    /uploads +to s3, of 1000 bytes at most, only image\/\*,video\/mp4, never deleted\n/,
  )
  expect(text).toMatch(/legacy dall-e-\*; current gpt-image-3; later gpt-image-3\n/)
  expect(text).toMatch(/local +directory +HERE\/files\n/)
  expect(text).toMatch(
    /s3 +s3 +media-eu\/up\/ at https:\/\/s3\.eu-west-1\.amazonaws\.com \(eu-west-1\)\n/,
  )
  expect(text).toMatch(
    /s3 +s3 +media-us\/up\/ at https:\/\/s3\.us-east-1\.amazonaws\.com \(us-east-1\)\n/,
  )
  expect(text).toMatch(/archive +minio +old at http:\/\/minio:9000 \(us-east-1\)\n/)
  expect(text).not.toContain('hush')
})

test('a gateway for other machines has no address that it knows of', async () => {
  const text = await shown({ listen: { host: '0.0.0.0' } })
  expect(text).toMatch(/public URL +not set: the gateway issues no URLs\n/)
})

test('storages of plugins are among them; a gateway without any takes no uploads', async () => {
  const none = await shown({ uploads: { directory: false } })
  expect(none).toMatch(/uploads +not accepted\n/)
  expect(none).toMatch(/^Storages\n {2}\(none\)\n/m)
  const methods = 'upload() {}, visit() {}, open() {}'
  const storage = `{ name: 'tape', places: [{ region: 'cellar', root: 'a' }], ${methods} }`
  const added = await shown(
    { uploads: { directory: false } },
    `{ name: 'p', storages: [${storage}] }`,
  )
  expect(added).toMatch(/uploads +to tape, /)
  expect(added).toMatch(/tape +plugin +\(cellar\)\n/)
})
