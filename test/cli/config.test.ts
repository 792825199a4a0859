import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'
import { parse } from 'yaml'

import { setEnabled } from '../../src/stores/operator-states.ts'
import { openStore } from '../../src/stores/open.ts'
import { type Place, openPlace } from './dragoman.ts'

const secret = 'hush-0123456789-0123456789-0123456789'

const configuration = {
  listen: { port: 1234 },
  keys: [{ id: 'a.b', secret, models: ['*'] }],
  accounts: [
    {
      id: 'open.ai',
      provider: 'openai',
      apiKey: 'env:UP',
      models: ['gpt-*'],
      baseUrl: `https://h.example/${secret}/v1`,
    },
    { id: 'other', provider: 'anthropic', apiKey: secret, models: ['claude-*'] },
  ],
  aliases: { 'gpt-4.1': 'gpt-5', 'accounts[0]': 'gpt-5' },
}

const env = {
  UP: secret,
  DRAGOMAN_ADMIN_TOKEN: `token-${secret}`,
  DRAGOMAN_ADMIN_PORT: '7',
  DRAGOMAN_WORKERS: '3',
}

async function placeWith(config: object): Promise<Place> {
  const place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify(config))
  return place
}

interface Printed {
  readonly path: string
  readonly value: unknown
  readonly origin: string
}

test('config print shows what takes effect and why, and no secret in any form', async () => {
  await using place = await placeWith(configuration)
  const store = await openStore('file:.dragoman', { cwd: place.path })
  await setEnabled(store, 'account', 'other', false)
  await store.close()
  const asJson = await place.call('config print --json --host 127.0.0.2', env)
  const asYaml = await place.call('config print --yaml --host 127.0.0.2', env)
  const asTable = await place.call('config print --host 127.0.0.2', env)
  expect([asJson, asYaml, asTable].map(({ stderr }) => stderr)).toEqual(['', '', ''])
  expect([asJson.code, asYaml.code, asTable.code]).toEqual([0, 0, 0])
  for (const { stdout, stderr } of [asJson, asYaml, asTable]) {
    expect(stdout + stderr).not.toContain('hush')
  }
  const settings = JSON.parse(asJson.stdout) as Printed[]
  const of = (path: string) => settings.find((one) => one.path === path)
  expect(of('listen.host')).toMatchObject({ value: '127.0.0.2', origin: 'flag' })
  expect(of('listen.port')).toMatchObject({ value: 1234, origin: 'file' })
  expect(of('admin.port')).toMatchObject({ value: 7, origin: 'environment' })
  expect(of('workers')).toMatchObject({ value: 3, origin: 'environment' })
  expect(of('DRAGOMAN_ADMIN_TOKEN')).toMatchObject({ value: 'set', origin: 'environment' })
  expect(of('limits.attempts')).toMatchObject({ value: 5, origin: 'default' })
  expect(of('accounts[0].apiKey')).toMatchObject({ value: 'env:UP', origin: 'file' })
  expect(of('accounts[1].apiKey')).toMatchObject({ value: 'set', origin: 'file' })
  expect(of('accounts[1].enabled')).toMatchObject({ value: false, origin: 'store' })
  expect(asTable.stdout).toMatch(/^admin\.port +environment +7$/m)

  const tree = parse(asYaml.stdout)
  expect(tree.aliases).toEqual(configuration.aliases)
  expect(tree.accounts[1]).toMatchObject({ id: 'other', apiKey: 'set', enabled: false })
  expect(asYaml.stdout).toMatch(/^ {2}port: 7 # environment$/m)
  expect(asYaml.stdout).toMatch(/^ {4}enabled: false # store$/m)
})

test('names that are numbers are names in YAML', async () => {
  const aliases = { '0': 'gpt-5', '1': 'gpt-5' }
  await using place = await placeWith({ ...configuration, aliases })
  const { stdout } = await place.call('config print --yaml', env)
  expect(parse(stdout).aliases).toEqual(aliases)
})

test('config print without a file shows where the accounts of a first run come from', async () => {
  await using place = await openPlace()
  const { stdout } = await place.call('config print --json', { OPENAI_API_KEY: secret })
  const settings = JSON.parse(stdout) as Printed[]
  const origins = settings.filter(({ path }) => /^accounts\[\d\]\.id$/.test(path))
  expect(origins).toEqual([
    { path: 'accounts[0].id', value: 'sandbox', origin: 'default' },
    { path: 'accounts[1].id', value: 'openai', origin: 'environment' },
  ])
})

test('config print says that the store is missing from it, and prints the rest', async () => {
  await using place = await placeWith({ ...configuration, store: 'redis://127.0.0.1:1' })
  const { code, stdout, stderr } = await place.call('config print', env)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^store +file +redis:\/\/127\.0\.0\.1:1$/m)
  expect(stderr).toMatch(/^What the store adds and changes is missing: /m)
})

test('config print shows that the admin API is off, and refuses what is wrong', async () => {
  await using place = await placeWith({ admin: false })
  const off = await place.call('config print')
  expect(off.stdout).toMatch(/^admin +file +false$/m)
  expect((await place.call('config print --json --yaml')).code).toBe(2)
  await place.write('dragoman.config.json', '{"lisen":{}}')
  expect(await place.call('config print')).toMatchObject({ code: 3, stdout: '' })
})

test('config schema prints the schema that editors use', async () => {
  await using place = await openPlace()
  const { code, stdout } = await place.call('config schema')
  expect(code).toBe(0)
  const file = join(import.meta.dirname, '../../schema/dragoman.config.schema.json')
  expect(stdout).toBe(await readFile(file, 'utf8'))
})
