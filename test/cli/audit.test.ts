import { expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { parseGrace } from '../../src/cli/keys/parse.ts'
import { UsageError } from '../../src/cli/command.ts'
import { addressesOf, anyPorts, openPlace, statusWithKey, type Place } from './dragoman.ts'

interface Entry {
  readonly at: number
  readonly action: string
  readonly result: string
  readonly actor: { readonly kind: string; readonly id: string }
  readonly target: { readonly id: string }
  readonly [name: string]: unknown
}

async function auditOf(place: Place, words = ''): Promise<Entry[]> {
  const { code, stdout } = await place.call(`audit export ${words}`)
  expect(code).toBe(0)
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry)
}

const account = {
  id: 'one',
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:9',
  models: ['m'],
}

test('each command that changes something is in the audit log, also one that fails', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify({ accounts: [account] }))
  expect(await auditOf(place)).toEqual([])
  const { stdout: first } = await place.call('keys create team --models m')
  const { stdout: second } = await place.call('keys rotate team --grace 1h')
  await place.call('accounts disable one')
  await place.call('accounts enable one')
  await place.call('keys revoke team')
  await place.call('keys rotate team')
  const entries = await auditOf(place)
  expect(entries.map(({ action, result, target }) => [action, target.id, result])).toEqual([
    ['key.create', 'team', 'DONE'],
    ['key.rotate', 'team', 'DONE'],
    ['account.disable', 'one', 'DONE'],
    ['account.enable', 'one', 'DONE'],
    ['key.revoke', 'team', 'DONE'],
    ['key.rotate', 'team', 'FAILED'],
  ])
  expect(new Set(entries.map(({ actor }) => actor.kind))).toEqual(new Set(['process']))
  expect(entries[0]?.actor.id).not.toBe('')
  for (const secret of [first, second]) expect(JSON.stringify(entries)).not.toContain(secret.trim())
  expect(JSON.stringify(entries)).not.toContain('sha256:')
  const from = new Date(entries[2]!.at).toISOString()
  expect((await auditOf(place, `--from ${from}`)).length).toBeLessThan(6)
  expect(await auditOf(place, '--to 2001-01-01')).toEqual([])
  expect((await place.call('audit export --from yesterday')).code).toBe(2)
})

test('what is done to admin tokens and sealed secrets is in the audit log, by the user of the machine', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify({ accounts: [account] }))
  const { stdout: secret } = await place.call('admin-tokens create ci --role viewer')
  await place.call('admin-tokens create ci')
  await place.call('admin-tokens revoke ci')
  const keys = { DRAGOMAN_SECRET_KEY: 'k'.repeat(32) }
  expect((await place.call('secrets rotate', keys)).code).toBe(0)
  const entries = await auditOf(place)
  expect(entries.map(({ action, target, result }) => [action, target.id, result])).toEqual([
    ['admin-token.create', 'ci', 'DONE'],
    ['admin-token.create', 'ci', 'FAILED'],
    ['admin-token.revoke', 'ci', 'DONE'],
    ['secrets.rotate', 'all', 'DONE'],
  ])
  expect(entries.at(-1)).toMatchObject({ after: { resealed: 0, current: 0, closed: [] } })
  // As all commands name themselves.
  expect(new Set(entries.map(({ agent }) => agent))).toEqual(new Set(['command line']))
  expect(new Set(entries.map(({ actor }) => actor.id)).size).toBe(1)
  for (const hidden of [secret.trim(), keys.DRAGOMAN_SECRET_KEY, 'sha256:']) {
    expect(JSON.stringify(entries)).not.toContain(hidden)
  }
})

const refused = [
  ['accounts disable nope --reason x', 'account.disable', 'nope'],
  ['accounts enable nope --reason x', 'account.enable', 'nope'],
  ['accounts enable off --reason x', 'account.enable', 'off'],
  ['bindings forget resp_nope --key me --reason x', 'binding.forget', 'me * resp_nope'],
  ['jobs forget nope --reason x', 'job.forget', 'nope'],
  ['keys create me --reason x', 'key.create', 'me'],
  ['keys rotate me --reason x', 'key.rotate', 'me'],
  ['keys revoke me --reason x', 'key.revoke', 'me'],
  ['admin-tokens create mine --reason x', 'admin-token.create', 'mine'],
  ['admin-tokens revoke mine --reason x', 'admin-token.revoke', 'mine'],
] as const

test.each(dailyRows(refused))(
  '`%s` is refused, and the audit log says so',
  async (words, action, id) => {
    await using place = await openPlace()
    const me = { id: 'me', secret: 'a-key-of-the-configuration-0123456789' }
    const mine = { id: 'mine', secret: 'a-token-of-the-configuration-0123456789', role: 'viewer' }
    const off = { ...account, id: 'off', enabled: false }
    const config = { accounts: [account, off], keys: [me], admin: { tokens: [mine] } }
    await place.write('dragoman.config.json', JSON.stringify(config))
    const before = await place.call(words)
    expect([before.code, await auditOf(place)]).toEqual([1, []])

    await place.call('keys create team')
    const { code, stderr } = await place.call(words)
    expect(code).toBe(1)
    const last = (await auditOf(place)).at(-1)
    const actor = expect.objectContaining({ kind: 'process' }) as object
    expect(last).toMatchObject({ action, target: { id }, result: 'FAILED', reason: 'x', actor })
    expect(stderr.replace(`${place.path}/`, '')).toContain(last?.['message'])
  },
)

test('what a switch of an account changes is in its record', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify({ accounts: [account] }))
  for (const verb of ['disable', 'disable', 'enable']) await place.call(`accounts ${verb} one`)
  const changes = (await auditOf(place)).map(({ before, after }) => [before, after])
  expect(changes).toEqual([
    [{ enabled: true }, { enabled: false, drain: true }],
    [{ enabled: false }, { enabled: false, drain: true }],
    [{ enabled: false }, { enabled: true }],
  ])
})

test('an act without a record does not happen', async () => {
  await using place = await openPlace()
  const { code, stdout } = await place.call('keys create team --store redis://127.0.0.1:1')
  expect([code, stdout]).toEqual([1, ''])
})

test('during the grace period of a rotation both secrets work, and the end is shown', async () => {
  await using place = await openPlace()
  const { stdout: first } = await place.call('keys create team')
  const server = place.start(`${anyPorts} --store file:.dragoman`, { OPENAI_API_KEY: 'x' })
  const { clients } = await addressesOf(server)
  const rotated = await place.call('keys rotate team --grace 1h')
  expect(rotated.stderr).toContain('Its former secret works until ')
  await expect.poll(() => statusWithKey(clients, rotated.stdout)).toBe(200)
  expect(await statusWithKey(clients, first)).toBe(200)
  const listed = JSON.parse((await place.call('keys list --json')).stdout) as object[]
  expect(listed).toMatchObject([{ id: 'team', graceUntil: expect.any(String) }])
  await place.call('keys revoke team')
  for (const secret of [first, rotated.stdout]) {
    await expect.poll(() => statusWithKey(clients, secret), { timeout: 10_000 }).toBe(401)
  }
})

test('the key of a first start is in the audit log', async () => {
  await using place = await openPlace()
  const server = place.start(anyPorts)
  await addressesOf(server)
  await server.said(/This is your API key/)
  const of = { target: { id: 'bootstrap' }, actor: { id: 'gateway' }, result: 'DONE' }
  expect(await auditOf(place)).toMatchObject([{ action: 'key.create', ...of }])
})

test('each reload of the configuration is in the audit log, also one that fails', async () => {
  await using place = await openPlace()
  const config = (models: string[]) => JSON.stringify({ accounts: [{ ...account, models }] })
  await place.write('dragoman.config.json', config(['m']))
  const server = place.start(anyPorts)
  await addressesOf(server)
  await place.write('dragoman.config.json', config(['n']))
  await server.said(/configuration reloaded/)
  await place.write('dragoman.config.json', '{ "accounts": [{ "id": "canary value" }] }')
  await server.said(/configuration not reloaded/)
  const reloads = (await auditOf(place)).filter(({ action }) => action === 'configuration.reload')
  expect(reloads.find(({ result }) => result === 'DONE')).toMatchObject({
    actor: { kind: 'process', id: 'gateway' },
    after: { accounts_changed: ['one'] },
  })
  expect(reloads.at(-1)).toMatchObject({ result: 'FAILED' })
  expect(JSON.stringify(reloads)).not.toContain('canary')
})

test.each([
  ['90s', 90_000],
  ['1h', 3_600_000],
  ['30d', 2_592_000_000],
  ['0m', 0],
])('--grace %s', (text, milliseconds) => {
  expect(parseGrace(text)).toBe(milliseconds)
})

test.each(['', '1', 'h', '-1h', '31d', '1w', '1.5h'])('--grace "%s" is refused', (text) => {
  expect(() => parseGrace(text)).toThrow(UsageError)
})
