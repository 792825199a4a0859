import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createSealer } from '../../src/stores/sealing.ts'
import { openStore } from '../../src/stores/open.ts'
import {
  type StoredAccountFields,
  accountRecords,
  credentialSubject,
} from '../../src/stores/stored-accounts.ts'
import { type Place, openPlace } from './dragoman.ts'

const canary = 'canary-credential-0123456789abcd'
const [oldKey, newKey] = ['o'.repeat(44), 'n'.repeat(44)]

/** Writes an account as the admin API does. */
async function store(
  place: Place,
  account: StoredAccountFields,
  key: string = oldKey,
): Promise<void> {
  const opened = await openStore('file:.dragoman', { cwd: place.path })
  const sealed = createSealer([key]).seal(canary, credentialSubject(account))
  await accountRecords(opened).set(account.id, {
    version: 1,
    createdAt: 1,
    changedAt: 1,
    account,
    credential: { changedAt: 1, sealed },
  })
  await opened.close()
}

async function sealedWith(place: Place): Promise<(string | undefined)[]> {
  const opened = await openStore('file:.dragoman', { cwd: place.path })
  const records = await accountRecords(opened).list()
  await opened.close()
  return records.map(({ value }) => value?.credential?.sealed?.key)
}

const configured = { id: 'a', provider: 'openai', apiKey: 'hush', models: ['gpt-*'] }
const stored = { id: 'b', provider: 'anthropic', models: ['claude-*'] }

async function placeWith(accounts: object[]): Promise<Place> {
  const place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify({ accounts }))
  return place
}

const env = { DRAGOMAN_SECRET_KEY: oldKey }

test('lists and checks show the accounts of the store, and where they come from', async () => {
  await using place = await placeWith([configured])
  await store(place, stored)
  const list = await place.call('accounts list', env)
  expect(list.stdout).toMatch(
    /^ID +PROVIDER +STATE +SERVES +FROM +IN FLIGHT +UNTIL +WHY\na +openai +enabled +all +configuration +0\nb +anthropic +enabled +all +store +0\n$/,
  )
  const json = JSON.parse((await place.call('accounts list --json', env)).stdout) as unknown
  expect(json).toEqual([
    { id: 'a', provider: 'openai', state: 'enabled', serves: 'all', inFlight: 0 },
    { id: 'b', provider: 'anthropic', state: 'enabled', serves: 'all', from: 'store', inFlight: 0 },
  ])
  const check = await place.call('check', env)
  expect(check.code).toBe(0)
  expect(check.stdout).toMatch(/a +openai +configuration +https:\/\/api\.openai\.com\/v1 +set +yes/)
  expect(check.stdout).toMatch(/b +anthropic +store +https:\/\/api\.anthropic\.com +set +yes/)
  expect(list.stdout + check.stdout + check.stderr).not.toContain(canary)
})

test('an account of the store is disabled and enabled by its id, from a shell without its key', async () => {
  await using place = await placeWith([configured])
  await store(place, { ...stored, enabled: false })
  const listed = async () => (await place.call('accounts list', env)).stdout
  expect(await listed()).toMatch(/b +anthropic +disabled +nothing +store .*its record disables it/)
  expect((await place.call('accounts enable b')).code).toBe(0)
  expect(await listed()).toMatch(/b +anthropic +enabled +all +store/)
  expect((await place.call('accounts disable b')).code).toBe(0)
  expect(await listed()).toMatch(/b +anthropic +disabled +nothing +store/)
  // Such a shell sees that it cannot say more.
  const { stdout } = await place.call('accounts list')
  expect(stdout).toMatch(
    /b +anthropic +invalid +nothing +store .*sealed with a key that this process does not/,
  )
})

test('a check names an account of both, one that does not open, and one of an unknown provider', async () => {
  await using place = await placeWith([configured])
  await store(place, { ...stored, id: 'a' })
  await store(place, stored, newKey)
  await store(place, { ...stored, id: 'c', provider: 'nobody' })
  const { code, stderr, stdout } = await place.call('check', env)
  expect(code).toBe(3)
  expect(stderr).toContain('accounts.a\n    is in the configuration and in the store')
  expect(stderr).toContain('accounts.b.credential\n    is sealed with a key that this process')
  expect(stderr).toContain('accounts.c.provider\n    unknown provider "nobody"')
  expect(stdout).toMatch(/a +openai /)
  expect(stdout + stderr).not.toContain(canary)
  // The gateway starts all the same.
  const running = place.start('serve --port 0 --admin-port 0', env)
  await running.said(/Listening on/)
})

test('a rotation seals all secrets with the newest key, and the old one is needed no more', async () => {
  await using place = await placeWith([configured])
  await store(place, stored)
  await store(place, { ...stored, id: 'c' })
  const before = await sealedWith(place)
  const both = { DRAGOMAN_SECRET_KEY: `${newKey},${oldKey}` }
  const rotated = await place.call('secrets rotate --json', both)
  expect(JSON.parse(rotated.stdout)).toEqual({
    resealed: ['b', 'c'],
    current: [],
    closed: [],
    contested: [],
  })
  const after = await sealedWith(place)
  expect(new Set(after).intersection(new Set(before)).size).toBe(0)
  const again = await place.call('secrets rotate', both)
  expect(again).toMatchObject({ code: 0, stdout: '' })
  expect(again.stderr).toContain('0 secrets are sealed with the newest key, as 2 were before.')
  expect((await place.call('check', { DRAGOMAN_SECRET_KEY: newKey })).code).toBe(0)
  expect((await place.call('check', env)).code).toBe(3)

  const lost = await place.call('secrets rotate', { DRAGOMAN_SECRET_KEY: oldKey })
  expect(lost.code).toBe(1)
  expect(lost.stderr).toContain('do not open: b, c.')
  const { stdout: audit } = await place.call('audit export')
  const [last] = audit.trimEnd().split('\n').slice(-1)
  expect(JSON.parse(last!)).toMatchObject({
    action: 'secrets.rotate',
    result: 'FAILED',
    message: 'No secret was sealed again.',
    after: { resealed: 0, closed: ['b', 'c'] },
  })
  expect(await sealedWith(place)).toEqual(after)
  const database = await readFile(join(place.path, '.dragoman/store.sqlite'), 'latin1')
  expect(database).not.toContain(canary)
})

test('a key that could be guessed is refused without being repeated', async () => {
  await using place = await placeWith([configured])
  for (const key of ['short', `${newKey},short`, `${newKey},`, `${newKey} `]) {
    const { code, stderr } = await place.call('check', { DRAGOMAN_SECRET_KEY: key })
    expect({ key, code }).toEqual({ key, code: 3 })
    expect(stderr).toContain('DRAGOMAN_SECRET_KEY')
    expect(stderr).not.toContain('short,')
    expect(stderr).not.toContain(newKey)
  }
})
