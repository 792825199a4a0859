import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { compileSnapshot } from '../../src/accounts/compile.ts'
import { describeSettings } from '../../src/configuration/describe.ts'
import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { messagesDialect } from '../../plugins/dialects/messages/index.ts'
import { temporaryDirectory } from '../stores/temporary.ts'

const account = { id: 'a', provider: 'anthropic', models: ['m'] }
const canary = 'canary-0123456789'

function check(headers: unknown, env: Record<string, string> = {}) {
  const checked = checkConfiguration({ accounts: [{ ...account, headers }] }, { env })
  return { ...checked, setting: checked.settings.accounts[0] }
}

test('the value of a header is a text, or what a variable or a file has', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'secret')
  await writeFile(file, `Basic ${canary}\n`)

  const { setting, problems } = check(
    { 'X-Team': 'research and more', 'x-proxy': `file:${file}`, 'x-tenant': 'env:TENANT' },
    { TENANT: 'tenant-0123456789' },
  )

  expect(problems).toEqual([])
  expect(setting?.headers).toEqual({
    'x-team': 'research and more',
    'x-proxy': `Basic ${canary}`,
    'x-tenant': 'tenant-0123456789',
  })
  // Ordinary words may stand in a reply.
  expect(setting?.secrets).toEqual([`Basic ${canary}`, canary, 'tenant-0123456789'])
})

test.each([
  'Host',
  'content-length',
  'Transfer-Encoding',
  'connection',
  'te',
  'trailer',
  'upgrade',
  'keep-alive',
  'expect',
  'content-type',
  'content-encoding',
  'accept-encoding',
  'range',
  'proxy-authorization',
  'idempotency-key',
  'traceparent',
  'baggage',
  'x-dragoman-account',
])('an account cannot have the header %s', (name) => {
  const { problems } = check({ [name]: canary, 'x-team': 'a' })

  expect(problems).toEqual([
    {
      path: `accounts[0].headers.${name}`,
      message: expect.not.stringContaining(canary),
      fix: 'remove it',
    },
  ])
})

test.each([
  ['a b', 'x'],
  ['', 'x'],
  [`${canary}:`, 'x'],
  ['x-a', ''],
  ['x-a', ' padded'],
  ['x-a', `${canary}\r\nx-b: 1`],
  ['x-a', `${canary}ü`],
  ['x-a', `${canary}${'x'.repeat(8_192)}`],
  ['x-a', 'env:MISSING_VARIABLE'],
  ['x-a', 'file:relative'],
])('the header %j of %j is a problem that repeats no value', (name, value) => {
  const { problems } = check({ [name]: value })

  expect(problems).toHaveLength(1)
  expect(problems[0]?.path).toMatch(/^accounts\[0\]\.headers(?:\.x-a)?$/)
  expect(JSON.stringify(problems)).not.toContain(canary)
  expect(problems[0]?.fix).not.toBe('')
})

test.each([
  ['twice', { 'x-a': '1', 'X-A': '2' }],
  ['too many', Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`x-${at}`, '1']))],
  ['too large', { 'x-a': 'a'.repeat(8_000), 'x-b': 'a'.repeat(8_000), 'x-c': 'a'.repeat(800) }],
  ['no object', canary],
  ['no texts', { 'x-a': { [canary]: canary } }],
])('headers that are %s are a problem', (_name, headers) => {
  const { problems } = check(headers)

  expect(problems).toHaveLength(1)
  expect(JSON.stringify(problems)).not.toContain(canary)
})

test('a header does not replace the one with the apiKey', () => {
  const withKey = { ...account, apiKey: 'sk-0123456789', headers: { 'X-Api-Key': 'other' } }
  const { settings } = checkConfiguration({ accounts: [withKey, account] }, { env: {} })
  const { problems } = compileSnapshot(settings.accounts, {}, [messagesDialect()])

  expect(problems).toEqual([
    {
      path: 'accounts[0].headers.x-api-key',
      message: 'would replace the header with the apiKey',
      fix: 'remove the header, or the apiKey',
    },
  ])

  const { settings: keyless } = checkConfiguration(
    { accounts: [{ ...account, headers: { authorization: 'Basic abc' } }] },
    { env: {} },
  )
  const { snapshot } = compileSnapshot(keyless.accounts, {}, [messagesDialect()])
  expect(snapshot.accounts[0]?.headers).toEqual({ authorization: 'Basic abc' })
})

test('operators see the names of headers and no value', () => {
  const { settings } = check({ 'x-team': canary, 'x-tenant': 'env:TENANT' }, { TENANT: canary })
  const shown = [...describeSettings(settings)].find(({ path }) => path.endsWith('.headers'))

  expect(shown?.value).toEqual({ 'x-team': 'set', 'x-tenant': 'env:TENANT' })
})
