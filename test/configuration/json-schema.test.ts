import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { loadExamples, loadFiles } from './page.ts'

const root = join(import.meta.dirname, '../..')
const schema = JSON.parse(readFileSync(join(root, 'schema/dragoman.config.schema.json'), 'utf8'))

/** A validator that knows nothing of the gateway, and accepts no keyword that it does not know. */
const ajv = new Ajv({
  strict: true,
  allErrors: true,
  // Both have a pattern beside them.
  formats: { 'date-time': true, date: true },
  // `oneOf` of a key names properties that stand beside it.
  strictRequired: false,
})
const isValid = ajv.compile(schema)

const faultsOf = (config: unknown) =>
  isValid(config) ? [] : (isValid.errors ?? []).map(({ instancePath }) => instancePath)

test('the examples of the documentation are valid', async () => {
  for (const config of await loadExamples()) expect(faultsOf(config)).toEqual([])
})

test('the configurations that the repository contains are valid', async () => {
  const paths = globSync('examples/{*,plugins/*}/dragoman.config.{ts,json,yaml,yml}', { cwd: root })
  const configs = await loadFiles(paths.map((path) => join(root, path)))
  // JSON has no plugins but by the names of their modules, and the schema refuses others.
  const withoutPlugins = configs.map((config) => ({ ...(config as object), plugins: [] }))
  expect(withoutPlugins.map(faultsOf)).toEqual(paths.map(() => []))
  expect(paths).toContain('examples/replicas/dragoman.config.ts')
})

const key = { id: 'a', secret: 's' }
const account = { id: 'a', provider: 'openai', models: ['*'] }
const storage = { bucket: 'b', region: 'eu-west-1', accessKeyId: 'a', secretAccessKey: 'b' }

describe('the JSON Schema and the gateway accept', () => {
  test.each([
    {},
    { $schema: './dragoman.config.schema.json', plugins: [] },
    { store: 'memory:' },
    { store: 'redis+sentinel://a:1,b:2/main' },
    { keys: [key, { id: 'b', hash: `sha256:${'0aF'.repeat(21)}0`, expiresAt: '2030-01-31' }] },
    { keys: [{ ...key, expiresAt: '2030-01-31T00:00:00+01:00' }] },
    { keys: [{ ...key, expiresAt: 5e12, losses: 'native', explain: true }] },
    { accounts: [{ ...account, models: { 'team/*': 'gpt-*' }, weight: 0.5, priority: -1 }] },
    { aliases: { fast: 'gpt-4.1-mini' }, publicUrl: 'https://llm.example.com/llm' },
    {
      uploads: { directory: false, keepDays: false, types: ['image/*'], storages: { s3: storage } },
    },
    { remote: { maxFiles: 0, allow: ['media.internal:443'] } },
  ])('%j', (config) => {
    expect(checkConfiguration(config, { env: {}, file: 'a.json' }).problems).toEqual([])
    expect(faultsOf(config)).toEqual([])
  })
})

test('the JSON Schema accepts plugins by the names of their modules', () => {
  const plugins = [{ use: './mine.ts', options: { limit: 3 } }, { use: '@acme/plugin' }]
  expect(faultsOf({ plugins })).toEqual([])
})

describe('the JSON Schema and the gateway refuse', () => {
  test.each([
    [],
    { accunts: [] },
    { plugins: [{ name: 'mine' }] },
    { plugins: [{ use: 'https://acme.example/plugin.js' }] },
    { plugins: [{ use: './mine.ts', options: 3 }] },
    { listen: { port: 65_536 } },
    { listen: { port: '8787' } },
    { store: 'mysql://a' },
    { keys: [{ id: 'a' }] },
    { keys: [{ ...key, hash: `sha256:${'0'.repeat(64)}` }] },
    { keys: [{ ...key, id: '' }] },
    { keys: [{ ...key, expiresAt: '2030-02-30' }] },
    { keys: [{ ...key, expiresAt: 'soon' }] },
    { accounts: [{ id: 'a', provider: 'openai' }] },
    { accounts: [{ ...account, models: {} }] },
    { accounts: [{ ...account, weight: 0 }] },
    { accounts: [{ ...account, weight: 1e7 }] },
    { accounts: [{ ...account, baseUrl: 'llm.example.com' }] },
    { errors: 'none' },
    { limits: { attempts: 0 } },
    { timeouts: { connectMs: 2 ** 31 } },
    { uploads: { keepDays: true } },
    { uploads: { storages: { s3: { ...storage, region: 'a b' } } } },
    { imageModels: { current: 'gpt-*' } },
    { remote: { maxFiles: -1 } },
  ])('%j', (config) => {
    expect(checkConfiguration(config, { env: {}, file: 'a.json' }).problems).not.toEqual([])
    expect(faultsOf(config)).not.toEqual([])
  })
})
